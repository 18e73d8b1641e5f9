import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeWrapping } from '../../src/cli/edit/edit-wrappers.ts'
import { addWrappers, removeWrappers } from '../../src/config/wrapped-hooks.ts'
import { unwrapEntry, type Wrapper, wrapCommand } from '../../src/protocol/wrapped-command.ts'
import { program } from '../support/command.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import { makeWorld, type World } from '../support/project.ts'
import { runInShell, SHELLS, type ShellLine } from '../support/shells.ts'

const WRAPPERS: readonly Wrapper[] = ['wrap', 'tap']
const INPUT = `${JSON.stringify({
  ...{ session_id: 's', transcript_path: '/t', cwd: '/p', permission_mode: 'default', hook_event_name: 'PreToolUse' },
  ...{ tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't' },
})}\n`

/** A guard that counts its runs, says what it read, and ends with a code. */
const guard = (code: number): string => `echo run >> count; cat; exit ${code}`

/** A folder with a program called hookline, and with a Node beside it if it is to have one. */
function putProgram(world: World, text: string | Buffer | null, { withNode = true } = {}): string {
  const bin = join(world.root, `bin ${Math.random()}`)
  mkdirSync(bin)
  if (withNode) symlinkSync(process.execPath, join(bin, 'node'))
  if (text === null) symlinkSync(program, join(bin, 'hookline'))
  else writeFileSync(join(bin, 'hookline'), text, { mode: 0o755 })
  return bin
}

/** Folders with nothing but the tools that a shell text needs, so that no Node of this machine is found. */
function putTools(world: World): string {
  const tools = join(world.root, 'tools')
  mkdirSync(tools)
  for (const name of ['cat', 'env', 'sh']) symlinkSync(join('/usr/bin', name), join(tools, name))
  return tools
}

function runCounted(world: World, shell: ShellLine, text: string, PATH: string) {
  writeFileSync(join(world.project, 'count'), '')
  const env = { PATH, HOME: world.home, CLAUDECODE: '1' }
  const { code, stdout } = runInShell(shell, text, { cwd: world.project, env, input: INPUT })
  return { code, stdout, runs: readFileSync(join(world.project, 'count'), 'utf8').split('run').length - 1 }
}

describe.each(WRAPPERS)('a hook that hookline %s stands around', (by) => {
  it.each(SHELLS)('runs once, whatever its exit code, with hookline and without, in %s', async (...shell) => {
    const world = await makeWorld()
    const tools = putTools(world)
    const paths = [`${putProgram(world, null)}:${tools}`, tools]
    for (const PATH of paths)
      for (const code of [0, 1, 2, 126, 127]) {
        const text = wrapCommand({ command: guard(code), flags: [] }, by, 'path')
        expect(runCounted(world, shell as unknown as ShellLine, text, PATH)).toEqual({ code, stdout: INPUT, runs: 1 })
      }
  })

  it('runs by itself where hookline is there and cannot run it', async () => {
    const world = await makeWorld()
    const tools = putTools(world)
    const whole = readFileSync(program)
    const old = join(world.root, 'old-node')
    writeFileSync(old, '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    const copy = join(world.root, 'unbuilt/bin')
    cpSync(dirname(program), copy, { recursive: true })
    const broken: Record<string, string> = {
      'no node': putProgram(world, null, { withNode: false }),
      'an empty file': putProgram(world, ''),
      'another program that succeeds': putProgram(world, '#!/bin/sh\nexit 0\n'),
      'another program that reads and repeats': putProgram(world, '#!/bin/sh\ncat\necho "$@"\n'),
      'another program that fails': putProgram(world, '#!/bin/sh\nexit 127\n'),
      'a file that cannot be executed': putProgram(world, whole),
      'a Node that cannot start': putProgram(world, '#!/usr/bin/env old-node\n'),
      'a package without its build': putProgram(world, `#!/bin/sh\nexec node '${copy}/hookline.js' "$@"\n`),
    }
    chmodSync(join(broken['a file that cannot be executed'] ?? '', 'hookline'), 0o644)
    for (let at = 1; at < 10; at++) {
      const cut = whole.subarray(0, Math.floor((whole.length * at) / 10))
      broken[`cut off at ${cut.length}`] = putProgram(world, cut)
    }
    broken['cut off before its last line'] = putProgram(world, whole.subarray(0, whole.lastIndexOf('\n', -2) - 1))
    for (const [what, bin] of Object.entries(broken)) {
      const text = wrapCommand({ command: guard(2), flags: [] }, by, 'path')
      const PATH = `${bin}:${dirname(old)}:${tools}`
      expect([what, runCounted(world, ['/bin/sh', '-c'], text, PATH)]).toEqual([
        what,
        { code: 2, stdout: INPUT, runs: 1 },
      ])
    }
  })

  it('is known in the form of earlier versions, is written anew, and comes out as it was', () => {
    const old = `command -v hookline >/dev/null 2>&1 && exec hookline ${by} --matcher Bash -- './guard.sh'; ./guard.sh`
    expect(unwrapEntry({ command: old })).toMatchObject({ command: './guard.sh' })
    if (by === 'tap') return
    const settings = (command: string): string =>
      JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] } })
    const anew = addWrappers(settings(old), makeWrapping())
    expect(anew).toBe(addWrappers(settings('./guard.sh'), makeWrapping()))
    expect(anew).toContain('. ~/.hookline/bin/hookline')
    expect(removeWrappers(settings(old), makeWrapping())).toBe(settings('./guard.sh'))
  })
})

describe('hookline tap install --wrap all', () => {
  it('names the hooks of other files that it leaves as they are, and the flag for them', async () => {
    const hook = { type: 'command', command: './guard.sh' }
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { PreToolUse: [{ hooks: [hook] }] } } })
    const call = (...more: string[]) => hooklineInProcess(world, ['tap', 'install', '--yes', '--wrap', 'all', ...more])
    const { stdout } = await call()
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'project:PreToolUse:0:0 is not wrapped: "all" means the user settings. Run "hookline tap install --wrap all --scope project" too.',
    )
    await call('--scope', 'project')
    expect((await call()).stdout).not.toContain('not wrapped')
  })
})
