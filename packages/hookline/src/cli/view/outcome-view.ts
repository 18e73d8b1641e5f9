import { hasFailed, hasRun } from '../../log/query.ts'
import type { PastRecord } from '../../protocol/record/record.ts'
import type { Paint } from './terminal.ts'

/** Names what became of an event, in a word. A hook that failed is told unless another one decided. */
export function describeOutcome({ decision, hooks }: PastRecord): [string, keyof Paint] {
  if (decision.halt) return ['halted', 'red']
  if (decision.blocked) return [decision.permission === 'deny' ? 'denied' : 'blocked', 'red']
  if (hooks.some(hasFailed)) return ['FAILED', 'red']
  if (decision.permission === 'ask') return ['asks', 'yellow']
  if (decision.permission === 'defer') return ['defers', 'yellow']
  if (decision.permission === 'allow') return ['allowed', 'green']
  return hooks.some(hasRun) ? ['passed', 'green'] : ['-', 'dim']
}

/** The day and the time of a moment, in the local time zone. */
export function localTime(at: string): { day: string; time: string } {
  const date = new Date(at)
  const two = (number: number): string => String(number).padStart(2, '0')
  return {
    day: `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
    time: [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':'),
  }
}
