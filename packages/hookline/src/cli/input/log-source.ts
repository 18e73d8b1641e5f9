import { join, resolve } from 'node:path'
import { HooklineError } from '../../files/error.ts'
import { readEntries } from '../../log/log.ts'
import { findLogs, findLogsBelow } from '../../log/read-log.ts'
import type { RecordQuery, SkippedLine } from '../../log/record-store.ts'
import { type EngineFlags, toEngineOptions, UsageError } from '../start/flags.ts'
import { tell } from '../start/print.ts'

/** Explanation of the files of `log` and `stats`. */
export const LOG_FILE_USAGE = `FILE is a log that HOOKLINE_LOG or the engine's option "log" made; files that were
moved aside (FILE.1, FILE.2, …) are read first. A folder stands for all logs
below it that are called hooks.jsonl. Without FILE: that of HOOKLINE_LOG, else
all below ~/.hookline.`

/** The flags by which `log` and `stats` choose events. */
export const QUERY_FLAGS = {
  project: { type: 'string' },
  session: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
} as const

/** Explanation of those. */
export const QUERY_USAGE = `  --project DIR|NAME       only events of this project: its folder or its name
  --session ID             only events of this session; the beginning will do
  --since TIME             only events since then: 30m, 2h, 7d, or a date
  --until TIME             only events until then: the same, or 2026-11-15T14:30
`

/** The flags that count for commands which read and run nothing. */
export const READING_FLAGS = {
  home: { type: 'string' },
  json: { type: 'boolean' },
  'no-color': { type: 'boolean' },
} as const

/** Explanation of those. */
export const READING_USAGE = `  --home DIR               where .hookline is; default: your home
  --json                   print JSON
  --no-color               plain text; NO_COLOR does the same
`

/** The query that those flags ask for. */
export function toQuery(
  flags: { readonly [Flag in keyof typeof QUERY_FLAGS]?: string | undefined },
  now: number,
): RecordQuery {
  const { project, session, since, until } = flags
  return {
    session,
    project: project === undefined || /^[^./\\~][^/\\]*$/.test(project) ? project : resolve(project),
    since: since === undefined ? undefined : parseMoment('--since', since, { now, end: false }),
    until: until === undefined ? undefined : parseMoment('--until', until, { now, end: true }),
  }
}

/** The logs that the call names, or those of this home. Throws a UsageError when there is none. */
export async function requireLogs(named: readonly string[], flags: EngineFlags): Promise<string[]> {
  const { found, places } = await listLogs(named, flags)
  if (found.length === 0)
    throw new UsageError(
      `there is no log in ${places}${named.length > 0 ? '' : ' (a file called hooks.jsonl)'}. Name a file, or set HOOKLINE_LOG=FILE where hooks run; what Claude Code does is recorded after hookline tap install.`,
    )
  return found
}

/** The same, or none; and where they were looked for. */
export async function listLogs(
  named: readonly string[],
  flags: Pick<EngineFlags, 'home'>,
): Promise<{ readonly found: string[]; readonly places: string; readonly roots: readonly string[] }> {
  const { home } = toEngineOptions({ home: flags.home })
  const own = process.env.HOOKLINE_LOG ? [process.env.HOOKLINE_LOG] : []
  const places = named.length > 0 ? named : own
  const usual = join(home, '.hookline')
  const found = places.length > 0 ? (await Promise.all(places.map(findLogs))).flat() : await findLogsBelow(usual)
  const roots = places.length > 0 ? places : [usual]
  return { found, places: roots.join(', '), roots }
}

/** Lines that a reader passed over, by the reason; partial ones were read. */
export type SkippedCounts = Record<SkippedLine['is'], number>

/** Counts lines that a reader passes over. */
export function countSkipped(): { readonly skipped: SkippedCounts; readonly onSkipped: (line: SkippedLine) => void } {
  const skipped: SkippedCounts = { torn: 0, foreign: 0, partial: 0 }
  return { skipped, onSkipped: ({ is }) => void skipped[is]++ }
}

/**
 * Says on stderr how much was passed over. Throws a HooklineError where nothing was read because the files are no logs at
 * all.
 */
export async function finishReading(
  logs: readonly string[],
  { events, skipped }: { readonly events: number; readonly skipped: SkippedCounts },
): Promise<void> {
  const lines = skipped.torn + skipped.foreign
  if (events === 0 && lines > 0 && !(await hasEntries(logs)))
    throw new HooklineError(
      `${logs.join(', ')} ${logs.length === 1 ? 'is' : 'are'} not a log of Hookline: ${lines === 1 ? 'its one line is not a record' : `none of ${lines} lines is a record`}. HOOKLINE_LOG=FILE makes one; hookline replay reads transcripts too.`,
    )
  if (events === 0 && lines === 0 && skipped.partial === 0)
    tell((await hasEntries(logs)) ? 'No recorded event matches.\n' : 'Nothing was recorded yet.\n')
  if (lines > 0)
    tell(`${lines === 1 ? '1 line is not a record and was' : `${lines} lines are not records and were`} skipped.\n`)
  if (skipped.partial === 0) return
  const records = skipped.partial === 1 ? '1 record lacks' : `${skipped.partial} records lack`
  tell(`${records} the hooks that did not run: the line of the log that has them is incomplete or gone.\n`)
}

async function hasEntries(logs: readonly string[]): Promise<boolean> {
  for await (const entries of readEntries(logs)) if (entries.length > 0) return true
  return false
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
export function parseDuration(text: string): number | null {
  const { amount, unit = '' } = /^(?<amount>\d+(?:\.\d+)?)(?<unit>[a-z]+)$/.exec(text)?.groups ?? {}
  const factor = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined
  return amount === undefined || factor === undefined ? null : Number(amount) * factor
}

/** The moment that a flag names: so long ago, or a date; a day without a time begins, or with `end` ends, at midnight. */
function parseMoment(flag: string, text: string, { now, end }: { now: number; end: boolean }): number {
  const ago = parseDuration(text)
  const moment = ago === null ? parseDate(text, end) : now - ago
  if (Number.isNaN(moment))
    throw new UsageError(`${flag} must be a length of time such as 2h or a date such as 2026-11-15, not "${text}".`)
  return moment
}

/** A date in the local time zone. */
function parseDate(text: string, end: boolean): number {
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return Number.NaN
  return Date.parse(text.length === 10 ? `${text}T${end ? '23:59:59.999' : '00:00'}` : text)
}
