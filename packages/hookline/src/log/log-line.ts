import type { EventInput } from '../protocol/event-input.ts'
import type { HookLine, PastRecord } from '../protocol/record/record.ts'
import type { TapLine } from '../record/tap-line.ts'
import { isObject, parseJsonOrNull } from '../text/json.ts'
import type { LogEntry, SkippedLine } from './record-store.ts'

/** Makes one entry of what taps saw of an event. */
export type TapReader = (lines: readonly [TapLine, ...TapLine[]]) => LogEntry

/** The configured hooks that a reader has met, by their digest. */
export type MetHooks = Map<string, readonly HookLine[]>

/** Remembered digests, so that a reader needs bounded memory. */
const MAX_MET = 256

/** Reading of a line of a log: an entry, or the reason why it is none. */
export type ParsedLine = LogEntry | Exclude<SkippedLine['is'], 'partial'>

/**
 * Reads a line of a log: `{record, input}`, or a bare record as `hookline session` prints them. Fields that a later version
 * adds are kept. Configured hooks are remembered in `met`, and taken from there. Lines of taps are read where the caller
 * knows how.
 */
export function parseLogLine(text: string, met: MetHooks = new Map(), readTap: TapReader | null = null): ParsedLine {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'torn' // cut off, or never JSON
  }
  if (!isObject(value)) return 'foreign'
  const { record, input, places, configured } = value
  if (!isRecord(record)) return parseOther(value, readTap)
  const entry = { record, input: isObject(input) ? (input as EventInput) : null } // hooks were given it as an event
  if (record.snapshot !== undefined && isListWhere(configured, isHookLine))
    remember(met, record.snapshot, configured as HookLine[]) // each is one
  if (places === undefined) return entry
  const hooks = withConfigured(record, places, met)
  return hooks === null ? { ...entry, partial: true } : { ...entry, record: { ...record, hooks } }
}

/** The session of a line of a log, empty where it is of a tap, which is in many; null for a line of anything else. */
export function readLineSession(text: string): string | null {
  const value = parseJsonOrNull(text)
  if (!isObject(value)) return null
  const record = [value.record, value].find(isRecord)
  if (record !== undefined) return record.sessionId
  return parseTapLine(value) === null ? null : ''
}

/** A bare record, or a line of a tap. */
function parseOther(value: Record<string, unknown>, readTap: TapReader | null): ParsedLine {
  if (isRecord(value)) return { record: value, input: null }
  const tapped = parseTapLine(value)
  return tapped === null || readTap === null ? 'foreign' : readTap([tapped])
}

function remember(met: MetHooks, digest: string, hooks: readonly HookLine[]): void {
  const [oldest] = met.keys()
  if (met.size >= MAX_MET && oldest !== undefined) met.delete(oldest)
  met.set(digest, hooks)
}

/** All hooks of an event; null when the configured ones are not known, or the places do not fit. */
function withConfigured({ snapshot, hooks }: PastRecord, places: unknown, met: MetHooks): HookLine[] | null {
  const configured = met.get(snapshot ?? '')
  if (configured === undefined || !Array.isArray(places) || places.length !== hooks.length) return null
  const all = [...configured]
  for (const [at, line] of hooks.entries()) {
    if (!Number.isInteger(places[at]) || !Object.hasOwn(all, places[at])) return null
    all[places[at]] = line
  }
  return all
}

type LineFields = Readonly<Record<string, unknown>>

/** True if a value has what readers of records rely on. */
function isRecord(value: unknown): value is PastRecord & LineFields {
  return (
    isObject(value) &&
    (value.version === 1 || value.version === 2) &&
    (value.snapshot === undefined || isText(value.snapshot)) &&
    isText(value.at) &&
    isText(value.sessionId) &&
    isText(value.event) &&
    isText(value.profile) &&
    !Number.isNaN(Date.parse(String(value.at))) &&
    isDecision(value.decision) &&
    isListWhere(value.hooks, isHookLine) &&
    (value.notices === undefined || isListWhere(value.notices, isText))
  )
}

function isDecision(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.halt === 'boolean' &&
    typeof value.blocked === 'boolean' &&
    isTextOrAbsent(null, value.reason) &&
    isTextOrAbsent(null, value.stopReason) &&
    isTextOrAbsent(null, value.permission) &&
    isListWhere(value.context, isText) &&
    isListWhere(value.contextFrom, (from) => isObject(from) && isText(from.hook)) &&
    isListWhere(
      value.messages,
      (message) => isObject(message) && [message.to, message.text, message.hook].every(isText),
    )
  )
}

function isHookLine(value: unknown): boolean {
  return (
    isObject(value) &&
    isText(value.id) &&
    isText(value.verdict) &&
    isTextOrAbsent(undefined, value.command) &&
    isTextOrAbsent(undefined, value.prompt) &&
    isTextOrAbsent(undefined, value.outcome) &&
    isTextOrAbsent(undefined, value.failed) &&
    (value.durationMs === undefined || Number.isFinite(value.durationMs))
  )
}

function isListWhere(value: unknown, isOne: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isTextOrAbsent(absent: null | undefined, value: unknown): boolean {
  return value === absent || typeof value === 'string'
}

/** Reads a line of a tap; null for any other. */
function parseTapLine(value: Readonly<Record<string, unknown>>): TapLine | null {
  const { tap, at, input, hook } = value
  if (tap !== 1 || typeof at !== 'string' || Number.isNaN(Date.parse(at)) || !isObject(input)) return null
  if (typeof input.hook_event_name !== 'string' || !(hook === null || isTappedHook(hook))) return null
  return value as unknown as TapLine // each field was looked at
}

function isTappedHook(value: unknown): boolean {
  if (!isObject(value)) return false
  const { id, matcher, command, exitCode, signal, durationMs, stdout, stderr } = value
  return (
    (id === null || typeof id === 'string') &&
    (matcher === null || typeof matcher === 'string') &&
    typeof command === 'string' &&
    (exitCode === null || Number.isInteger(exitCode)) &&
    (signal === null || typeof signal === 'string') &&
    Number.isFinite(durationMs) &&
    [stdout, stderr].every((one) => isObject(one) && typeof one.text === 'string' && Number.isFinite(one.bytes))
  )
}
