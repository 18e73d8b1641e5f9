import { describe, expect, it } from 'vitest'
import { hookline, tooWide } from '../support/command.ts'
import { ranHook, recordWith } from '../support/log-lines.ts'
import { makeWorld, put, type World } from '../support/project.ts'

const PLAIN = { NO_COLOR: '1', COLUMNS: '80', HOOKLINE_LOG: undefined }

const slow = (durationMs: number) => ranHook('project:PreToolUse:0:0', { command: './guard.sh', durationMs })
const records = [
  ...[10, 20, 30, 1500].map((durationMs) => recordWith({ event: 'PreToolUse', hooks: [slow(durationMs)] })),
  recordWith({
    at: '2026-11-16T09:30:00.000Z',
    event: 'SessionStart',
    hooks: [ranHook('user:SessionStart:0:0', { command: `echo ${'kind words '.repeat(20)}` })],
    decision: { context: ['be kind to each other'], contextFrom: [{ hook: 'user:SessionStart:0:0', kind: 'stdout' }] },
  }),
]

async function logged(): Promise<{ world: World; file: string }> {
  const world = await makeWorld()
  const lines = records.map((record) => `${JSON.stringify({ record, input: {} })}\n`)
  return { world, file: await put(world, 'hooks.jsonl', lines.join('')) }
}

describe('hookline stats', () => {
  it('shows a table of hooks within 80 columns, what took most time first', async () => {
    const { world, file } = await logged()
    const { code, stdout, stderr } = await hookline(world, ['stats', file], { env: PLAIN })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(
      [
        '  runs    matched blocked failed late    p50    p95    max  chars tokens  time',
        'project:PreToolUse:0:0  ./guard.sh',
        '     4        4/4       0      0    0  20 ms  1.5 s  1.5 s      0      0  ━━━━━━',
        'user:SessionStart:0:0  echo kind words kind words kind words kind words kind wo…',
        '     1        1/1       0      0    0 5.0 ms 5.0 ms 5.0 ms     21      6  ━·····',
        '',
        '5 events, 2 hooks',
        '',
      ].join('\n'),
    )
    expect(tooWide(stdout)).toEqual([])
  })

  it('exits 1 and names the hooks that are over the budget', async () => {
    const { world, file } = await logged()
    const over = await hookline(world, ['stats', file, '--budget', 'p50=1s,max=1s'], { env: PLAIN })
    expect(over.code).toBe(1)
    expect(over.stdout).toMatch(/\nproject:PreToolUse:0:0: max is 1\.5 s, the budget is 1\.0 s\.\n$/)
    expect(await hookline(world, ['stats', file, '--budget', 'p95=1.5s'], { env: PLAIN })).toMatchObject({ code: 0 })
  })

  it('prints one object as JSON, of what is not older than it is asked for', async () => {
    const { world, file } = await logged()
    const args = ['stats', file, '--json', '--since', '2026-11-16T00:00:00Z', '--budget', 'max=1ms']
    const { code, stdout } = await hookline(world, args, { env: PLAIN })
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      events: 1,
      hooks: [
        expect.objectContaining({ id: 'user:SessionStart:0:0', ran: 1, p95: 5, total: 5, characters: 21, tokens: 6 }),
      ],
      over: [{ hook: 'user:SessionStart:0:0', measure: 'max', most: 1, is: 5 }],
    })
  })

  it.each(['p95', 'p95=', 'p95=100', 'p99=1s', ''])('refuses the budget %j in a sentence', async (budget) => {
    const { world, file } = await logged()
    const { code, stderr } = await hookline(world, ['stats', file, `--budget=${budget}`], { env: PLAIN })
    expect(code).toBe(1)
    expect(stderr).toMatch(/--budget must look like p95=100ms,max=1s/)
  })
})
