import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { wrapCommand } from '../../src/protocol/wrapped-command.ts'
import { ended, program } from '../support/command.ts'
import { processesWith, until } from '../support/processes.ts'
import { commands } from '../support/project.ts'
import { REVEALING_COMMANDS } from '../support/revealing-commands.ts'
import {
  type CallEnd,
  type CallOptions,
  call,
  expectWays,
  makeServedHome,
  readFigures,
  type ServedHome,
  startCall,
} from './resident.ts'

const payload = (command: string, more: object = {}): string =>
  `${JSON.stringify({
    ...{ session_id: 's', transcript_path: '/t.jsonl', cwd: '/p', permission_mode: 'default' },
    ...{ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command }, tool_use_id: 'toolu_1', ...more },
  })}\n`

/** Guard in Node that counts its runs, writes down all that it sees, and refuses what says "rm". */
const GUARD = `import { appendFileSync, writeFileSync } from 'node:fs'
let text = ''
process.stdin.setEncoding('utf8')
for await (const chunk of process.stdin) text += chunk
const { CLAUDE_PID, ...env } = process.env
const seen = { text, env, argv: process.argv, execArgv: process.execArgv, cwd: process.cwd(), umask: process.umask() }
writeFileSync(process.env.HOME + '/seen.json', JSON.stringify(seen))
appendFileSync(process.env.HOME + '/runs', 'run\\n')
if (text.includes('sleep')) await new Promise((resolve) => setTimeout(resolve, 60_000))
if (text.includes('background')) {
  console.log(JSON.stringify({ async: true }))
  while (!(await import('node:fs')).existsSync(process.env.HOME + '/go')) await new Promise((r) => setTimeout(r, 20))
  console.log('later')
}
if (text.includes('rm ')) {
  console.error('no: ' + text)
  process.exitCode = 2
} else process.stdout.write('seen, without a newline')
`

interface WrappedHome extends ServedHome {
  readonly bare: string
  readonly entry: string
}

/** A home whose one guard is wrapped, as Claude Code starts it. */
async function makeWrappedHome({
  by = 'wrap' as 'wrap' | 'tap',
  runs = null as string | null,
} = {}): Promise<WrappedHome> {
  const flags = by === 'wrap' ? ['--event', 'PreToolUse'] : ['--as', 'user:PreToolUse:0:0']
  const served = await makeServedHome(({ home }) => {
    writeFileSync(join(home, 'guard.mjs'), GUARD)
    return { PreToolUse: [commands(wrapCommand({ command: runs ?? `node ${home}/guard.mjs`, flags }, by))] }
  })
  const bare = runs ?? `node ${served.home}/guard.mjs`
  return { ...served, bare, entry: wrapCommand({ command: bare, flags }, by) }
}

/** Options of a call that Claude Code makes. */
const asClaude = ({ project }: ServedHome, text: string, more: CallOptions = {}): CallOptions => ({
  ...more,
  line: [...(more.through ?? []), '/bin/sh', '-c', text],
  env: { CLAUDECODE: '1', CLAUDE_PROJECT_DIR: project, ...more.env },
})

const seenBy = ({ home }: ServedHome): unknown => JSON.parse(readFileSync(join(home, 'seen.json'), 'utf8'))
const runs = ({ home }: ServedHome): number =>
  existsSync(join(home, 'runs')) ? readFileSync(join(home, 'runs'), 'utf8').trim().split('\n').length : 0

/** Calls the guard until an interpreter was there for it, and waits for that of the next call. */
async function warmUp(wrapped: WrappedHome): Promise<void> {
  let before: readonly number[] = []
  const callOnce = (): number => {
    before = listInterpreters(wrapped)
    call(wrapped, payload('ls'), asClaude(wrapped, wrapped.entry))
    return before.length === 0 ? 0 : (readFigures(wrapped)?.served ?? 0)
  }
  await expect.poll(callOnce, { timeout: 30_000, interval: 500 }).toBeGreaterThan(0)
  await until('another waits', () => listInterpreters(wrapped).some((pid) => !before.includes(pid)))
}

/** Processes that run the guard, or wait to. */
const listInterpreters = ({ home }: ServedHome): number[] =>
  processesWith(`HOME=${home}`).filter((pid) => {
    try {
      return /^\S*node\0\S*guard\.mjs\0$/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
    } catch {
      return false // it has ended
    }
  })

describe('a wrapped Node hook under Claude Code', () => {
  it('is handed over whatever a clock of the client before it says in its slot', async () => {
    const wrapped = await makeWrappedHome({ runs: 'cat' })
    const { slots } = wrapped.place
    for (const name of readdirSync(slots)) writeFileSync(join(slots, name, 'wire'), 'late 1\n', { flag: 'r+' })
    expect(call(wrapped, payload('ls'), asClaude(wrapped, wrapped.entry)).stdout).toBe(payload('ls'))
    await expectWays(wrapped, { alone: 1 })
  })

  it('sees and says the same from an interpreter that waits as by itself', async () => {
    const wrapped = await makeWrappedHome()
    await warmUp(wrapped)
    const { served = 0 } = readFigures(wrapped) ?? {}
    const odd = { ODD: 'a b\nc "\'$', EMPTY: '', PWD: '/nowhere' }
    const cases: readonly (readonly [string, CallOptions])[] = [
      [payload('ls'), {}],
      [payload('rm x'), {}],
      [payload(`rm ${'y'.repeat(100_000)}`), {}],
      [payload('ls', { pad: 'ü\u200b'.repeat(200_000) }), {}],
      [payload('ls'), { env: odd }],
    ]
    for (const [input, options] of cases) {
      const bare = call(wrapped, input, asClaude(wrapped, wrapped.bare, options))
      const expected = seenBy(wrapped)
      const before = readFigures(wrapped)?.served ?? 0
      let answer: CallEnd | undefined
      await expect
        .poll(
          () => {
            rmSync(join(wrapped.home, 'seen.json'))
            answer = call(wrapped, input, asClaude(wrapped, wrapped.entry, options))
            expect(answer).toEqual(bare)
            expect(seenBy(wrapped)).toEqual(expected)
            return readFigures(wrapped)?.served ?? 0
          },
          { timeout: 30_000, interval: 200 }, // another environment needs another interpreter
        )
        .toBeGreaterThan(before)
    }
    expect(readFigures(wrapped)?.served).toBeGreaterThanOrEqual(served + cases.length)
  })

  it('ends with the call when Claude Code gives up', async () => {
    const wrapped = await makeWrappedHome()
    await warmUp(wrapped)
    const before = runs(wrapped)
    const killed = spawnSync('timeout', ['-s', 'KILL', '3', '/bin/sh', '-c', wrapped.entry], {
      input: payload('sleep'),
      cwd: wrapped.project,
      env: { PATH: process.env.PATH, HOME: wrapped.home, ...asClaude(wrapped, '').env },
    })
    expect(killed.status ?? killed.signal).not.toBe(0)
    expect(runs(wrapped)).toBe(before + 1)
    await until('the hook has ended', () => readFigures(wrapped)?.running === 0)
  })

  it('reaches Claude Code at once when it goes to the background', async () => {
    const wrapped = await makeWrappedHome()
    await warmUp(wrapped)
    const before = readFigures(wrapped)?.served ?? 0
    let early = ''
    const ended = startCall(wrapped, payload('background'), {
      ...asClaude(wrapped, wrapped.entry),
      heard: (text) => {
        early += text
        if (early.includes('"async":true')) writeFileSync(join(wrapped.home, 'go'), '')
      },
    })
    expect((await ended).stdout).toBe('{"async":true}\nlater\nseen, without a newline')
    await expect.poll(() => readFigures(wrapped)?.served, { timeout: 30_000 }).toBe(before + 1)
  })

  it('is refused, and runs once, where the resident dies with it', async () => {
    const wrapped = await makeWrappedHome()
    await warmUp(wrapped)
    const before = runs(wrapped)
    const answer = startCall(wrapped, payload('sleep'), asClaude(wrapped, wrapped.entry))
    await until('the hook runs', () => runs(wrapped) === before + 1)
    const pid = readFigures(wrapped)?.pid ?? 0
    process.kill(pid, 'SIGKILL')
    expect(await answer).toMatchObject({ code: 2, stderr: expect.stringContaining('ended without an answer') })
    expect(runs(wrapped)).toBe(before + 1)
  })
})

describe('a wrapped hook runs by itself', () => {
  it('where nothing can be gained', async () => {
    const wrapped = await makeWrappedHome({ runs: 'cat >&2; echo "$#$0" >&2; exit 2' })
    const bare = call(wrapped, payload('ls'), asClaude(wrapped, wrapped.bare))
    expect(call(wrapped, payload('ls'), asClaude(wrapped, wrapped.entry))).toEqual(bare)
    await expectWays(wrapped, { alone: 1 })
  })

  it('where no settings file has it', async () => {
    const wrapped = await makeWrappedHome()
    const other = wrapCommand({ command: `node ${wrapped.home}/guard.mjs other`, flags: ['--event', 'PreToolUse'] })
    expect(call(wrapped, payload('rm x'), asClaude(wrapped, other))).toMatchObject({ code: 2 })
    await expectWays(wrapped, { declined: 1 })
  })

  it('where the launcher is missing, empty, or cut off anywhere; it never lets through what it refuses', async () => {
    const wrapped = await makeWrappedHome({ runs: 'cat >/dev/null; echo run >> ~/runs; echo no >&2; exit 2' })
    const text = readFileSync(wrapped.launcher, 'utf8')
    const lines = [...text.matchAll(/\n/g)].map(({ index }) => index)
    const places = [0, 1, 5, ...lines, ...lines.map((at) => at + 1), ...lines.map((at) => at - 3)]
    const env = { HOOKLINE_RESIDENT: 'off' }
    for (const at of new Set(places)) {
      if (at < 0 || at >= text.trimEnd().length) continue
      writeFileSync(wrapped.launcher, text.slice(0, at))
      const before = runs(wrapped)
      const { code, stderr } = call(wrapped, payload('ls'), asClaude(wrapped, wrapped.entry, { env }))
      expect([code, runs(wrapped) - before <= 1, stderr !== ''], `cut at ${at}`).toEqual([2, true, true])
    }
    rmSync(wrapped.launcher)
    expect(call(wrapped, payload('ls'), asClaude(wrapped, wrapped.entry))).toMatchObject({ code: 2, stderr: 'no\n' })
  })

  it.each([
    ['the program is gone', (text: string) => text.replace(/^hookline_script=.*$/m, "hookline_script='/nowhere'")],
    [
      'the program is cut off',
      (text: string, cut: string) => text.replace(/^hookline_script=.*$/m, `hookline_script='${cut}'`),
    ],
  ])('where %s', async (_, spoil) => {
    const wrapped = await makeWrappedHome()
    const cut = join(wrapped.home, 'cut.js')
    writeFileSync(cut, 'const fs = require("node:fs")\nfunction run() {\n')
    const text = readFileSync(wrapped.launcher, 'utf8')
    writeFileSync(wrapped.launcher, spoil(text, cut))
    const env = { HOOKLINE_RESIDENT: 'off' }
    const end = call(wrapped, payload('rm x'), asClaude(wrapped, wrapped.entry, { env }))
    expect([end.code, runs(wrapped)]).toEqual([2, 1])
  })
})

describe('a command that a resident leaves to its shell', () => {
  const COMMANDS = REVEALING_COMMANDS.filter((command) => !command.includes('/dev/zero')) // more than a call here reads
  it.each(['wrap', 'tap'] as const)('is the command itself, whatever it does, in an entry of %s', async (by) => {
    const flags = by === 'wrap' ? ['--event', 'PreToolUse'] : ['--as', 'user:PreToolUse:0:0']
    const entries = COMMANDS.map((command) => wrapCommand({ command, flags }, by))
    const served = await makeServedHome({ PreToolUse: [commands(...entries)] })
    for (const [at, command] of COMMANDS.entries()) {
      const [bare, wrapped] = [command, entries[at] ?? ''].map((text) =>
        call(served, payload('ls'), asClaude(served, text)),
      )
      expect({ command, ...wrapped }).toEqual({ command, ...bare })
    }
    const count = COMMANDS.length
    await expectWays(served, by === 'wrap' ? { alone: count } : { declined: count })
  })
})

describe('a wrapped hook in another agent', () => {
  it.each([
    ['sh', ['/bin/sh', '-c']],
    ['bash as Copilot starts it', ['/bin/bash', '--norc', '--noprofile', '-c']],
  ])('answers as the cold way does, through %s', async (_, shell) => {
    const wrapped = await makeWrappedHome()
    const event = (session: string): string =>
      JSON.stringify({
        ...{ hook_event_name: 'PreToolUse', session_id: session, timestamp: '2026-11-16T03:15:01.889Z' },
        ...{ tool_name: 'Bash', tool_input: { command: 'rm x', description: 'x' } },
      })
    const line = [...shell, wrapped.entry]
    const cold = call(wrapped, event('a'), { line, env: { COPILOT_CLI: '1', HOOKLINE_RESIDENT: 'off' } })
    const warm = call(wrapped, event('a'), { line, env: { COPILOT_CLI: '1' } })
    const known = ({ stdout, ...rest }: CallEnd) => ({ ...rest, stdout: stdout.replace(/tool_use_id\W+[\w-]+/, '') }) // made for each call
    expect(known(warm)).toEqual(known(cold))
    expect(warm.stdout).toContain('deny')
    await expectWays(wrapped, { served: 1 })
  })
})

describe('a tapped hook', () => {
  const lines = ({ home }: ServedHome): Record<string, unknown>[] =>
    readFileSync(join(home, '.hookline/tap/hooks.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))

  it('says the same, and the same of it is recorded, by either way', async () => {
    const wrapped = await makeWrappedHome({ by: 'tap' })
    const env = { HOOKLINE_RESIDENT: 'off' }
    const cold = call(wrapped, payload('rm x'), asClaude(wrapped, wrapped.entry, { env }))
    await warmUp(wrapped)
    const before = readFigures(wrapped)?.served ?? 0
    await expect
      .poll(
        () => {
          expect(call(wrapped, payload('rm x'), asClaude(wrapped, wrapped.entry))).toEqual(cold)
          return readFigures(wrapped)?.served ?? 0
        },
        { timeout: 30_000, interval: 200 },
      )
      .toBeGreaterThan(before)
    const shape = (line: unknown): unknown =>
      JSON.parse(JSON.stringify(line), (key, value) => (/^(?:at|time|durationMs|id|sequence)$/.test(key) ? 0 : value))
    const all = lines(wrapped)
    expect(shape(all.at(-1))).toEqual(shape(all[0]))
  })

  it('is recorded by the resident, and nothing is said', async () => {
    const served = await makeServedHome({})
    const line = ['/bin/sh', '-c', '~/.hookline/bin/hookline tap record >/dev/null 2>&1 || true']
    expect(call(served, payload('ls'), { line, env: { CLAUDECODE: '1' } })).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(lines(served)).toHaveLength(1)
    await expectWays(served, { served: 1 })
  })
})

describe('entries that were written before there was a resident', () => {
  it('go on working, and bridge status says how to renew them', async () => {
    const served = await makeServedHome(({ home }) => {
      const command = wrapCommand(
        { command: `node ${home}/guard.mjs`, flags: ['--event', 'PreToolUse'] },
        'wrap',
        'path',
      )
      writeFileSync(join(home, 'guard.mjs'), GUARD)
      return { PreToolUse: [commands(command)] }
    })
    const env = { PATH: process.env.PATH, HOME: served.home, HOOKLINE_RESIDENT: '' }
    const ask = (...words: string[]) => ended(process.execPath, [program, ...words], { env })
    const file = join(served.home, '.claude/settings.json')
    const read = (): string => JSON.parse(readFileSync(file, 'utf8')).hooks.PreToolUse[0].hooks[0].command
    expect(call(served, payload('rm x'), asClaude(served, read()))).toMatchObject({ code: 2 })
    const advice = /run\s+"hookline\s+wrap\s+install\s+--scope\s+user"\s+again/
    expect((await ask('bridge', 'status')).stdout).toMatch(advice)
    expect((await ask('wrap', 'install', '--scope', 'user', '--yes')).code).toBe(0)
    expect(read()).toContain('.hookline/bin/hookline')
    expect((await ask('bridge', 'status')).stdout).not.toMatch(advice)
    expect((await ask('wrap', 'install', '--scope', 'user', '--yes', '--no-resident')).code).toBe(0)
    expect(read()).toContain('hookline wrap --ready')
  })

  it('name a launcher that never asks the resident, where that is wanted', async () => {
    const served = await makeServedHome({ PreToolUse: [commands('cat >/dev/null; echo no >&2; exit 2')] })
    const env = { PATH: process.env.PATH, HOME: served.home, HOOKLINE_RESIDENT: '' }
    const ask = (...words: string[]) => ended(process.execPath, [program, ...words], { env })
    expect((await ask('bridge', 'install', 'codex', '--yes', '--no-resident')).code).toBe(0)
    const cold = `${served.launcher}-cold`
    expect(readFileSync(join(served.home, '.codex/hooks.json'), 'utf8')).toContain(
      `${cold} bridge run codex PreToolUse`,
    )
    expect((await ask('bridge', 'status', 'codex')).stdout).toMatch(/resident +serving: process \d+ has answered 0/)
    const { served: before = 0 } = readFigures(served) ?? {}
    const answer = call(served, payload('ls'), { line: [cold, 'bridge', 'run', 'codex', 'PreToolUse'] })
    expect(answer.stdout).toContain('"deny"')
    expect(readFigures(served)?.served ?? 0).toBe(before)
    expect((await ask('doctor')).stdout).toMatch(/resident +serving/)
  })
})
