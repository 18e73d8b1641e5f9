import type { EventInput } from '../protocol/event-input.ts'
import type { HookLine, PastRecord } from '../protocol/record.ts'
import type { TapLine } from '../record/tap-line.ts'
import { isObject, jsonIn } from '../text/json.ts'

/** What happened for an event, and the event; null where only the record was kept. */
export interface LogLine {
  readonly record: PastRecord
  readonly input: EventInput | null
  /** The hooks that did not run are missing: the line of the log that has them is not there. */
  readonly partial?: true
  /** The lines of `hookline tap` that it was made of. */
  readonly tapped?: readonly TapLine[]
}

/** Makes one line of what taps saw of an event. */
export type TapReader = (lines: readonly [TapLine, ...TapLine[]]) => LogLine

/** The configured hooks that a reader has met, by their digest. */
export type MetHooks = Map<string, readonly HookLine[]>

/** More are not remembered, so that a reader needs bounded memory. */
const MOST_MET = 256

/**
 * Reads a line of a log: `{record, input}`, or a bare record as `hookline session` prints them. null for anything else.
 * Fields that a later version adds are kept. Configured hooks are remembered in `met`, and taken from there. Lines of taps are read where the caller knows how.
 */
export function parseLogLine(
  text: string,
  met: MetHooks = new Map(),
  readTap: TapReader | null = null,
): LogLine | null {
  const value = jsonIn(text)
  if (!isObject(value)) return null
  const tapped = readTap === null ? null : tapLineIn(value)
  if (readTap !== null && tapped !== null) return readTap([tapped])
  if (isRecord(value)) return { record: value, input: null }
  const { record, input, places, configured } = value
  if (!isRecord(record)) return null
  const event = { record, input: isObject(input) ? (input as EventInput) : null } // hooks were given it as an event
  if (record.snapshot !== undefined && isListOf(configured, isHookLine))
    remember(met, record.snapshot, configured as HookLine[]) // each is one
  if (places === undefined) return event
  const hooks = withConfigured(record, places, met)
  return hooks === null ? { ...event, partial: true } : { ...event, record: { ...record, hooks } }
}

function remember(met: MetHooks, digest: string, hooks: readonly HookLine[]): void {
  const [oldest] = met.keys()
  if (met.size >= MOST_MET && oldest !== undefined) met.delete(oldest)
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

type Fields = Readonly<Record<string, unknown>>

/** Whether a value has what readers of records rely on. */
function isRecord(value: unknown): value is PastRecord & Fields {
  return (
    isObject(value) &&
    (value.version === 1 || value.version === 2) &&
    (value.snapshot === undefined || isText(value.snapshot)) &&
    ['at', 'sessionId', 'event', 'profile'].every((key) => typeof value[key] === 'string') &&
    !Number.isNaN(Date.parse(String(value.at))) &&
    isDecision(value.decision) &&
    isListOf(value.hooks, isHookLine) &&
    (value.notices === undefined || isListOf(value.notices, isText))
  )
}

function isDecision(value: unknown): boolean {
  return (
    isObject(value) &&
    ['halt', 'blocked'].every((key) => typeof value[key] === 'boolean') &&
    ['reason', 'stopReason', 'permission'].every((key) => value[key] === null || isText(value[key])) &&
    isListOf(value.context, isText) &&
    isListOf(value.contextFrom, (from) => isObject(from) && isText(from.hook)) &&
    isListOf(value.messages, (message) => isObject(message) && [message.to, message.text, message.hook].every(isText))
  )
}

function isHookLine(value: unknown): boolean {
  return (
    isObject(value) &&
    isText(value.id) &&
    isText(value.verdict) &&
    ['command', 'prompt', 'outcome', 'failed'].every((key) => value[key] === undefined || isText(value[key])) &&
    (value.durationMs === undefined || Number.isFinite(value.durationMs))
  )
}

function isListOf(value: unknown, isOne: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** Reads a line of a tap; null for any other. */
export function tapLineIn(value: Readonly<Record<string, unknown>>): TapLine | null {
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
