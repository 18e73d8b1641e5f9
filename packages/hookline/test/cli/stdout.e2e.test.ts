import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ended, placesOf, program } from '../support/command.ts'
import { commands, makeWorld, put, type World } from '../support/project.ts'

type Sink = 'read' | 'full' | 'gone'

/** The exit code of a call whose stdout is read, is a full disk, or has no reader any more. */
function codeWith(world: World, args: readonly string[], sink: Sink, input = ''): Promise<number | null> {
  const stdout = sink === 'full' ? openSync('/dev/full', 'w') : ('pipe' as const)
  return new Promise((resolve) => {
    const words = [program, ...args, ...placesOf(world, args[0])]
    const child = spawn(process.execPath, words, { cwd: world.project, stdio: ['pipe', stdout, 'ignore'] })
    if (typeof stdout === 'number') closeSync(stdout)
    else if (sink === 'gone') child.stdout?.destroy()
    else child.stdout?.resume()
    child.stdin?.on('error', () => {}) // a command may end without reading
    child.stdin?.end(input)
    child.on('close', (code) => resolve(code))
  })
}

const FILES = {
  'project/.claude/settings.json': {
    hooks: { PreToolUse: [commands('echo no >&2; exit 2')], Stop: [commands('true')] },
  },
  'project/bad.json': { hooks: { Stopp: [] } },
  'project/good.json': { hooks: {} },
  'project/a.hooktest.yaml':
    'cases:\n  - name: passes\n    event: PreToolUse\n    expect:\n      decision: { blocked: false }\n',
}

/** Calls whose exit code is a verdict, and that verdict. */
const VERDICTS: readonly { readonly code: number; readonly call: string }[] = [
  { code: 2, call: 'fire PreToolUse --trust' },
  { code: 2, call: 'fire PreToolUse --trust --json' },
  { code: 0, call: 'fire Stop --trust' },
  { code: 1, call: 'validate bad.json' },
  { code: 0, call: 'validate good.json --json' },
  { code: 1, call: 'match bash' },
  { code: 0, call: 'match Bash' },
  { code: 1, call: 'test --trust' },
]

describe.runIf(process.platform === 'linux')('a command whose exit code is a verdict', () => {
  it.each(VERDICTS)('exits with $code on a full disk and without a reader: $call', async ({ code, call }) => {
    const world = await makeWorld(FILES)
    for (const sink of ['read', 'full', 'gone'] as const) {
      expect([sink, await codeWith(world, call.split(' '), sink)]).toEqual([sink, code])
    }
  })
})

describe.runIf(process.platform === 'linux')('an agent that asks hooks', () => {
  const CALL = JSON.stringify({ session_id: 's1', tool_name: 'run_shell_command', tool_input: { command: 'ls' } })
  const asks = 'bridge run gemini BeforeTool --trust'.split(' ')

  it('is refused when the answer cannot be written, whatever that was', async () => {
    const world = await makeWorld(FILES)
    expect(await codeWith(world, asks, 'read', CALL)).toBe(0) // the denial is what is printed
    for (const sink of ['full', 'gone'] as const) {
      expect([sink, await codeWith(world, asks, sink, CALL)]).toEqual([sink, 2])
    }
  })

  it.each([
    [['bridge', 'run', 'gemini', 'BeforeTool', '--trust'], 2],
    [['wrap', '--agent', 'gemini', '--event', 'PreToolUse', '--', 'true'], 2],
    [['wrap', '--event', 'PreToolUse', '--', 'true'], 2],
    [['tap', '--', 'true'], 2],
    [['tap', 'record'], 1], // which never blocks
  ])('is refused when an error is not caught in what guards: %j exits with %i', async (args, expected) => {
    const world = await makeWorld(FILES)
    const preload = await put(world, 'throw.cjs', "process.nextTick(() => { throw new Error('nothing catches this') })")
    const { code, stderr } = await ended(process.execPath, ['--require', preload, program, ...args], { input: CALL })
    expect([code, stderr]).toEqual([expected, expect.stringContaining('nothing catches this')])
  })
})

describe.runIf(process.platform === 'linux')('a session whose records nobody can read', () => {
  const event = `${JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: {} })}\n`

  it('ends as a failure, and runs no further event', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { PreToolUse: [commands('exit 2')] } },
    })
    expect(await codeWith(world, ['session', '--trust'], 'read', event)).toBe(0)
    for (const sink of ['full', 'gone'] as const) {
      expect([sink, await codeWith(world, ['session', '--trust'], sink, event.repeat(50))]).toEqual([sink, 1])
    }
  })
})
