import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type HookStatistics, readStatistics } from '../../src/log/statistics.ts'
import type { DispatchRecord, HookLine } from '../../src/protocol/record/record.ts'
import { ranHook, recordWith } from '../support/log-lines.ts'
import { storeOf } from '../support/memory-store.ts'

async function statisticsFrom(records: readonly DispatchRecord[]): Promise<readonly HookStatistics[]> {
  return (await readStatistics(storeOf(records))).hooks
}

const of = (...hooks: HookLine[]): DispatchRecord => recordWith({ hooks })
const missed: HookLine = {
  id: 'a',
  verdict: 'matcher-miss',
  scope: 'project',
  file: null,
  line: null,
  matcher: 'X',
  type: 'command',
  command: './hook.sh',
  warnings: [],
}

describe('statistics', () => {
  it('count what became of each hook, every run as one thing', async () => {
    const [hook] = await statisticsFrom([
      of(ranHook('a')),
      of(ranHook('a', { outcome: 'blocking' })),
      of(ranHook('a', { outcome: 'blocking', failed: 'exit code 1' })),
      of(ranHook('a', { outcome: 'non_blocking_error' })),
      of(ranHook('a', { outcome: 'cancelled', timedOut: true, durationMs: 60_000 })),
      of({ ...missed, verdict: 'backgrounded' }),
      of({ ...missed, verdict: 'once-spent' }),
      of({ ...missed, verdict: 'untrusted' }),
      of(missed),
    ])
    expect(hook).toMatchObject({ seen: 9, matched: 7, ran: 6, blocked: 1, failed: 2, timedOut: 1, p50: 5, max: 60_000 })
  })

  it('count what a hook puts before the model: contexts and refusals, not what only people see', async () => {
    const decision = {
      context: ['12345', 'another’s'],
      contextFrom: [
        { hook: 'a', kind: 'context' as const },
        { hook: 'b', kind: 'stdout' as const },
      ],
      messages: [
        { to: 'model' as const, text: '1234', hook: 'a' },
        { to: 'user' as const, text: 'for people', hook: 'a' },
      ],
    }
    const hooks = await statisticsFrom([recordWith({ hooks: [ranHook('a'), ranHook('b')], decision })])
    expect(hooks.map(({ characters, tokens }) => ({ characters, tokens }))).toEqual([
      { characters: 9, tokens: 3 },
      { characters: 9, tokens: 3 },
    ])
  })

  it('take a hook that runs something else now for another one', async () => {
    const hooks = await statisticsFrom([of(ranHook('a')), of(ranHook('a', { command: './new.sh', durationMs: 9 }))])
    expect(hooks.map(({ runs }) => runs)).toEqual(['./new.sh', './hook.sh'])
  })

  it('have no times for a hook that never ran', async () => {
    expect(await statisticsFrom([of(missed)])).toMatchObject([{ p50: null, p95: null, max: null, total: 0, ran: 0 }])
  })

  it('are the same in whatever order records come, with percentiles that so many runs do not exceed', async () => {
    const durations = fc.array(fc.nat(1000), { minLength: 1, maxLength: 200 })
    await fc.assert(
      fc.asyncProperty(durations, async (given) => {
        const records = given.map((durationMs) => of(ranHook('a', { durationMs })))
        const [hook] = await statisticsFrom(records)
        const [reversed] = await statisticsFrom([...records].reverse())
        expect({ ...reversed, slower: null }).toEqual({ ...hook, slower: null })
        for (const [share, value] of [
          [0.5, hook?.p50],
          [0.95, hook?.p95],
          [1, hook?.max],
        ] as const) {
          expect(given).toContain(value)
          expect(given.filter((one) => one <= (value ?? -1)).length).toBeGreaterThanOrEqual(share * given.length)
          expect(given.filter((one) => one < (value ?? -1)).length).toBeLessThan(share * given.length)
        }
      }),
    )
  })
})
