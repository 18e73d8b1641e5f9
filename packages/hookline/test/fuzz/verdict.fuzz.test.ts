import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide } from '../../src/decide/decision.ts'
import type { EventRow } from '../../src/protocol/event-row.ts'
import { DEFAULT_PROFILE } from '../../src/protocol/profiles.ts'
import { recordSchema } from '../../src/protocol/schemas/record.ts'
import { read } from '../../src/read/read.ts'
import type { Result } from '../../src/read/result.ts'
import type { Run } from '../../src/run/run.ts'
import { typeThatRan } from '../support/hook-types.ts'
import { explore, seed, timeout } from './explore.ts'
import { mutated } from './mutated.ts'
import { expectUnpolluted, within } from './settings-laws.ts'

const rows = [...DEFAULT_PROFILE.events.values()].filter(({ hookTypes }) => hookTypes === 'all')

const fixture = readFileSync(new URL('../fixtures/model-answers.jsonl', import.meta.url), 'utf8')
const answers = fixture
  .trimEnd()
  .split('\n')
  .map((line): string => JSON.parse(line).text)

const decisionSchema = recordSchema.shape.decision

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const UNSHOWABLE = /[\x00-\x08\x0b-\x1f\x7f-\x9f]|\p{Surrogate}/u

function judged(text: string, row: EventRow, failClosed = false): Result {
  const cost = { model: 'm', usage: { inputTokens: 1, outputTokens: 1 }, attempts: 1, turns: null, durationMs: 1 }
  const input = { hook_event_name: row.name, ...row.example }
  const run: Run = { ended: 'judged', text, ...cost }
  return read(run, { row, input, type: typeThatRan(run), name: 'hook', failClosed: failClosed ? 'scope' : null })
}

describe(`what models say (seed ${seed}; set HOOKLINE_SEED to run it again)`, () => {
  const said = mutated(answers)
  const anyRow = fc.constantFrom(...rows)

  it('is a verdict or an explained failure, and can be shown', { timeout }, () =>
    explore(
      fc.asyncProperty(said, anyRow, async (text, row) => {
        const result = await within(20_000, () => judged(text, row))
        const decision = decide(row, [{ hook: 'h', row, result }])
        expect(decisionSchema.safeParse(JSON.parse(JSON.stringify(decision))).error?.issues ?? []).toEqual([])
        const shown = [decision.reason, decision.stopReason, ...decision.messages.map((message) => message.text)]
        expect(shown.filter((one) => UNSHOWABLE.test(one ?? ''))).toEqual([])
        expectUnpolluted()
        expect(result.answer === null).toBe(result.failed !== null)
        expect(decision.permission === null || decision.permission === 'deny').toBe(true)
        if (result.failed !== null) {
          expect(decision).toMatchObject({ blocked: false, halt: false, reason: null })
          expect(decide(row, [{ hook: 'h', row, result: judged(text, row, true) }]).blocked).toBe(row.canBlock)
        }
      }),
      { runs: 2000 },
    ),
  )

  it('lets nobody through without having said so, nor after having said no', { timeout }, () =>
    explore(
      fc.asyncProperty(said, anyRow, async (text, row) => {
        if (!/true|approve|allow/i.test(text) && !text.includes('\\u')) {
          expect(judged(text, row).outcome).not.toBe('success')
        }
        expect(judged(`{"ok": false}\n${text}`, row).outcome).not.toBe('success')
      }),
      { runs: 2000 },
    ),
  )
})
