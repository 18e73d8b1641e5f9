import type { EffectSource } from '../protocol/effect.ts'
import type { EventRow } from '../protocol/event-row.ts'
import { isObject, type Json } from './answer-text.ts'

/** What one hook asks for beyond a decision, by the name of the effect; what it does not ask for is not there. */
export type Effects = Readonly<Record<string, unknown>>

/** Of a hook that asks for nothing. */
export const NO_EFFECTS: Effects = Object.freeze({})

interface Places {
  readonly answer: Json
  readonly specific: Json
  readonly isMcpTool: boolean
}

/** Where a field that asks for an effect is looked for. */
const SOURCES: Readonly<Record<EffectSource, (field: string, places: Places) => unknown>> = {
  specific: (field, { specific }) => specific[field],
  anywhere: (field, { specific, answer }) => specific[field] ?? answer[field],
  'anywhere-for-mcp-tools': (field, { specific, answer, isMcpTool }) =>
    isMcpTool ? (specific[field] ?? answer[field]) : undefined,
  'plain-stdout': () => undefined,
}

/** The effects that an answer asks for, of those that the event has. */
export function effectsIn(answer: Json, row: EventRow, { isMcpTool }: { isMcpTool: boolean }): Effects {
  const specific = isObject(answer.hookSpecificOutput) ? answer.hookSpecificOutput : {}
  const asked: Record<string, unknown> = {}
  for (const [name, { fields, from }] of Object.entries(row.effects)) {
    const values = fields.map((field) => SOURCES[from](field, { answer, specific, isMcpTool }))
    const value = values.find((one) => one !== undefined)
    if (value !== undefined) asked[name] = value
  }
  return asked
}
