import { UsageError } from './flags.ts'

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** The milliseconds of a length of time such as `100ms`, `1.5s` or `2h`; null for anything else. */
export function durationIn(text: string): number | null {
  const { amount, unit = '' } = /^(?<amount>\d+(?:\.\d+)?)(?<unit>[a-z]+)$/.exec(text)?.groups ?? {}
  const factor = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined
  return amount === undefined || factor === undefined ? null : Number(amount) * factor
}

/** The moment that `--since` names: so long ago, or a date. */
export function momentIn(text: string, now: number): number {
  const ago = durationIn(text)
  const moment = ago === null ? dateIn(text) : now - ago
  if (Number.isNaN(moment))
    throw new UsageError(`--since must be a length of time such as 2h or a date such as 2026-11-15, not "${text}".`)
  return moment
}

/** A date without a time is the midnight of the person who wrote it. */
function dateIn(text: string): number {
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return Number.NaN
  return Date.parse(text.length === 10 ? `${text}T00:00` : text)
}

/** Milliseconds for people, in at most six characters. */
export function shownDuration(milliseconds: number): string {
  if (milliseconds < 9.95) return `${milliseconds.toFixed(1)} ms`
  if (milliseconds < 999.5) return `${milliseconds.toFixed(0)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 99.95) return `${seconds.toFixed(1)} s`
  return seconds < 9999.5 ? `${seconds.toFixed(0)} s` : `${(seconds / 3600).toFixed(0)} h`
}
