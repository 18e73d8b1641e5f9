import { join } from 'node:path'
import type { LogLine } from '../../log/log-line.ts'
import { logsAt, logsBelow, readLog, type Skipped } from '../../log/read-log.ts'
import { joinTaps, tapReader } from '../../log/tapped-record.ts'
import { type EngineFlags, engineOptions, UsageError } from './flags.ts'
import { tell } from './print.ts'

/** How the files of `log` and `stats` are explained. */
export const SOURCE_USAGE = `FILE is a log that HOOKLINE_LOG or the engine's option "log" made; files that were
moved aside (FILE.1, FILE.2, …) are read first. A folder stands for all logs
below it that are called hooks.jsonl. Without FILE: that of HOOKLINE_LOG, else
all below ~/.hookline.`

/** The flags that count for commands which read and run nothing. */
export const READING_USAGE = `  --home DIR               where .hookline is; default: your home
  --json                   print JSON
  --no-color               plain text; NO_COLOR does the same
`

/** The logs that the call names, or those of this home. Throws a UsageError when there is none. */
export async function logsNamed(named: readonly string[], flags: EngineFlags): Promise<string[]> {
  const { found, places } = await logsThere(named, flags)
  if (found.length === 0)
    throw new UsageError(
      `there is no log in ${places}. Set HOOKLINE_LOG=FILE where hooks run, or name a file; what Claude Code does is recorded after hookline tap install.`,
    )
  return found
}

/** The same, or none; and where they were looked for. */
export async function logsThere(
  named: readonly string[],
  flags: EngineFlags,
): Promise<{ readonly found: string[]; readonly places: string }> {
  const { home } = engineOptions(flags)
  const own = process.env.HOOKLINE_LOG ? [process.env.HOOKLINE_LOG] : []
  const places = named.length > 0 ? named : own
  const usual = join(home, '.hookline')
  const found = places.length > 0 ? (await Promise.all(places.map(logsAt))).flat() : await logsBelow(usual)
  return { found, places: places.join(', ') || usual }
}

/** The lines of several logs, one after the other. */
export async function* linesOf(logs: readonly string[], skipped: Skipped): AsyncGenerator<LogLine> {
  const readTap = await tapReader()
  for (const log of logs) yield* joinTaps(readLog(log, skipped, readTap), readTap)
}

/** Whether a line is not older than `--since` says. */
export function isSince(since: string | undefined, now: number): (line: LogLine) => boolean {
  if (since === undefined) return () => true
  const moment = momentIn(since, now)
  return ({ record }) => Date.parse(record.at) >= moment
}

/** Says on stderr how much was passed over. */
export function tellSkipped({ lines, partial = 0 }: Skipped): void {
  if (lines > 0)
    tell(`${lines === 1 ? '1 line is not a record and was' : `${lines} lines are not records and were`} skipped.\n`)
  if (partial === 0) return
  const records = partial === 1 ? '1 record lacks' : `${partial} records lack`
  tell(`${records} the hooks that did not run: the line of the log that has them is incomplete or gone.\n`)
}

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
function momentIn(text: string, now: number): number {
  const ago = durationIn(text)
  const moment = ago === null ? dateIn(text) : now - ago
  if (Number.isNaN(moment))
    throw new UsageError(`--since must be a length of time such as 2h or a date such as 2026-11-15, not "${text}".`)
  return moment
}

/** A date without a time means midnight in the local time zone. */
function dateIn(text: string): number {
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return Number.NaN
  return Date.parse(text.length === 10 ? `${text}T00:00` : text)
}
