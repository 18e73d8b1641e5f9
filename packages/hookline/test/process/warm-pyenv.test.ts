import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Engine } from '../../src/index.ts'
import { bashCall, commands, makeWorld, openOn, type World } from '../support/project.ts'

const PYTHON = '/usr/bin/python3'
const IMPOSSIBLE = process.platform !== 'linux' || !existsSync(PYTHON)
const TIMEOUT_MS = 120_000

/** What a hook can find out about its interpreter. */
const GUARD = `import json, os, sys
text = sys.stdin.read()
about = {name: getattr(sys, name) for name in ('argv', 'executable', 'prefix', 'base_prefix', 'path', 'version')}
about['flags'] = str(sys.flags)
about['env'] = {name: value for name, value in os.environ.items() if name != 'CLAUDE_CODE_SESSION_ID'}
about['cmdline'] = open('/proc/self/cmdline').read()
about['modules'] = sorted(sys.modules)
about['tool'] = json.loads(text)['tool_name']
print(json.dumps(about, sort_keys=True))
`

const writeShim = (root: string): string => `#!/usr/bin/env bash
set -e
[ -n "$PYENV_DEBUG" ] && set -x

program="\${0##*/}"

export PYENV_ROOT="${root}"
exec "${root}/libexec/pyenv" exec "$program" "$@"
`

/** Chooses by the rules of pyenv: a variable, the next file above, the user's file, else the system; the first that has the program. */
const PYENV = `#!/usr/bin/env bash
set -e
program=$2
shift 2
version=$PYENV_VERSION
at=$PWD
while [ -z "$version" ]; do
  if [ -f "$at/.python-version" ]; then version=$(cat "$at/.python-version"); fi
  [ -n "$at" ] || break
  at=\${at%/*}
done
if [ -z "$version" ] && [ -f "$PYENV_ROOT/version" ]; then version=$(cat "$PYENV_ROOT/version"); fi
IFS=:
for one in $version system; do
  if [ "$one" = system ]; then path=$(PATH=\${PATH//$PYENV_ROOT\\/shims:/} command -v "$program"); else path=$PYENV_ROOT/versions/$one/bin/$program; fi
  if [ -x "$path" ]; then break; fi
done
export PYENV_VERSION=\${version:-system}
if [ "$one" != system ]; then PATH=\${path%/*}:$PATH; fi
exec "$path" "$@"
`

interface Shimmed {
  readonly world: World
  readonly root: string
  readonly env: NodeJS.ProcessEnv
}

/** A project with a guard, and a tree of pyenv with two versions and a shim that is the first on PATH. */
async function makeShimmed({ shim = writeShim } = {}): Promise<Shimmed> {
  const world = await makeWorld({ 'project/guard.py': GUARD })
  const root = join(world.root, 'pyenv')
  for (const folder of ['libexec', 'shims', 'versions']) mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, 'libexec/pyenv'), PYENV, { mode: 0o755 })
  writeFileSync(join(root, 'shims/python3'), shim(root), { mode: 0o755 })
  for (const version of ['one', 'two'])
    execFileSync(PYTHON, ['-m', 'venv', '--without-pip', join(root, 'versions', version)])
  return { world, root, env: makeEnvironment(join(root, 'shims')) }
}

function makeEnvironment(shims: string): NodeJS.ProcessEnv {
  const { PYENV_VERSION: _version, PYENV_ROOT: _root, ...env } = process.env
  return { ...env, PATH: `${shims}:/usr/local/bin:/usr/bin:/bin` }
}

async function open(world: World, env: NodeJS.ProcessEnv, warm: 'on' | 'off'): Promise<Engine> {
  const engine = await openOn(world, { warm, env, outputTail: 100_000, sessionId: 'shim' })
  await engine.register({ PreToolUse: [commands('python3 guard.py one')] })
  return engine
}

/** Fires once; says how the guard was started, and what it found. */
async function fire(engine: Engine): Promise<{ readonly launcher: unknown; readonly found: Record<string, unknown> }> {
  const [line] = (await engine.dispatch(bashCall)).hooks
  return { launcher: line?.launcher, found: JSON.parse(line?.stdoutTail || '{}') }
}

/** Fires where interpreters wait, and where none do. */
async function fireBothWays(world: World, env: NodeJS.ProcessEnv) {
  const [warm, cold] = [await open(world, env, 'on'), await open(world, env, 'off')]
  const both = { warm: await fire(warm), cold: await fire(cold) }
  await Promise.all([warm.close(), cold.close()])
  return both
}

/** The tree of this machine's user, where there is one with a Python 3. */
const OWN_TREE = join(homedir(), '.pyenv')
const versions = existsSync(join(OWN_TREE, 'shims/python3'))
  ? readdirSync(join(OWN_TREE, 'versions')).filter((name) => /^3\.(?:9|1\d)\./.test(name))
  : []

describe.skipIf(IMPOSSIBLE)('a hook whose interpreter is chosen by a shim of pyenv', { timeout: TIMEOUT_MS }, () => {
  it('finds in one that waits what it finds in one that is started at its event', async () => {
    const { world, env, root } = await makeShimmed()
    writeFileSync(join(root, 'version'), 'one\n')
    const { warm, cold } = await fireBothWays(world, env)
    expect([warm.launcher, cold.launcher === 'warm']).toEqual(['warm', false])
    expect(cold.found).toMatchObject({ prefix: join(root, 'versions/one'), tool: 'Bash' })
    expect(warm.found).toEqual(cold.found)
  })

  it.skipIf(versions.length === 0)('also by pyenv itself', async () => {
    const world = await makeWorld({ 'project/guard.py': GUARD })
    const env = { ...makeEnvironment(join(OWN_TREE, 'shims')), PYENV_VERSION: versions[0] }
    const { warm, cold } = await fireBothWays(world, env)
    expect(warm.launcher).toBe('warm')
    expect(cold.found).toMatchObject({ prefix: join(OWN_TREE, 'versions', versions[0] ?? '') })
    expect(warm.found).toEqual(cold.found)
  })

  it('runs in the one that is chosen when its event comes, whatever has changed the choice', async () => {
    const { world, env, root } = await makeShimmed()
    const engine = await open(world, env, 'on')
    const own = join(world.project, '.python-version')
    const changes: readonly (readonly [name: string, change: () => void, prefix: string])[] = [
      ['the system', () => {}, '/usr'],
      ['the user’s file', () => writeFileSync(join(root, 'version'), 'one\n'), join(root, 'versions/one')],
      ['a file above', () => writeFileSync(join(world.root, '.python-version'), 'two\n'), join(root, 'versions/two')],
      ['the file of the project', () => writeFileSync(own, 'one\n'), join(root, 'versions/one')],
      ['several versions', () => writeFileSync(own, 'none:two:one'), join(root, 'versions/two')],
      ['a version that goes', () => rmSync(join(root, 'versions/two/bin/python3')), join(root, 'versions/one')],
      [
        'pyenv itself',
        () => writeFileSync(join(root, 'libexec/pyenv'), `#!/bin/sh\nshift 2\nexec ${PYTHON} "$@"\n`),
        '/usr',
      ],
    ]
    for (const [name, change, prefix] of changes) {
      const before = await fire(engine) // leaves an interpreter that waits
      change()
      const { launcher, found } = await fire(engine)
      expect([before.launcher, launcher, found.prefix], name).toEqual(['warm', 'warm', prefix])
    }
    await engine.close()
  })

  it('is started at its event where a shim, a plugin or bash may choose by more than is known', async () => {
    const odd = await makeShimmed({ shim: (root) => writeShim(root).replace('exec "', 'date >/dev/null\nexec "') })
    const planted = await makeShimmed()
    mkdirSync(join(planted.root, 'pyenv.d/exec'), { recursive: true })
    writeFileSync(join(planted.root, 'pyenv.d/exec/own.bash'), 'PYENV_COMMAND_PATH=/usr/bin/python3\n')
    const read = await makeShimmed()
    const cases: readonly (readonly [Shimmed, NodeJS.ProcessEnv])[] = [
      [odd, odd.env],
      [planted, planted.env],
      [read, { ...read.env, BASH_ENV: '/dev/null' }],
    ]
    for (const [{ world }, env] of cases) {
      const engine = await open(world, env, 'on')
      const { launcher, found } = await fire(engine)
      expect([launcher === 'warm', found.tool]).toEqual([false, 'Bash'])
      await engine.close()
    }
  })
})
