import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ended, placesOf, program } from '../support/command.ts'
import { commands, makeWorld, put, type World } from '../support/project.ts'

type Sink = 'read' | 'full' | 'gone' | 'closed' | 'nowhere'

/** How a call ends whose stdout is read, is a full disk, has no reader any more, is closed, or is the null device. */
function endedWith(
  world: World,
  args: readonly string[],
  sink: Sink,
  input = '',
): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const stdout =
    sink === 'full' || sink === 'nowhere' ? openSync(`/dev/${sink === 'full' ? sink : 'null'}`, 'w') : 'pipe'
  return new Promise((resolve) => {
    const words = [process.execPath, program, ...args]
    const [file, ...rest] = sink === 'closed' ? ['/bin/sh', '-c', 'exec "$@" >&-', 'sh', ...words] : words
    const child = spawn(file as string, rest, { cwd: world.project, stdio: ['pipe', stdout, 'pipe'] }) // there are words
    let stderr = ''
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    if (typeof stdout === 'number') closeSync(stdout)
    else if (sink === 'gone') child.stdout?.destroy()
    else child.stdout?.resume()
    child.stdin?.on('error', () => {}) // a command may end without reading
    child.stdin?.end(input)
    child.on('close', (code) => resolve({ code, stderr }))
  })
}

/** The exit code of a call of a command in a world. */
async function codeWith(world: World, args: readonly string[], sink: Sink, input = ''): Promise<number | null> {
  return (await endedWith(world, [...args, ...placesOf(world, args[0])], sink, input)).code
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

describe.runIf(process.platform === 'linux')('the help of a command', () => {
  it.each(['fire', 'explain', 'list', 'bridge', 'wrap', 'tap', 'session'])(
    'ends without a word of its own where nobody reads it any more: %s',
    async (name) => {
      const world = await makeWorld(FILES)
      expect((await endedWith(world, [name, '--help'], 'gone')).stderr).toBe('')
    },
  )
})

describe.runIf(process.platform === 'linux')('an agent that asks hooks', () => {
  const CALL = JSON.stringify({ session_id: 's1', tool_name: 'run_shell_command', tool_input: { command: 'ls' } })
  const asks = 'bridge run gemini BeforeTool --trust'.split(' ')

  it('is refused when the answer cannot be written, whatever that was, and told why', async () => {
    const world = await makeWorld(FILES)
    const [wraps] = [['wrap', '--agent', 'gemini', '--event', 'PreToolUse', '--', 'echo no >&2; exit 2']]
    for (const call of [[...asks, ...placesOf(world)], wraps ?? []]) {
      expect((await endedWith(world, call, 'read', CALL)).code).toBe(0) // the denial is what is printed
      for (const sink of ['full', 'gone', 'closed', 'nowhere'] as const) {
        const ended = await endedWith(world, call, sink, CALL)
        expect([sink, ended]).toEqual([sink, { code: 2, stderr: expect.stringContaining('This call is refused') }])
      }
    }
  })

  it('is refused also where hooks have nothing to say, and nobody could hear it', async () => {
    const world = await makeWorld()
    const call = JSON.stringify({ ...JSON.parse(CALL), tool_name: 'Bash', tool_use_id: 'c1', cwd: world.project })
    const words = ['bridge', 'run', 'codex', 'PreToolUse', ...placesOf(world)]
    expect((await endedWith(world, words, 'read', call)).code).toBe(0)
    for (const sink of ['closed', 'nowhere'] as const)
      expect([sink, await endedWith(world, words, sink, call)]).toEqual([
        sink,
        { code: 2, stderr: expect.stringContaining('This call is refused') },
      ])
  })

  it('is refused what a guard asks about where nobody could hear the question', async () => {
    const world = await makeWorld()
    const call = JSON.stringify({
      ...{ hook_event_name: 'PreToolUse', session_id: 's1', cwd: world.project, permission_mode: 'default' },
      ...{ tool_name: 'Bash', tool_input: { command: 'rm -rf ~' } },
    })
    const words = ['guard', '--agent', 'claude-code', '--home', world.home]
    expect((await endedWith(world, words, 'read', call)).code).toBe(0) // the denial is what is printed
    for (const sink of ['full', 'gone', 'closed', 'nowhere'] as const)
      expect([sink, (await endedWith(world, words, sink, call)).code]).toEqual([sink, 2])
  })

  it('is refused nothing but a call for that', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { Stop: [commands('echo more >&2; exit 2')] } },
    })
    const stop = JSON.stringify({ session_id: 's1', hook_event_name: 'AfterAgent', prompt: 'p', prompt_response: 'r' })
    const call = ['bridge', 'run', 'gemini', 'AfterAgent', '--trust', ...placesOf(world)]
    for (const sink of ['full', 'gone', 'closed', 'nowhere'] as const) {
      const ended = await endedWith(world, call, sink, stop)
      expect([sink, ended]).toEqual([sink, { code: 0, stderr: expect.stringContaining('What hooks said is lost') }])
    }
    for (const wrong of [
      ['--limt', '3'],
      ['--project', '/no/such/folder', 'more', 'words'],
    ])
      expect((await endedWith(world, [...call.slice(0, 4), ...wrong], 'read', stop)).code).toBe(0)
    expect((await endedWith(world, ['bridge', 'run', 'gemini', 'BeforeTool', '--limt', '3'], 'read', CALL)).code).toBe(
      2,
    )
  })

  it.each([
    [['bridge', 'run', 'codex', 'PreToolUse'], 2],
    [['bridge', 'run', 'qwen', 'PermissionRequest'], 2],
    [['bridge', 'run', 'codex', 'Stop'], 0],
    [['bridge', 'run', 'no-such-agent', 'Stop'], 2],
    [['fire', 'Stop'], 1],
  ])('is told of a Node that is too old, and refused a call alone: %j exits with %i', async (args, expected) => {
    const world = await makeWorld()
    const old = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.0.0' } })"
    const words = ['--require', await put(world, 'old.cjs', old), program, ...args]
    const { code, stderr } = await ended(process.execPath, words)
    expect([code, stderr]).toEqual([expected, expect.stringContaining('needs Node 20.19 or newer')])
  })

  it('is refused when it never reads an answer that is longer than a pipe holds', { timeout: 60_000 }, async () => {
    const changed = { hookEventName: 'PreToolUse', updatedInput: { command: `echo ${'x'.repeat(600_000)}` } }
    const world = await makeWorld({
      'project/answer.json': { hookSpecificOutput: changed },
      'project/.claude/settings.json': { hooks: { PreToolUse: [commands('cat answer.json')] } },
    })
    const words = [program, 'bridge', 'run', 'codex', 'PreToolUse', '--trust', ...placesOf(world)]
    const child = spawn(process.execPath, words, { cwd: world.project, stdio: ['pipe', 'pipe', 'ignore'] })
    child.stdin.end(JSON.stringify({ ...JSON.parse(CALL), tool_name: 'Bash', tool_use_id: 'c1', cwd: world.project }))
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(2)
    child.stdout.destroy()
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
