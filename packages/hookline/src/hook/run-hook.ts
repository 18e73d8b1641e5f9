import type { EventInput, EventName, HookInput } from '../protocol/event-input.ts'
import { DEFAULT_ROWS } from '../protocol/profile-rows.ts'
import { usual } from '../protocol/usual.ts'
import { type Failing, failure, type HookOptions, type Outcome, SILENT } from './outcome.ts'
import { type Answer, MADE, type Reply } from './reply.ts'
import { type ReplyRow, replyFor } from './reply-for.ts'

/** What a handler returns: a reply, or nothing. */
type Returned = Answer | undefined

/** One function per event that the hook is for. */
export type Handlers = {
  readonly [E in EventName]?: (input: HookInput<E>, reply: Reply<E>) => Returned | Promise<Returned>
}

/** What a hook with these handlers would do about an event. For tests: it reads and writes nothing, and never rejects. */
export function runHook(handlers: Handlers, input: HookInput, options: HookOptions = {}): Promise<Outcome> {
  return runHandlers(handlers, input, { ...options, file: 'hook' })
}

/** The same for any event; `file` is who failed, when it does. */
export async function runHandlers(handlers: Handlers, event: EventInput, options: Failing): Promise<Outcome> {
  const name = event.hook_event_name
  const handler = handlerOf(handlers, name)
  if (handler === undefined) return withoutHandler(handlers, name, options)
  let made = 0
  const reply = replyFor(name, rowOf(name), () => {
    made++
  })
  try {
    const returned = (await handler(event, reply)) ?? undefined
    if (returned !== undefined && !isAnswer(returned)) return failure(`${name} returned what no reply made`, options)
    const kept = returned === undefined ? 0 : 1
    if (made > kept) return failure(`${name} made a reply and did not return it: write "return reply.…"`, options)
    return returned === undefined ? SILENT : outcomeIn(returned)
  } catch (error) {
    return failure(error, options) // whatever the handler throws
  }
}

type AnyHandler = (input: EventInput, reply: object) => unknown

function handlerOf(handlers: Handlers, event: string): AnyHandler | undefined {
  return Object.hasOwn(handlers, event) ? (handlers[event as EventName] as AnyHandler | undefined) : undefined // it is the event's own
}

/** An event that the hook is not for, unless a misspelt name is the reason. */
function withoutHandler(handlers: Handlers, event: string, options: Failing): Outcome {
  const stray = Object.keys(handlers).find((name) => !Object.hasOwn(DEFAULT_ROWS, name))
  return stray === undefined
    ? SILENT
    : failure(`there is no handler for ${event}, and "${stray}" is not an event`, options)
}

/** What a newer host fires and this package does not know can be warned about and halted. */
const UNKNOWN: ReplyRow = { ...usual, merges: 'nothing', answerFields: [] }

function rowOf(event: string): ReplyRow {
  return Object.hasOwn(DEFAULT_ROWS, event) ? { ...UNKNOWN, ...DEFAULT_ROWS[event] } : UNKNOWN
}

/** Without the mark, which is for this room alone. */
function outcomeIn({ exitCode, stdout, stderr }: Answer): Outcome {
  return { exitCode, stdout, stderr }
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && MADE in value
}
