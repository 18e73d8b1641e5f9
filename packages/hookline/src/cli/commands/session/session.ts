import { isUtf8 } from 'node:buffer'
import { Slots } from '../../../dispatch/slots.ts'
import { openEngine } from '../../../engine/engine.ts'
import type { Engine } from '../../../engine/engine-interface.ts'
import { HooklineError } from '../../../files/error.ts'
import type { EventInput } from '../../../protocol/event-input.ts'
import type { DispatchRecord } from '../../../protocol/record/record.ts'
import { type Line, readStreamLines } from '../../../text/lines.ts'
import { carryWriting, parseAsWritten } from '../../../text/written-json.ts'
import { toConversationTexts } from '../../../tools/conversation.ts'
import {
  CLOSING_FLAGS,
  CLOSING_USAGE,
  ENGINE_FLAGS,
  ENGINE_USAGE,
  type EngineFlags,
  MODEL_FLAGS,
  MODEL_USAGE,
  RUNNING_FLAGS,
  RUNNING_USAGE,
  readArguments,
  refusePositionals,
  SOURCE_FLAGS,
  SOURCE_USAGE,
  toEngineOptions,
  UsageError,
} from '../../start/flags.ts'
import { provideModels, tellMissingModel } from '../../start/models.ts'
import { fillDriverDefaults, tellProblems, withTranscript } from '../../start/opening.ts'
import { outliveReader, printAsWritten } from '../../start/print.ts'
import { type ControlContext, type ControlLine, executeControl, makeClientState, makeHello } from './controls.ts'

export const usage = `hookline session [flags]

Drives one session over stdin and stdout: each input line is an event as JSON,
each output line its record, in order. Missing common fields are filled in.
Which events there are, and what decisions can ask for, depends on --profile.
End of input ends the session and what still runs; it fires no event.

  {"hook_event_name":"SessionStart","source":"startup"}
  {"hook_event_name":"PreToolUse","tool_name":"LS","tool_input":{"path":"."}}

A line with an "id", a string or a number, does not wait for others, and its
answer has the same id: {"id":1,"record":…,"texts":{"model":[…],"user":[…]}}. The
texts go into the conversation as they are. With "progress":true, lines
{"id":1,"progress":…} come before.

A "call" may have an "id" and a JSON "schema" for what hooks make of its input.
"before", "after" and "batch" take the "turn" of the call, the "agent" whose it
is, and "names": what hooks call the tools, {"shell":"Bash"}, or a known agent.
In version 3 an input comes back only when a hook rewrote it, else "unchanged"
is true; what the hook did not touch comes back as it was written.

Control lines:
  {"control":"hello","session":3}                versions and controls; say which
                                                 you speak, or it is version 2
  {"control":"before","call":{"name","input"}}   may this call be made?
  {"control":"after","call":{…},"outcome":{…}}   its "output", or its "error"
  {"control":"batch","calls":[…]}                all calls of an answer are done
  {"control":"turn"}                             open a turn: its number
  {"control":"submit","turn":N,"prompt":"…"}     may this prompt be sent?
  {"control":"mayStop","turn":N}                 may the agent stop?
  {"control":"begin","turn":N}                   a subagent begins
  {"control":"late","turn":N}                    what background hooks told it
  {"control":"endTurn","turn":N}                 it is over
  {"control":"cancel","target":ID}               end the line of this id
  {"control":"drain"}                            wait for background hooks
  {"control":"delivered"}                        what they have said so far
  {"control":"register","hooks":{…}}             hooks of this session
  {"control":"unregister","registration":N}      take them away
  {"control":"list"}                             every configured hook
  {"control":"explain","event":{…}}              what an event would do
  {"control":"problems"}                         what is wrong in the files
  {"control":"activate","component":"FILE"}      a skill, agent or slash command
  {"control":"deactivate","component":"FILE"}    (both take an "agent" id)
  {"control":"env"}                              what env files add or change
  {"control":"changes"}                          edits on disk, for review
  {"control":"accept"}                           take them over
  {"control":"trust"}                            what the project asks for
  {"control":"trust","accept":"DIGEST"}          trust that, for this session;
                                                 with "keep":true from now on

  --hello                  begin with a line {"hello":…}
  --session-id ID          the session's id; default: a new one
  --log FILE               record every event; default: HOOKLINE_LOG
  --live-settings          edits of user and managed settings count at once
${MODEL_USAGE}${CLOSING_USAGE}${SOURCE_USAGE}${ENGINE_USAGE}${RUNNING_USAGE}
Exit codes: 0 at the end of input; 1 a mistake in the call, unreadable policy, or
records that could not be written; 130 interrupted; 3 a fault of Hookline.
`

const FLAGS = {
  ...ENGINE_FLAGS,
  ...RUNNING_FLAGS,
  ...MODEL_FLAGS,
  ...CLOSING_FLAGS,
  ...SOURCE_FLAGS,
  hello: { type: 'boolean' },
  'session-id': { type: 'string' },
  log: { type: 'string' },
  'live-settings': { type: 'boolean' },
} as const

/** Runs `hookline session`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  refusePositionals(positionals)
  const { 'session-id': sessionId, log } = values
  const options = {
    ...fillDriverDefaults(toEngineOptions(values)),
    ...provideModels(values),
    ...(sessionId === undefined ? {} : { sessionId: parseSessionId(sessionId) }),
    ...(log === undefined ? {} : { log }),
  }
  return withTranscript(options.sessionId, async (path) => {
    const engine = await openEngine({ ...options, ...(path === null ? {} : { transcriptPath: path }) })
    return driveSession(engine, values)
  })
}

/** Parses an id that becomes part of the name of a file. */
function parseSessionId(text: string): string {
  if (/^[\w.-]{1,128}$/.test(text) && !/^\.+$/.test(text)) return text
  throw new UsageError(`--session-id must be letters, digits, "-", "_" and ".", at most 128, not "${text}".`)
}

/** Answers line after line, until there are no more. */
async function driveSession(
  engine: Engine,
  values: EngineFlags & { readonly hello?: boolean | undefined },
): Promise<number> {
  tellProblems(engine)
  tellMissingModel(engine, values)
  const end = (): void => void process.stdin.destroy()
  const interrupted = new AbortController()
  const answers = new Answers(engine, { signal: interrupted.signal, end })
  const interrupt = (): void => {
    interrupted.abort()
    answers.cancelAll()
    end()
  }
  let unheard = false
  outliveReader(() => {
    unheard = true // the host does not learn what its events led to
    end()
  })
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  if (values.hello) printAsWritten({ hello: makeHello(engine) })
  try {
    for await (const line of readStreamLines(process.stdin, MAX_LINE_BYTES, { blank: true })) await answers.take(line)
    await answers.waitUntilSettled()
  } finally {
    const undelivered = await engine.close()
    if (undelivered.length > 0) printAsWritten({ undelivered })
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
  if (interrupted.signal.aborted) return 130
  return unheard ? 1 : 0
}

/** Id of a line. */
type LineId = string | number

/** Lines that are under way at a time; more of them wait. */
const MAX_UNDER_WAY = 1000
/** Half of what a string can hold at most. */
const MAX_LINE_BYTES = 256 * 1024 * 1024

/** A line without anything on it, read as bytes; a byte order mark is nothing. */
const BLANK = /^(?:\xef\xbb\xbf)?\s*$/

/** Answers lines: those with an id side by side, all others one after the other. */
class Answers {
  readonly #engine: Engine
  readonly #signal: AbortSignal
  readonly #end: () => void
  #fault: { readonly error: unknown } | null = null
  readonly #state = makeClientState()
  readonly #slots = new Slots(MAX_UNDER_WAY)
  #lines = 0
  readonly #underWay = new Map<LineId, { readonly stop: AbortController; readonly answered: Promise<void> }>()

  /** `end` takes no further lines. */
  constructor(engine: Engine, { signal, end }: { signal: AbortSignal; end: () => void }) {
    this.#engine = engine
    this.#signal = signal
    this.#end = end
  }

  /** Answers a line; does not wait for the answer to one with an id. */
  async take(written: Line): Promise<void> {
    this.#lines += 1
    if (Buffer.isBuffer(written) && BLANK.test(written.toString('latin1'))) return
    const line = readLine(written, this.#lines)
    if ('error' in line) printAsWritten(line)
    else if (line.id === undefined) printAsWritten(await this.#answer(line.sent, this.#signal))
    else this.#begin(line.id, line.sent)
  }

  /** Resolves when every line is answered; rejects with a fault of ours. */
  async waitUntilSettled(): Promise<void> {
    await Promise.all([...this.#underWay.values()].map(({ answered }) => answered))
    if (this.#fault !== null) throw this.#fault.error
  }

  /** Ends the lines that are under way. */
  cancelAll(): void {
    for (const { stop } of this.#underWay.values()) stop.abort()
  }

  #begin(id: LineId, sent: SentLine): void {
    if (this.#underWay.has(id)) {
      printAsWritten({ id, error: 'Not done: a line with this id is under way.' })
      return
    }
    const stop = new AbortController()
    const act = () => this.#answer(sent, stop.signal, id)
    const answered = (isControl(sent) && sent.control === 'cancel' ? act() : this.#slots.run(act)).then(
      (answer) => {
        this.#underWay.delete(id)
        printAsWritten({ id, ...answer })
      },
      (error: unknown) => {
        this.#fault ??= { error }
        this.#end()
      },
    )
    this.#underWay.set(id, { stop, answered })
  }

  async #answer(sent: SentLine, signal: AbortSignal, id?: LineId): Promise<object> {
    try {
      signal.throwIfAborted()
      if (isControl(sent)) return await executeControl(sent, this.#makeControlContext(signal))
      if (id === undefined) return await this.#engine.dispatch(sent as EventInput, { signal }) // the line is checked
      return await this.#dispatchWithTexts(sent, signal, id)
    } catch (error) {
      if (signal.aborted) return { error: 'This line was cancelled.', cancelled: true }
      if (error instanceof HooklineError || error instanceof UsageError) return { error: error.message }
      throw error
    }
  }

  #makeControlContext(signal: AbortSignal): ControlContext {
    const cancel = (target: unknown): boolean => {
      const line = this.#underWay.get(target as LineId) // other words are not among the keys
      line?.stop.abort()
      return line !== undefined
    }
    return { engine: this.#engine, signal, cancel, state: this.#state }
  }

  /** The record of an event, with what the host puts into the conversation. */
  async #dispatchWithTexts({ progress, ...sent }: SentLine, signal: AbortSignal, id: LineId): Promise<object> {
    const event = sent as EventInput // the line is checked
    if (progress !== true) return withTexts(await this.#engine.dispatch(event, { signal }), event)
    for await (const step of this.#engine.stream(event, { signal })) {
      if (step.type === 'decision') return withTexts(step.record, event)
      printAsWritten({ id, progress: step })
    }
    throw new HooklineError('This line was cancelled.')
  }
}

function withTexts(record: DispatchRecord, event: EventInput): object {
  return { record, texts: toConversationTexts(record, event) }
}

/** Content of a line, without its id. */
type SentLine = Readonly<Record<string, unknown>>

/** A line may be `null` too. */
const isControl = (sent: SentLine | null): sent is ControlLine => typeof sent?.control === 'string'

type ReadLine =
  | { readonly id: LineId | undefined; readonly sent: SentLine }
  | { readonly error: string; readonly line: number }

/** Reads a line. A value that is not an object goes on to the engine, whose error says what is wrong with it. */
function readLine(written: Line, line: number): ReadLine {
  if (!Buffer.isBuffer(written))
    return { error: `Line ${line} has ${written.tooLong} bytes, and at most ${MAX_LINE_BYTES} are read.`, line }
  if (!isUtf8(written)) return { error: `Line ${line} is not UTF-8.`, line }
  try {
    const value = parseAsWritten(written.toString())
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { id: undefined, sent: value as SentLine }
    const { id, ...sent } = value as SentLine // an object
    carryWriting(sent, value)
    return typeof id === 'string' || typeof id === 'number' ? { id, sent } : { id: undefined, sent: value as SentLine }
  } catch (error) {
    return { error: `Line ${line} is not JSON: ${(error as SyntaxError).message}.`, line } // nothing else is thrown by it
  }
}
