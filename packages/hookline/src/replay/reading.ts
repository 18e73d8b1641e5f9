import { findEventSubject } from '../protocol/event-subject.ts'
import type { Leftovers, PastEvent, PastOutcome } from './past-event.ts'
import type { Origin } from './transcript-line.ts'

/** An event of which the rest of the file may still tell something. */
export interface Draft {
  readonly event: { -readonly [Key in keyof PastEvent]: PastEvent[Key] }
  settled: boolean
  /** True once it turned out that there was no such event. */
  dropped: boolean
}

/** A call without a result so far. */
interface OpenCall {
  readonly draft: Draft
  readonly loop: Loop
  /** A hook is known to have denied it. */
  denied: boolean
  /** Hooks are known to have run before it. */
  asked: boolean
  /** Hooks are known to have run after it, so it was made. */
  made: boolean
}

/** A call and what came of it; the lines that follow may still say who refused it. */
interface ClosedCall {
  readonly call: Draft
  readonly result: Draft
}

/** The session's own loop, or a subagent's. */
export interface Loop {
  /** Draft of what may have been the end of its turn: the next line of the loop tells. */
  stop: Draft | null
  /** The message that its last answer was a part of. */
  message: string | null
  /** A hook has sent it on. */
  active: boolean
  prompt: string | null
  agentType: string | null
  /** Results of its last calls, by their ids: a hook may have spoken against it. */
  readonly results: Map<string, ClosedCall>
}

/** Progress of reading a file. */
export interface ReadingState {
  readonly file: string
  /** The session's own transcript: a subagent's file belongs to it. */
  readonly transcript: string
  readonly leftovers: Leftovers
  /** The last line that was read, counted from 1. */
  line: number
  session: string
  cwd: string
  permissionMode: string
  readonly loops: Map<string, Loop>
  readonly open: Map<string, OpenCall>
  /** Events in order; the first one waits for the result of its call. */
  readonly waiting: Draft[]
}

/** More events than this do not wait for the result of a call. */
const MAX_WAITING_EVENTS = 5000

/** Begins to read a file. */
export function beginReading(file: string, transcript: string, leftovers: Leftovers): ReadingState {
  const known = { line: 0, session: '', cwd: '', permissionMode: 'default' }
  return { file, transcript, leftovers, ...known, loops: new Map(), open: new Map(), waiting: [] }
}

/** Notes what every line may say about itself. */
export function noteOrigin(reading: ReadingState, { session, cwd, permissionMode }: Origin): void {
  reading.session = session ?? reading.session
  reading.cwd = cwd ?? reading.cwd
  reading.permissionMode = permissionMode ?? reading.permissionMode
}

/** The loop that a line belongs to. */
export function findLoop({ loops }: ReadingState, { loop }: Origin): Loop {
  const key = loop === null ? 'main' : `agent ${loop.agent ?? ''}`
  const found = loops.get(key) ?? makeLoop()
  loops.set(key, found)
  return found
}

function makeLoop(): Loop {
  return { stop: null, message: null, active: false, prompt: null, agentType: null, results: new Map() }
}

/** An event at the line that was read last. */
export function makeDraft(
  reading: ReadingState,
  name: string,
  told: { fields: object; origin: Origin; before: PastOutcome },
): Draft {
  const { session, transcript, cwd, permissionMode, file, line } = reading
  const agent = told.origin.loop?.agent ?? null
  const input = {
    session_id: session,
    transcript_path: transcript,
    cwd,
    permission_mode: permissionMode,
    hook_event_name: name,
    ...told.fields,
    ...(agent === null ? {} : { agent_id: agent }),
  }
  return {
    event: { input, subject: findEventSubject(name), before: told.before, file, line, time: told.origin.time },
    settled: true,
    dropped: false,
  }
}

/** Confirms what may have been the end of a turn. */
export function confirmStop({ waiting }: ReadingState, loop: Loop, before: PastOutcome): void {
  if (!loop.stop) return
  loop.stop.event.before = before
  waiting.push(loop.stop)
  loop.stop = null
}

/** Nothing more is said about what came of the last calls of a loop. */
export function settleResults({ results }: Loop): void {
  for (const { call, result } of results.values()) {
    call.settled = true
    result.settled = true
  }
  results.clear()
}

/** Gives up waiting for results: of one loop, or of all. */
export function settleCalls({ open }: ReadingState, of?: Loop): void {
  for (const [id, { draft, loop }] of open) {
    if (of !== undefined && loop !== of) continue
    draft.settled = true
    open.delete(id)
  }
}

const NO_EVENTS: readonly PastEvent[] = []

/** The events that nothing can change any more, taken out. */
export function takeReleased({ waiting }: ReadingState): readonly PastEvent[] {
  const first = waiting.findIndex(({ settled }) => !settled)
  const count = first < 0 ? waiting.length : Math.max(first, waiting.length - MAX_WAITING_EVENTS)
  if (count === 0) return NO_EVENTS
  return waiting
    .splice(0, count)
    .filter(({ dropped }) => !dropped)
    .map(({ event }) => event)
}
