import type { EventInput } from '../protocol/event-input.ts'
import type { DispatchRecord } from '../protocol/record.ts'

/** What happened for an event, and the event; null where only the record was kept. */
export interface LogLine {
  readonly record: DispatchRecord
  readonly input: EventInput | null
}

/**
 * Reads a line of a log: `{record, input}`, or a bare record as `hookline session` prints them. null for anything else.
 * Fields that a later version adds are kept.
 */
export function parseLogLine(text: string): LogLine | null {
  const value = jsonIn(text)
  if (!isObject(value)) return null
  if (isRecord(value)) return { record: value, input: null }
  const { record, input } = value
  if (!isRecord(record)) return null
  return { record, input: isObject(input) ? (input as EventInput) : null } // hooks were given it as an event
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // torn, or of another program
  }
}

type Fields = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value has what readers of records rely on. */
function isRecord(value: unknown): value is DispatchRecord & Fields {
  return (
    isObject(value) &&
    value.version === 1 &&
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
