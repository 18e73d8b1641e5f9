import { describe, expect, it } from 'vitest'
import type { DispatchRecord, HookLine } from '../../src/protocol/record/record.ts'
import { tooWide } from '../support/command.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import { ranHook, recordWith } from '../support/log-lines.ts'
import { makeWorld, put, type World } from '../support/project.ts'

const PLAIN = { TZ: 'UTC', NO_COLOR: '1', COLUMNS: '80', HOOKLINE_LOG: undefined }
const WIDE = { ...PLAIN, COLUMNS: '120' }

const GUARD = 'project:PreToolUse:0:0'
const FLAKY = 'project:PreToolUse:1:0'

type RecordedPart = Parameters<typeof recordWith>[0]

/** A recorded call of Bash, or of another tool. */
function call(command: string, parts: RecordedPart & { readonly tool?: string } = {}): object {
  const { tool = 'Bash', ...rest } = parts
  const input = { hook_event_name: 'PreToolUse', cwd: '/w/lamp', tool_name: tool, tool_input: { command } }
  return { record: recordWith({ event: 'PreToolUse', ...rest }), input }
}

const denied = (reason: string): Partial<DispatchRecord['decision']> => ({ blocked: true, permission: 'deny', reason })

const failing = (line: Partial<HookLine> = {}): HookLine =>
  ranHook(FLAKY, { command: './flaky.sh', outcome: 'non_blocking_error', exitCode: 1, durationMs: 134, ...line })

const written = [
  call('rm -rf build', {
    id: 'm/e/1',
    at: '2026-11-15T19:45:50.000Z',
    sessionId: 'aa11',
    hooks: [ranHook(GUARD, { command: './guard.sh', outcome: 'blocking', exitCode: 2, durationMs: 56 })],
    decision: denied('rm -rf is not for agents here.'),
  }),
  call('npm run build', {
    id: 'm/e/2',
    at: '2026-11-15T19:46:09.000Z',
    sessionId: 'aa11',
    hooks: [ranHook(GUARD, { command: './guard.sh', durationMs: 40 }), failing()],
    decision: {
      messages: [{ to: 'user', text: 'Failed with non-blocking status code: jq: not found', hook: FLAKY }],
    },
  }),
  call('https://example.org', {
    tool: 'WebFetch',
    id: 'm/e/3',
    at: '2026-11-16T08:00:00.000Z',
    sessionId: 'bb22',
    project: { name: 'desk', pathHash: 'e2' },
    hooks: [{ ...ranHook(GUARD, { command: './guard.sh' }), verdict: 'matcher-miss', outcome: undefined }],
  }),
]

async function logged(lines: readonly object[] = written): Promise<{ world: World; file: string }> {
  const world = await makeWorld()
  return {
    world,
    file: await put(world, 'logs/hooks.jsonl', lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
  }
}

describe('hookline log on a wide terminal', () => {
  it('has one line for an event: time, outcome, call, hooks by their scripts, and why', async () => {
    const { world, file } = await logged()
    const { code, stdout } = await hooklineInProcess(world, ['log', file], { env: WIDE })
    expect(code).toBe(0)
    expect(stdout.split('\n')).toEqual([
      '2026-11-15',
      '19:45:50  denied   Bash      rm -rf build         guard.sh 56 ms             rm -rf is not for agents here.',
      '19:46:09  FAILED   Bash      npm run build        flaky.sh 134 ms, 1 silent  exit 1: jq: not found (did not block)',
      '2026-11-16',
      '08:00:00  -        WebFetch  https://example.org  no hook ran',
      '',
    ])
    expect(tooWide(stdout, 120)).toEqual([])
  })
})

describe('the flags of hookline log', () => {
  const chosen: Record<string, [args: string[], ids: string[]]> = {
    '--session, by its beginning': [
      ['--session', 'aa'],
      ['m/e/1', 'm/e/2'],
    ],
    '--session, whole': [['--session', 'bb22'], ['m/e/3']],
    '--tool, in whichever letters': [['--tool', 'webfetch'], ['m/e/3']],
    '--failed': [['--failed'], ['m/e/2']],
    '-n': [
      ['-n', '2'],
      ['m/e/2', 'm/e/3'],
    ],
    'nothing at all': [['--tool', 'Read'], []],
    '--until a day': [
      ['--until', '2026-11-15'],
      ['m/e/1', 'm/e/2'],
    ],
    '--until a moment': [['--until', '2026-11-15T19:46:00Z'], ['m/e/1']],
    '--since and --until': [['--since', '2026-11-15T19:46:00Z', '--until', '2026-11-15'], ['m/e/2']],
    '--project, by its name': [['--project', 'desk'], ['m/e/3']],
    '--text': [['--text', 'RM -rf'.toLowerCase()], ['m/e/1']],
  }

  it.each(Object.entries(chosen))('choose events: %s', async (_what, [args, ids]) => {
    const { world, file } = await logged()
    const { code, stdout, stderr } = await hooklineInProcess(world, ['log', file, '--json', ...args], { env: PLAIN })
    const shown = stdout.split('\n').filter((line) => line !== '')
    expect({ code, ids: shown.map((line) => JSON.parse(line).record.id) }).toEqual({ code: 0, ids })
    expect(stderr).toBe(ids.length === 0 ? 'No recorded event matches.\n' : '')
  })

  it('put the id of each event before it with --ids, and show takes its end', async () => {
    const { world, file } = await logged()
    const ids = await hooklineInProcess(world, ['log', file, '--ids', '-n', '1'], { env: PLAIN })
    expect(ids.stdout).toMatch(/^m\/e\/3\n2026-11-16\n08:00:00 {2}- /)
    const { stdout } = await hooklineInProcess(world, ['log', 'show', '3', file], { env: PLAIN })
    expect(stdout).toMatch(/^WebFetch {2}https:\/\/example\.org\n/)
  })
})

describe('hookline log show', () => {
  const rewritten = call('npm i', {
    id: 'm/e/4',
    hooks: [
      ranHook(GUARD, {
        command: './guard.sh',
        stdoutTail: 'looked at npm i',
        stderrTail: 'slow today',
        answer: { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'npm ci' } } },
      }),
      {
        ...ranHook(FLAKY, { command: './flaky.sh' }),
        verdict: 'matcher-miss',
        because: 'tool_name is Bash',
        outcome: undefined,
      },
    ],
    decision: {
      updatedInput: { command: 'npm ci' },
      context: ['the lock file counts'],
      contextFrom: [{ hook: GUARD, kind: 'context' }],
      messages: [{ to: 'user', text: 'rewritten', hook: GUARD }],
    },
  })

  it('shows every hook with verdict and reason, output, texts by reader, and the input before and after', async () => {
    const { world, file } = await logged([...written, rewritten])
    const { code, stdout } = await hooklineInProcess(world, ['log', 'show', '4', file], { env: PLAIN })
    expect(code).toBe(0)
    for (const part of [
      /^Bash {2}npm i\n/,
      / {4}when +2026-11-15 09:30:00, took 5\.0 ms\n/,
      / {4}place +.*hooks\.jsonl:4\n/,
      /\n {2}ran .*\n(?:.*\n)*? {4}stdout +looked at npm i\n {4}stderr +slow today\n/,
      /\n {2}matcher-miss .*\n(?:.*\n)*? {4}because +tool_name is Bash\n/,
      /Decided\n(?:.*\n)*? {4}context +the lock file counts\n/,
      /The user reads\n {4}rewritten\n/,
      /Input\n {4}\{\n {6}"hook_event_name": "PreToolUse",\n(?:.*\n)*? {6}"tool_input": \{\n {8}"command": "npm i"\n/,
      /Rewritten by hooks\n(?:.*\n)*?- {2}"command": "npm i"\n\+ {2}"command": "npm ci"\n/,
    ])
      expect(stdout).toMatch(part)
    expect(tooWide(stdout)).toEqual([])
  })

  it.each(['19:45:50', '2026-11-15 19:45:50', '2026-11-15T19:45:50.000Z', 'm/e/1', '1'])('takes %s', async (id) => {
    const { world, file } = await logged()
    const { stdout } = await hooklineInProcess(world, ['log', 'show', id, file, '--json'], { env: PLAIN })
    expect(JSON.parse(stdout).record.id).toBe('m/e/1')
  })

  it('names the events that an id may mean', async () => {
    const at = '2026-11-15T19:45:50.000Z'
    const { world, file } = await logged([...written, call('ls', { id: 'm/e/9', at })])
    const { code, stderr } = await hooklineInProcess(world, ['log', 'show', '19:45:50', file], { env: PLAIN })
    expect(code).toBe(1)
    expect(stderr).toMatch(/2 events are meant by "19:45:50"\. Name one:\n {2}m\/e\/1 .*rm -rf build\n {2}m\/e\/9 .*ls/)
  })
})

describe('hookline log --to-test', () => {
  it('writes one case for each distinct input and outcome', async () => {
    const [refused, failed] = written
    const { world, file } = await logged([refused, refused, failed, failed, refused] as object[])
    const { code, stdout, stderr } = await hooklineInProcess(world, ['log', file, '--to-test'], { env: PLAIN })
    expect(code).toBe(0)
    expect(stdout.match(/- name: .*/g)).toEqual([
      '- name: PreToolUse Bash rm -rf build',
      '- name: PreToolUse Bash npm run build',
    ])
    expect(stderr).toBe('3 more events were the same, or not kept whole.\n')
  })

  it('keeps the same input apart where its outcome differs', async () => {
    const [refused] = written
    const passed = call('rm -rf build', { id: 'm/e/8', hooks: [ranHook(GUARD, { command: './guard.sh' })] })
    const { world, file } = await logged([refused as object, passed])
    const { stdout } = await hooklineInProcess(world, ['log', file, '--to-test'], { env: PLAIN })
    expect(stdout.match(/blocked: .*/g)).toEqual(['blocked: true', 'blocked: false'])
  })
})

describe('hookline stats --by', () => {
  const tables: Record<string, string[]> = {
    day: [
      '2026-11-15      2      3       1      1  230 ms      0  134 ms flaky.sh',
      '2026-11-16      1      0       0      0  5.0 ms',
    ],
    project: [
      'lamp         2      3       1      1  230 ms      0  134 ms flaky.sh',
      'desk         1      0       0      0  5.0 ms',
    ],
    session: [
      'aa11         2      3       1      1  230 ms      0  134 ms flaky.sh',
      'bb22         1      0       0      0  5.0 ms',
    ],
  }

  it.each(Object.entries(tables))('%s adds events up by it', async (by, rows) => {
    const { world, file } = await logged()
    const { stdout } = await hooklineInProcess(world, ['stats', file, '--by', by], { env: PLAIN })
    const [header, ...lines] = stdout.split('\n')
    expect(header).toMatch(/^ +events {3}runs blocked failed {4}time tokens {2}slowest$/)
    for (const [at, row] of rows.entries()) expect(lines[at]).toMatch(new RegExp(`^${row}`))
    expect(tooWide(stdout)).toEqual([])
  })

  it('has the same numbers as JSON', async () => {
    const { world, file } = await logged()
    const { stdout } = await hooklineInProcess(world, ['stats', file, '--by', 'session', '--json'], { env: PLAIN })
    expect(JSON.parse(stdout)).toMatchObject({
      by: 'session',
      groups: [
        { name: 'aa11', events: 2, blocked: 1, failed: 1, ran: 3, slowest: { hook: './flaky.sh', durationMs: 134 } },
        { name: 'bb22', events: 1, blocked: 0, failed: 0, ran: 0 },
      ],
    })
  })

  it('ends with the hooks that never matched, that fail, and that got slower', async () => {
    const slowing = Array.from({ length: 24 }, (_, at) =>
      call(`x ${at}`, {
        hooks: [
          ranHook(GUARD, { command: './guard.sh', durationMs: at < 12 ? 10 : 80 }),
          { ...ranHook('user:PreToolUse:0:0', { command: './never.py' }), verdict: 'matcher-miss', outcome: undefined },
          ...(at < 3 ? [failing()] : []),
        ],
      }),
    )
    const { world, file } = await logged(slowing)
    const { stdout } = await hooklineInProcess(world, ['stats', file], { env: { ...PLAIN, COLUMNS: '400' } })
    const last = stdout.trimEnd().split('\n').at(-1)
    expect(last).toMatch(/^Look at: /)
    expect(last).toContain(`guard.sh (${GUARD}) got slower (p50 10 ms, now 80 ms)`)
    expect(last).toContain(`flaky.sh (${FLAKY}) failed 3 of 3 times`)
    expect(last).toContain('never.py (user:PreToolUse:0:0) never matched (24 events)')
  })
})
