import { nameOutcome, type OutcomeWord } from '../../log/describe-outcome.ts'
import type { PastRecord } from '../../protocol/record/record.ts'
import type { Paint } from './terminal.ts'

const OUTCOME_COLOURS: Readonly<Record<OutcomeWord, keyof Paint>> = {
  halted: 'red',
  denied: 'red',
  blocked: 'red',
  FAILED: 'red',
  asks: 'yellow',
  defers: 'yellow',
  allowed: 'green',
  passed: 'green',
  '-': 'dim',
}

/** Names what became of an event, in a word and its colour. */
export function describeOutcome(record: PastRecord): [string, keyof Paint] {
  const word = nameOutcome(record)
  return [word, OUTCOME_COLOURS[word]]
}

/** The day and the time of a moment, in the local time zone. */
export function formatLocalTime(at: string): { day: string; time: string } {
  const date = new Date(at)
  const padToTwo = (number: number): string => String(number).padStart(2, '0')
  return {
    day: `${date.getFullYear()}-${padToTwo(date.getMonth() + 1)}-${padToTwo(date.getDate())}`,
    time: [date.getHours(), date.getMinutes(), date.getSeconds()].map(padToTwo).join(':'),
  }
}
