import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { recordSchema } from '../../src/protocol/schemas/record.ts'
import { hookline, inTerminal, placesOf, program, tooWide } from '../support/command.ts'
import { logOf, ranHook, recordWith } from '../support/log-lines.ts'
import { commands, makeWorld, put, type World } from '../support/project.ts'

const UTC = { TZ: 'UTC', NO_COLOR: '1', COLUMNS: '80', HOOKLINE_LOG: undefined }

const guard = {
  hooks: {
    PreToolUse: [{ matcher: 'Bash', ...commands('echo no rm here >&2; exit 2') }, commands('true')],
    SessionStart: [commands('echo be kind')],
  },
}

/** Lines as they would be written: a refusal, a slow one, and one that nobody listened to. */
const written = [
  {
    record: recordWith({
      event: 'PreToolUse',
      hooks: [
        ranHook('project:PreToolUse:0:0', { outcome: 'blocking', command: './guard.sh' }),
        ranHook('user:PreToolUse:0:0'),
      ],
      decision: { blocked: true, permission: 'deny', reason: 'no rm here' },
    }),
    input: { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'rm -rf build' } },
  },
  {
    record: recordWith({
      at: '2026-11-15T23:59:59.000Z',
      hooks: [ranHook('user:Stop:0:0', { durationMs: 61_000, timedOut: true, outcome: 'cancelled' })],
    }),
    input: { hook_event_name: 'Stop' },
  },
  {
    record: recordWith({ at: '2026-11-16T00:00:01.000Z', event: 'Notification' }),
    input: { hook_event_name: 'Notification', notification_type: 'idle_prompt' },
  },
]
const text = written.map((line) => `${JSON.stringify(line)}\n`).join('')

async function logged(content = text): Promise<{ world: World; file: string }> {
  const world = await makeWorld()
  return { world, file: await put(world, 'logs/hooks.jsonl', content) }
}

describe('hookline log', () => {
  it('names the agent that an event came from, and shows those of one alone', async () => {
    const host = { agent: 'codex', event: 'PreToolUse' }
    const lines = [...written, { ...written[0], input: { ...written[0]?.input, host } }]
    const { world, file } = await logged(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const all = await hookline(world, ['log', file], { env: UTC })
    expect(all.stdout.match(/denied.*/g)).toEqual([
      expect.not.stringContaining('agent:'),
      expect.stringContaining('agent: codex, '),
    ])
    const one = await hookline(world, ['log', file, '--agent', 'codex', '--json'], { env: UTC })
    expect(one.stdout.trim().split('\n')).toHaveLength(1)
    expect(JSON.parse(one.stdout)).toMatchObject({ input: { host } })
    expect(await hookline(world, ['log', file, '--agent', 'gemini'], { env: UTC })).toMatchObject({ stdout: '' })
  })

  it('shows what hookline fire recorded, and the schema accepts it', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': guard })
    const env = { ...UTC, HOOKLINE_LOG: join(world.root, 'logs', 'hooks.jsonl') }
    await hookline(world, ['fire', 'PreToolUse', 'tool_input.command=DB_PASSWORD=hunter2 rm x', '--trust'], { env })
    await hookline(world, ['fire', 'SessionStart', '--trust'], { env })
    const { code, stdout, stderr } = await hookline(world, ['log'], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      /^\d{4}-\d\d-\d\d\n\d\d:\d\d:\d\d {2}denied {3}Bash +DB_PASSWORD=\[redacte.* {2}echo no rm here… .*\n {10}no rm here.*\n.* passed {3}SessionStart +startup +echo be kind [\d.]+ m?s\n$/,
    )
    const json = await hookline(world, ['log', '--json'], { env })
    const lines = json.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toHaveLength(2)
    for (const { record } of lines) expect(recordSchema.safeParse(record)).toMatchObject({ success: true })
    expect(json.stdout).not.toContain('hunter2')
    expect(await hookline(world, ['stats', '--json'], { env })).toMatchObject({ code: 0, stderr: '' })
  })

  it('shows one line for each event, within 80 columns, under the day it happened on', async () => {
    const { world, file } = await logged()
    const { stdout } = await hookline(world, ['log', file], { env: UTC })
    expect(stdout).toBe(
      [
        '2026-11-15',
        '09:30:00  denied   Bash          rm -rf build  guard.sh 5.0 ms, 1 sile…',
        '          no rm here',
        '23:59:59  FAILED   Stop                        hook.sh timed out 61.0 s',
        '          timed out (did not block)',
        '2026-11-16',
        '00:00:01  -        Notification                no hook ran',
        '',
      ].join('\n'),
    )
    expect(tooWide(stdout)).toEqual([])
  })

  const chosen: Record<string, [args: string[], events: string[]]> = {
    'an event': [['--event', 'Stop'], ['Stop']],
    'several events': [
      ['--event', 'Stop', '--event', 'Notification'],
      ['Stop', 'Notification'],
    ],
    'a hook by its id': [['--hook', 'user:Stop:0:0'], ['Stop']],
    'a hook by a part of its command': [['--hook', 'guard'], ['PreToolUse']],
    'what was refused': [['--blocked'], ['PreToolUse']],
    'what was slow': [['--slow', '6'], ['Stop']],
    'what was slow, in seconds': [['--slow', '2m'], []],
    'what is newer than a moment': [
      ['--since', '2026-11-15T12:00:00Z'],
      ['Stop', 'Notification'],
    ],
    'what is newer than a day': [['--since', '2026-11-16'], ['Notification']],
    'all of it together': [['--since', '2026-11-15', '--slow', '5', '--blocked'], ['PreToolUse']],
  }

  it.each(Object.entries(chosen))('chooses %s', async (_what, [args, events]) => {
    const { world, file } = await logged()
    const { code, stdout } = await hookline(world, ['log', file, '--json', ...args], { env: UTC })
    const lines = stdout.split('\n').filter((line) => line !== '')
    expect({ code, events: lines.map((line) => JSON.parse(line).record.event) }).toEqual({ code: 0, events })
  })

  it('counts on stderr what it cannot read', async () => {
    const { world, file } = await logged(`{"record":{"ver\n{"type":"user"}\n${text}`)
    const { code, stdout, stderr } = await hookline(world, ['log', file], { env: UTC })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '2 lines are not records and were skipped.\n' })
    expect(stdout.split('\n')).toHaveLength(8)
  })

  it('shows no escape sequence of a stranger', async () => {
    const reason = 'red \u001b[31m and \u001b]0;title\u0007 more'
    const record = recordWith({ hooks: [ranHook('a')], decision: { blocked: true, reason } })
    const { world, file } = await logged(`${JSON.stringify({ record, input: {} })}\n`)
    const { stdout } = await hookline(world, ['log', file], { env: UTC })
    expect(stdout).toContain('red \\u{1b}[31m and')
    expect(stdout).not.toContain('\u001b')
  })

  it('finds the logs of this home when nobody names one', async () => {
    const { world } = await logged()
    await put(world, 'home/.hookline/projects/-x/s1/hooks.jsonl', text)
    const { stdout } = await hookline(world, ['log', '--blocked'], { env: UTC })
    expect(stdout).toContain('denied   Bash')
  })

  const mistakes: Record<string, [args: string[], said: RegExp]> = {
    'no log at all': [
      [],
      /hookline log: there is no log in .*\.hookline \(a file called hooks\.jsonl\)\. Name a file, or set HOOKLINE_LOG=FILE/,
    ],
    'a file that is not there': [['gone.jsonl'], /hookline log: There is no log gone\.jsonl\./],
    'an unknown event': [['--event', 'Stopp'], /"Stopp" is not an event\. Did you mean "Stop"\?/],
    'a time that is none': [['--since', 'soon'], /--since must be a length of time such as 2h or a date/],
    'a length that is none': [['--slow', 'very'], /--slow must be a number of milliseconds, not "very"/],
    'two files to follow': [['a', 'b', '--follow'], /--follow takes one FILE/],
  }

  it.each(Object.entries(mistakes))('answers %s in a sentence, with exit code 1', async (_what, [args, said]) => {
    const { code, stdout, stderr } = await hookline(await makeWorld(), ['log', ...args], { env: UTC })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(said)
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  it('follows what is written, through a rotation, until somebody interrupts', async () => {
    const { world, file } = await logged(logOf('1'))
    const child = spawn(process.execPath, [program, 'log', file, '--follow', '--json', ...placesOf(world, 'log')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 60_000,
    })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const next = async (): Promise<string> => JSON.parse((await lines.next()).value).record.sessionId
    expect(await next()).toBe('1')
    await appendFile(file, logOf('2'))
    expect(await next()).toBe('2')
    await rename(file, `${file}.1`)
    await appendFile(`${file}.1`, logOf('3'))
    await writeFile(file, logOf('4'))
    expect([await next(), await next()]).toEqual(['3', '4'])
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    expect(await ended).toEqual([0, null])
  })

  it('has whole lines from processes that write at the same time', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': guard })
    const file = join(world.root, 'hooks.jsonl')
    const events = `${JSON.stringify({ hook_event_name: 'Stop', stop_hook_active: false, filler: 'x'.repeat(9000) })}\n`
    const env = { ...UTC, HOOKLINE_LOG: file }
    await Promise.all(
      [1, 2, 3, 4].map(() => hookline(world, ['session', '--trust'], { env, input: events.repeat(50) })),
    )
    // One that looked while another was writing starts on a line of its own, so there may be empty ones.
    expect((await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')).toHaveLength(200)
    const { stdout, stderr } = await hookline(world, ['stats', file, '--json'], { env })
    expect({ events: JSON.parse(stdout).events, stderr }).toEqual({ events: 200, stderr: '' })
  })

  it('is shown by the pager of the user in a terminal, and not without one or with --no-pager', async () => {
    const { world, file } = await logged()
    const env = { ...UTC, PAGER: "sed 's/^/paged: /'", TERM: 'xterm' }
    const paged = await inTerminal(world, ['log', file, '-n', '1'], '', env)
    expect(paged.stdout.replaceAll('\r', '')).toMatch(/^paged: 2026-11-16\npaged: 00:00:01 {2}- +Notification/)
    const shown = await inTerminal(world, ['log', 'show', 'last', file], '', env)
    expect(shown.stdout).toMatch(/^paged: Notification/)
    for (const [more, variables] of [
      [['--no-pager'], env],
      [[], { ...env, PAGER: 'cat' }],
      [[], { ...env, PAGER: '' }],
      [[], { ...env, TERM: 'dumb' }],
    ] as const) {
      const { stdout } = await inTerminal(world, ['log', file, '-n', '1', ...more], '', variables)
      expect(stdout).toMatch(/^2026-11-16/)
    }
    const piped = await hookline(world, ['log', file, '-n', '1'], { env })
    expect(piped.stdout).toMatch(/^2026-11-16/)
  })

  it('is printed where the pager cannot be started, and ends with a pager that leaves early', async () => {
    const { world, file } = await logged(logOf('1').repeat(3000))
    const none = await inTerminal(world, ['log', file, '-n', '1'], '', {
      ...UTC,
      TERM: 'xterm',
      PATH: `${dirname(process.execPath)}:/no`,
      PAGER: undefined,
    })
    expect(none.stdout).toContain('09:30:00')
    const left = await inTerminal(world, ['log', file], '', { ...UTC, TERM: 'xterm', PAGER: 'head -n 2' })
    expect(left.code).toBe(0)
    expect(left.stdout.trimEnd().split('\n')).toHaveLength(2)
  })
})
