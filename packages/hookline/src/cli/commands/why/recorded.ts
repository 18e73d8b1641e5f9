import type { ListedHook } from '../../../engine/listing.ts'
import { isBelow, resolveLinks } from '../../../files/paths.ts'
import { findInspector, formatEventAddress } from '../../../inspect/running.ts'
import { readLog } from '../../../log/log.ts'
import type { LogEntry } from '../../../log/record-store.ts'
import { makeHookKey } from '../../../protocol/record/hook-key.ts'
import { digestText } from '../../../text/digest.ts'
import { listLogs } from '../../input/log-source.ts'
import { type EngineFlags, toEngineOptions } from '../../start/flags.ts'

/** Facts of logs about hooks in this project: when the event came last, and when each of them ran last, by its key. */
export interface LastEvent {
  readonly event: string | null
  readonly hooks: Readonly<Record<string, string>>
  /** Nothing but that it came was recorded, by `hookline tap` without wrapped hooks. */
  readonly isSeenOnly: boolean
  /** Address of that event on the page of an inspector that runs; null where none shows it. */
  readonly inspect: string | null
}

/** Looks through the logs of this home for an event in this project; null where there is no log. */
export async function findLastRecorded(
  { event, hooks }: { readonly event: string | null; readonly hooks: readonly ListedHook[] },
  flags: EngineFlags,
): Promise<LastEvent | null> {
  const { found } = await listLogs([], flags)
  if (found.length === 0) return null
  const isHere = isOfProject(toEngineOptions(flags).project)
  const keys = new Set(hooks.filter(({ hook }) => event === null || hook.event === event).map(({ key }) => key))
  let last: LogEntry | null = null
  const ran: Record<string, string> = {}
  let isSeenOnly = true
  for await (const logged of readLog(found)) {
    const { record, tapped } = logged
    if ((event !== null && record.event !== event) || !isHere(logged)) continue
    last = logged
    isSeenOnly &&= tapped !== undefined && record.hooks.length === 0
    for (const line of record.hooks) {
      const key = line.outcome === undefined && line.verdict !== 'backgrounded' ? '' : makeHookKey(record.event, line)
      if (keys.has(key)) ran[key] = record.at
    }
  }
  return { event: last?.record.at ?? null, hooks: ran, isSeenOnly, inspect: last && (await findAddress(last, flags)) }
}

async function findAddress(entry: LogEntry, flags: EngineFlags): Promise<string | null> {
  const address = entry.place === undefined ? null : await findInspector(toEngineOptions(flags).home, entry.place.file)
  return address === null ? null : formatEventAddress(address, entry)
}

/** A record names its project by a digest; what a tap saw has the folder that Claude Code worked in. */
function isOfProject(project: string): (line: LogEntry) => boolean {
  const root = resolveLinks(project)
  const digests = [digestText(project), digestText(root)]
  return ({ record, input }) => {
    if (record.project !== undefined) return digests.includes(record.project.pathHash)
    const { cwd } = Object(input)
    return typeof cwd === 'string' && (resolveLinks(cwd) === root || isBelow(resolveLinks(cwd), root))
  }
}

/** Says whether hooks fired, as far as logs tell; null where nothing of this project was recorded. */
export function describeRecorded(recorded: LastEvent | null, event: string | null, now: number): string | null {
  if (recorded === null || recorded.event === null) return null
  const ran = Object.entries(recorded.hooks).map(([key, at]) => `${key} ${formatAgo(at, now)}`)
  const silence = recorded.isSeenOnly
    ? 'only hooks wrapped by "hookline tap install --wrap" record that they ran'
    : 'none of these hooks ran in what was recorded'
  const hooks = ran.length === 0 ? silence : `last runs: ${ran.join(', ')}`
  const look = recorded.inspect === null ? '' : ` Look at it: ${recorded.inspect}`
  return `Recorded: ${event ?? 'an event'} last ${formatAgo(recorded.event, now)}, in this project; ${hooks}.${look}`
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** Formats how long ago a moment was: `3 minutes ago`. */
function formatAgo(at: string, now: number): string {
  const passed = now - Date.parse(at)
  const [unit, length] = UNITS.find(([, size]) => passed >= size) ?? []
  if (unit === undefined || length === undefined) return 'less than a minute ago'
  const count = Math.floor(passed / length)
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}
