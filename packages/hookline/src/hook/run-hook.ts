import type { EventInput, HookInput, ReceivedInput } from '../protocol/event-input.ts'
import type { DefaultProfileName, ProfileEvents } from '../protocol/profile-events.ts'
import { DEFAULT_ROWS, type ProfileRows, ROWS } from '../protocol/profile-rows.ts'
import type { ProfileName } from '../protocol/profiles.ts'
import { usual } from '../protocol/usual.ts'
import { type HookFailure, type HookOptions, makeFailureOutcome, type Outcome, SILENT_OUTCOME } from './outcome.ts'
import { type Answer, type EventOf, MADE, type Reply } from './reply.ts'
import { makeReply, type ReplyRow } from './reply-for.ts'

/** Result of a handler: a reply, or nothing. */
type HandlerResult = Answer | undefined

/** One function per event that the hook is for. */
export type Handlers<Profile extends ProfileName = DefaultProfileName> = {
  readonly [E in EventOf<Profile>]?: (
    input: ReceivedInput<E, ProfileEvents[Profile]>,
    reply: Reply<E, Profile>,
  ) => HandlerResult | Promise<HandlerResult>
}

/** Runs what a hook with these handlers would do about an event. For tests: it reads and writes nothing, and never rejects. */
export function runHook<const Profile extends ProfileName = DefaultProfileName>(
  handlers: Handlers<Profile>,
  input: HookInput<EventOf<Profile>, ProfileEvents[Profile]>,
  options: HookOptions<Profile> = {},
): Promise<Outcome> {
  return runHandlers(handlers as AnyHandlers, input, { ...options, file: 'hook' }) // by the names of its events
}

type AnyHandler = (input: EventInput, reply: object) => unknown

/** Handlers of events of any profile. */
export type AnyHandlers = Readonly<Record<string, AnyHandler | undefined>>

/** The same for any event; `file` is who failed, when it does. */
export async function runHandlers(handlers: AnyHandlers, event: EventInput, options: HookFailure): Promise<Outcome> {
  const name = event.hook_event_name
  const { profile } = options
  if (profile !== undefined && !Object.hasOwn(ROWS, profile)) {
    return makeFailureOutcome(`there is no profile "${profile}"; profiles: ${Object.keys(ROWS).join(', ')}`, options)
  }
  const rows = profile === undefined ? DEFAULT_ROWS : await ROWS[profile]()
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined
  if (handler === undefined) return answerWithoutHandler(handlers, name, rows, options)
  let made = 0
  const row = findReplyRow(Object.hasOwn(rows, name) ? rows : ((await findProfileWith(name))?.rows ?? rows), name)
  const reply = makeReply(name, row, {
    exitCodeDecides: findReplyRow(DEFAULT_ROWS, name).merges === 'exit-code',
    isMcpTool: row.matchOn !== null && String(event[row.matchOn]).startsWith('mcp__'),
    made: () => {
      made++
    },
  })
  try {
    const returned = (await handler(event, reply)) ?? undefined
    if (returned !== undefined && !isAnswer(returned))
      return makeFailureOutcome(`${name} returned what no reply made`, options)
    const kept = returned === undefined ? 0 : 1
    if (made > kept)
      return makeFailureOutcome(`${name} made a reply and did not return it: write "return reply.…"`, options)
    return returned === undefined ? SILENT_OUTCOME : toOutcome(returned)
  } catch (error) {
    return makeFailureOutcome(error, options) // whatever the handler throws
  }
}

/** An event that the hook is not for, unless a name that is not an event is the reason. */
async function answerWithoutHandler(
  handlers: AnyHandlers,
  event: string,
  rows: ProfileRows,
  options: HookFailure,
): Promise<Outcome> {
  const stray = Object.keys(handlers).find((name) => !Object.hasOwn(rows, name))
  if (stray === undefined) return SILENT_OUTCOME
  const other = await findProfileWith(stray)
  const why =
    other === undefined
      ? 'is not an event'
      : `is an event of another profile: defineHook(…, { profile: '${other.profile}' })`
  return makeFailureOutcome(`there is no handler for ${event}, and "${stray}" ${why}`, options)
}

/** A profile that has an event of this name. */
async function findProfileWith(event: string): Promise<{ profile: string; rows: ProfileRows } | undefined> {
  for (const [profile, load] of Object.entries(ROWS)) {
    const rows = await load()
    if (Object.hasOwn(rows, event)) return { profile, rows }
  }
  return undefined
}

/** Row of an event that a newer host fires and this package does not know: it can be warned about and halted. */
const UNKNOWN = { ...usual, merges: 'nothing', answerFields: [] } as const satisfies ReplyRow

function findReplyRow(rows: ProfileRows, event: string): ReplyRow & { readonly matchOn: string | null } {
  return Object.hasOwn(rows, event) ? { ...UNKNOWN, ...rows[event] } : UNKNOWN
}

/** Without the mark, which is for this room alone. */
function toOutcome({ exitCode, stdout, stderr }: Answer): Outcome {
  return { exitCode, stdout, stderr }
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && MADE in value
}
