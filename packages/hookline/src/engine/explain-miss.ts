import { readMatchedValue } from '../match/plan.ts'
import { hintAtMatcher } from '../pattern/matcher-hint.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'

/** Value of an event that its matchers are tested against. */
export interface MatchedValue {
  readonly field: string
  readonly value: string
}

/** Finds the value that the matchers of an event are tested against; null when it takes none. */
export function findMatchedValue(row: EventRow, input: EventInput): MatchedValue | null {
  const value = readMatchedValue(row, input)
  return row.matchOn === null || value === null ? null : { field: row.matchOn, value }
}

/** Explains why a matcher does not match. */
export function explainMiss(matched: MatchedValue | null, matcher: string | null, row: EventRow): string {
  if (matched === null) return `the event has no ${row.matchOn ?? 'value'} for its matcher to match`
  const { field, value } = matched
  const hint = matcher === null ? null : hintAtMatcher(matcher, row, value)
  return `${field} is ${value}, which its matcher does not match${hint === null ? '' : `. ${hint}`}`
}
