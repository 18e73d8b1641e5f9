import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openEventReader } from '../../src/replay/event-reader.ts'
import { makeLeftovers, type PastEvent } from '../../src/replay/past-event.ts'
import { answer, call, prompt, result } from '../support/sessions.ts'

function read(lines: readonly string[]): { events: PastEvent[]; skipped: number } {
  const leftovers = makeLeftovers()
  const reader = openEventReader({ file: 'f', transcript: 'f', leftovers })
  const events = [...lines.flatMap((line) => [...reader.take(line)]), ...reader.end()]
  const skipped = [...leftovers.skipped.values()].reduce((sum, count) => sum + count, leftovers.torn)
  return { events, skipped }
}

const id = fc.constantFrom('t1', 't2', 't3', 't4')
const line = fc.oneof(
  fc.string().map((text) => prompt(text)),
  id.map((name) => call(name)),
  fc.tuple(id, fc.boolean()).map(([name, failed]) => result(name, 'ok', { failed })),
  fc.constantFrom('end_turn', null).map((stop) => answer([{ type: 'text', text: 'x' }], { stop })),
  fc.constant({ type: 'last-prompt' }),
)

describe('reading a transcript', () => {
  it('never fails, whatever a line holds', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record(
          {
            type: fc.constantFrom('user', 'assistant', 'system', 'attachment'),
            message: fc.object(),
            attachment: fc.object(),
          },
          { requiredKeys: ['type'] },
        )
        .map((value) => JSON.stringify(value)),
      fc.tuple(line, fc.nat(200)).map(([whole, cut]) => JSON.stringify(whole).slice(0, cut)),
    )
    fc.assert(fc.property(fc.array(anything), (lines) => Array.isArray(read(lines).events)))
  })

  it('keeps the order of the file and never tells of a result before its call', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        const { events } = read(lines.map((one) => JSON.stringify(one)))
        const open = new Map<unknown, number>()
        for (const { input, subject } of events) {
          const called = open.get(input.tool_use_id) ?? 0
          if (subject === 'call') open.set(input.tool_use_id, called + 1)
          if (subject !== 'result' && subject !== 'failure') continue
          expect(called).toBeGreaterThan(0)
          open.set(input.tool_use_id, called - 1)
        }
        const calls = events.filter(({ subject }) => subject === 'call')
        expect(calls.map((one) => one.line)).toEqual(calls.map((one) => one.line).sort((a, b) => a - b))
      }),
    )
  })
})
