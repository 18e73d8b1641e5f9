import { basename } from 'node:path'
import { isBelow, resolveLinks } from '../files/paths.ts'
import { makeHookKey } from '../protocol/record/hook-key.ts'
import type { HookLine } from '../protocol/record/record.ts'
import { digestText } from '../text/digest.ts'
import { listTexts } from '../text/json.ts'
import type { LogEntry, RecordQuery } from './record-store.ts'

/** Tells of an entry whether it is wanted. */
export type EntryFilter = (entry: LogEntry) => boolean

/** Makes a filter of a query, for stores that have no index. */
export function toFilter(query: RecordQuery): EntryFilter {
  const conditions = Object.entries(CONDITIONS).flatMap(([name, make]) => {
    const value = query[name as keyof typeof CONDITIONS]
    return value === undefined || value === false ? [] : [(make as (value: unknown) => EntryFilter)(value)] // of its own field
  })
  return (entry) => conditions.every((isMet) => isMet(entry))
}

/** One condition per field of a query; how many are read is for the store to count. */
const CONDITIONS: {
  readonly [Field in Exclude<keyof RecordQuery, 'last'>]-?: (value: NonNullable<RecordQuery[Field]>) => EntryFilter
} = {
  since: (since) => (entry) => Date.parse(entry.record.at) >= since,
  until: (until) => (entry) => Date.parse(entry.record.at) <= until,
  session: (session) => (entry) => entry.record.sessionId.startsWith(session),
  project: isOfProject,
  events: (events) => (entry) => events.includes(entry.record.event),
  tool: (tool) => (entry) => String(entry.input?.tool_name).toLowerCase() === tool.toLowerCase(),
  agent: (agent) => (entry) => findBridgedAgent(entry) === agent,
  hook: (hook) => (entry) => entry.record.hooks.some((line) => hasRun(line) && isNamed(line, entry.record.event, hook)),
  text: (text) => (entry) => listTexts(entry.input).some((one) => one.includes(text)),
  blocked: () => (entry) => entry.record.decision.blocked || entry.record.decision.halt,
  failed: () => (entry) => entry.record.hooks.some(hasFailed),
  slowMs: (slowMs) => (entry) => entry.record.hooks.some(({ durationMs = -1 }) => durationMs >= slowMs),
}

/** True of entries of a project: by its folder, or by the folder's name. What taps saw names no project, but a folder in it. */
function isOfProject(project: string): EntryFilter {
  const folders = [project, resolveLinks(project)]
  const hashes = folders.map(digestText)
  const isName = basename(project) === project
  return ({ record, input }) => {
    if (record.project !== undefined)
      return isName ? record.project.name === project : hashes.includes(record.project.pathHash)
    const folder = input?.cwd
    if (typeof folder !== 'string') return false
    return isName ? folder.split(/[/\\]/).includes(project) : folders.some((one) => isBelow(folder, one))
  }
}

/** The other agent whose event it was; null when a bridge had no part in it. */
export function findBridgedAgent({ input }: LogEntry): string | null {
  const host = input?.host
  if (typeof host !== 'object' || host === null || !('agent' in host)) return null
  return typeof host.agent === 'string' ? host.agent : null
}

/** True if a hook was started for the event. */
export function hasRun({ outcome, verdict, planned }: HookLine): boolean {
  return !planned && (outcome !== undefined || verdict === 'backgrounded')
}

/** True if a hook ended without an answer: it failed, or its time was over. */
export function hasFailed({ outcome, failed, timedOut }: HookLine): boolean {
  return outcome === 'non_blocking_error' || failed !== undefined || timedOut === true
}

function isNamed(line: HookLine, event: string, name: string): boolean {
  if (line.id === name || line.id.replace(`:${event}:`, ':') === name) return true
  return line.command?.includes(name) === true || makeHookKey(event, line) === name
}
