import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isGuarding } from '../../src/bridges/answer.ts'
import type { Bridge, HostScope } from '../../src/bridges/bridge.ts'
import { withBridge, writeEdit } from '../../src/bridges/install.ts'
import {
  type HostPlace,
  isPlugin,
  isProgram,
  listEventFiles,
  readInstalledEntries,
} from '../../src/bridges/installed.ts'
import { findLauncherPath } from '../../src/bridges/launcher.ts'
import { AGENTS, findBridge } from '../../src/bridges/list.ts'
import { wrapCommand } from '../../src/protocol/wrapped-command.ts'
import { program as script } from '../support/command.ts'
import { makeWorld } from '../support/project.ts'
import { runInShell, SHELLS, type ShellLine } from '../support/shells.ts'

const WRITTEN = AGENTS.flatMap((agent) => {
  const bridge = findBridge(agent)
  const isWritten = bridge !== null && bridge.install.through === undefined && !isPlugin(bridge) // plugins: entry.test.ts
  return isWritten ? [{ agent, bridge }] : []
})

/** Shells that a user may have, started as at a login. */
const LOGIN_SHELLS: readonly ShellLine[] = ['bash', 'zsh', 'fish'].flatMap((name): ShellLine[] =>
  spawnSync(name, ['-c', 'true']).status === 0 ? [[name, '-lc']] : [],
)

const put =
  (text: string, mode = 0o755) =>
  (path: string) =>
    writeFileSync(path, text, { mode })

/** Things that may stand where hookline is looked for, none of which asks a hook. */
const BROKEN: Readonly<Record<string, (path: string) => void>> = {
  nothing: () => {},
  'an empty file': put(''),
  'a file that cannot be executed': put('#!/bin/sh\nexit 0\n', 0o644),
  'a folder': (path) => mkdirSync(path),
  'a program that says nothing': put('#!/bin/sh\nexit 0\n'),
  'a program that reads all and says nothing': put('#!/bin/sh\ncat >/dev/null\n'),
  'a program that prints its usage': put('#!/bin/sh\necho usage: hookline FISH\n'),
  'a program that answers with an empty object': put("#!/bin/sh\necho '{}'\n"),
  'a program that fails without a word': put('#!/bin/sh\nexit 1\n'),
  'a program that refuses without a word': put('#!/bin/sh\nexit 2\n'),
  'a program that is killed': put('#!/bin/sh\nkill -9 $$\n'),
  'an interpreter that is not there': put('#!/no/such/interpreter\n'),
  'a Node that is not there': put(readFileSync(script, 'utf8')),
  'a script that was cut off': (path) =>
    writeFileSync(path, `#!${process.execPath}\n${readFileSync(script, 'utf8').split('\n').slice(1, 30).join('\n')}`, {
      mode: 0o755,
    }),
}

describe.each(WRITTEN)('the guarding entries of $agent', ({ bridge }) => {
  it('refuse in words, in every shell, whatever stands in the place of hookline', async () => {
    const world = await makeWorld()
    const home = mkdtempSync(join(tmpdir(), 'hookline-home-')) // one word, as most are
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    const bin = join(home, 'bin')
    for (const scope of Object.keys(bridge.install.files) as HostScope[]) {
      const program = scope === 'user' ? findLauncherPath(home) : 'hookline'
      const place: HostPlace = { bridge, scope, project: world.project, home, env: {} }
      const style = { program, ifMissing: 'refuse', attended: false } as const
      for (const edit of await withBridge(place, style)) await writeEdit(edit, place)
      const entry = (await readInstalledEntries(place)).find(({ event }) => isGuarding(bridge, event))
      const file = listEventFiles(place).find(({ event }) => event === entry?.event)?.file
      const text = isProgram(place) ? `'${file}'` : (entry?.command ?? '')
      const path = scope === 'user' ? program : join(bin, 'hookline')
      mkdirSync(dirname(path), { recursive: true })
      for (const [kind, spoil] of Object.entries(BROKEN)) {
        spoil(path)
        for (const shell of shellsOf(bridge)) {
          const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: home }
          const { code, stdout, stderr } = runInShell(shell, text, { cwd: world.project, env })
          const isRefused = isProgram(place) ? stdout.includes('"cancel":true') : code === 2 && stderr.trim() !== ''
          const says = { scope, kind, shell: shell[0], code, stderr, isRefused }
          expect(says).toEqual({ ...says, isRefused: true })
        }
        rmSync(path, { recursive: true, force: true })
      }
    }
  })
})

/** The shells that may run an entry; the text is the same for most agents, so that one of them is tried in all. */
function shellsOf({ name, install: { shell } }: Bridge): readonly ShellLine[] {
  if (shell === 'login') return LOGIN_SHELLS
  return name === 'droid' ? SHELLS : SHELLS.slice(0, 1)
}

describe.each(['wrap', 'tap', 'both'] as const)('a hook with a wrapper (%s)', (by) => {
  const wrap = (hook: { command: string; args?: readonly string[] }): string => {
    const inner = by === 'tap' ? wrapCommand({ ...hook, flags: [] }, 'tap') : wrapCommand({ ...hook, flags: [] })
    return by === 'both' ? wrapCommand({ command: inner, flags: [] }, 'tap') : inner
  }

  it('runs once with all of its input, and ends as it does, whatever stands in the place of hookline', async () => {
    const world = await makeWorld()
    const [bin, count, got] = ['bin', 'count', 'got'].map((name) => join(world.root, name))
    if (bin === undefined || count === undefined || got === undefined) throw new TypeError('three names')
    mkdirSync(bin)
    const text = `echo x >> '${count}'; cat > '${got}'; echo no >&2; exit 2`
    const forms = [{ command: text }, { command: '/bin/sh', args: ['-c', text] }]
    const input = JSON.stringify({ tool_input: { command: 'a\n'.repeat(40_000) } })
    for (const [kind, spoil] of Object.entries(BROKEN)) {
      spoil(join(bin, 'hookline'))
      for (const form of forms)
        for (const shell of by === 'wrap' ? SHELLS : SHELLS.slice(0, 1)) {
          writeFileSync(count, '')
          const { code, stderr } = runInShell(shell, wrap(form), {
            ...{ cwd: world.project, input, env: { PATH: `${bin}:/usr/bin:/bin` } },
          })
          const says = [kind, shell[0], code, stderr.includes('no'), readFileSync(count, 'utf8')]
          expect(says).toEqual([kind, shell[0], 2, true, 'x\n'])
          expect(readFileSync(got, 'utf8') === input).toBe(true)
        }
      rmSync(join(bin, 'hookline'), { recursive: true, force: true })
    }
  })
})
