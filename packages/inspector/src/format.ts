/** Milliseconds for people. */
export function formatMs(ms: number): string {
  if (ms < 9.95) return `${ms.toFixed(1)} ms`
  if (ms < 999.5) return `${ms.toFixed(0)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  if (ms < 3_599_500) return `${(ms / 60_000).toFixed(0)} min`
  return ms < 172_800_000 ? `${(ms / 3_600_000).toFixed(1)} h` : `${(ms / 86_400_000).toFixed(0)} days`
}

/** A number with its thousands apart. */
export function formatCount(count: number): string {
  return count.toLocaleString('en')
}

/** A count in a column: a dot where there is nothing to look at. */
export function formatFigure(count: number | undefined): string {
  return count === undefined || count === 0 ? '·' : formatCount(count)
}

/** Milliseconds in a column: a dot where nothing was timed. */
export function formatTiming(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? '·' : formatMs(ms)
}

/** A text of several lines in a row of one. */
export function joinLines(text: string): string {
  return text.trimEnd().replaceAll(/\s*\n\s*/g, ' ⏎ ')
}

/** Number and noun. */
export function formatAmount(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

const padToTwo = (number: number): string => String(number).padStart(2, '0')

/** Time of day in the local time zone. */
export function formatTime(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(padToTwo).join(':')
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Day of the year and time, for lists. */
export function formatDay(at: number): string {
  const date = new Date(at)
  return `${MONTHS[date.getMonth()]} ${padToTwo(date.getDate())} ${formatTime(at)}`
}

/** True of two moments of one day in the local time zone. */
export function isSameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString()
}

/** Day and time in the local time zone. */
export function formatDate(at: number): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${padToTwo(date.getMonth() + 1)}-${padToTwo(date.getDate())} ${formatTime(at)}`
}
