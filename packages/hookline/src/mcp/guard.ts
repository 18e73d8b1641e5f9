import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { Engine } from '../engine/engine-interface.ts'
import { findStartShortage } from '../engine/faults.ts'
import { HooklineError } from '../files/error.ts'
import { toCanonicalJson } from '../text/digest.ts'
import { isObject } from '../text/json.ts'
import { clipName } from '../text/nearest.ts'
import { parseUnambiguously } from '../text/strict-json.ts'
import { toVisible } from '../text/visible.ts'
import { findDoubledKey, parseAsWritten, stringifyAsWritten } from '../text/written-json.ts'
import { guardAfterCall } from '../tools/after-call.ts'
import { guardBeforeCall } from '../tools/before-call.ts'
import type { GuardOptions, Question } from '../tools/tool-call.ts'
import { HeldLines } from './held-lines.ts'
import { findSpellingFault, narrowAnswer, narrowNotification, narrowRequest } from './known-shapes.ts'
import {
  type ClientFacts,
  FAULTS,
  type Id,
  isId,
  type Message,
  makeErrorAnswer,
  readClientFacts,
  toIdKey,
  writeMessage,
} from './message.ts'
import { appendTexts, makeErrorResult, makeReplacedResult, readAnswerEnd } from './result.ts'

/** Ports that the messages of a connection go to. */
export interface GuardPorts {
  /** Lines without their end. */
  readonly toClient: (line: Buffer) => void
  readonly toServer: (line: Buffer) => void
  /** Says a sentence to the user. */
  readonly tell: (sentence: string) => void
}

/** The server that a guard stands before, and what hooks can say about its calls. */
interface GuardedServer {
  /** The server in the names of its tools: `mcp__NAME__TOOL`. */
  readonly name: string
  readonly engine: Engine
  /** Reason why no call is made: hooks stand where they cannot be read; null: there is none. */
  readonly closed?: string | null
}

/** A request of the client that the server has not answered. */
type PendingRequest =
  | { readonly asks: 'other'; readonly id: Id; readonly method: unknown; readonly progressToken: unknown }
  | GuardedCall

/** A call of a tool, from the client's request to the answer that it gets. */
interface GuardedCall {
  readonly asks: 'tool'
  /** Id of the request that is open: one that had to be asked about comes again under another. */
  id: Id
  readonly tool: string
  /** Aborts when the client does not want it any more. */
  readonly cancel: AbortController
  /** The token under which the server tells how far it is. */
  progressToken: unknown
  readonly client: ClientFacts
  /** Set while the server works on it: takes the answer, or why there is none. */
  answer: ((answered: ServerAnswer | Error) => void) | null
  /** Hooks may put something else in the place of what it gives. */
  mayBeReplaced: boolean
  /** Reason why the user was not asked about it, although a hook wants that; null: that is not so. */
  unasked: string | null
}

/** A call that the client was told to make again with its user's answer. */
interface Round {
  readonly call: GuardedCall
  /** The tool and its input, as the client wrote them. */
  readonly asked: string
  readonly answer: (answer: unknown) => void
}

/** Refusal of a call, and what hooks say beside it. */
interface CallRefusal {
  readonly reason: string
  readonly texts?: readonly string[]
}

/** Answer of a server, and its line. */
interface ServerAnswer {
  readonly message: Message
  readonly line: Buffer
}

/**
 * Stands between one client and one MCP server: hooks see every call of a tool before the server does, and every result before
 * the client does. Everything else passes as it was written. What it cannot read does not pass.
 */
export class McpGuard {
  readonly #name: string
  readonly #engine: Engine
  readonly #closed: string | null
  readonly #ports: GuardPorts
  readonly #pending = new Map<string, PendingRequest>()
  readonly #questions = new Map<string, (answer: unknown) => void>()
  /** By what the client sends back with the answer. */
  readonly #rounds = new Map<string, Round>()
  readonly #working = new Set<Promise<void>>()
  readonly #held: HeldLines<GuardedCall>
  #serverEnd: Error | null = null
  #client: ClientFacts = { stateless: false, host: null, showsForms: false }

  constructor({ name, engine, closed = null }: GuardedServer, ports: GuardPorts) {
    this.#name = name
    this.#engine = engine
    this.#closed = closed
    this.#ports = ports
    this.#held = new HeldLines(ports.toClient)
    if (closed !== null) ports.tell(closed)
    if (this.#untrusted !== null) ports.tell(this.#untrusted)
  }

  /** Reason why hooks of the folder do not run; null when they do. */
  get #untrusted(): string | null {
    return this.#engine.problems.find(({ rule }) => rule === 'untrusted')?.message ?? null
  }

  /** Takes a line of the client. */
  fromClient(line: Buffer): void {
    const read = parseUnambiguously(line.toString())
    const fault = 'fault' in read ? read.fault : findLineFault(line)
    const value = 'value' in read ? read.value : null
    if (fault !== null) this.#refuseLine(line, fault)
    else if (!Array.isArray(value)) this.#takeClientMessage(value, line)
    else if (value.length === 0) this.#refuseLine(line, 'an empty batch')
    else if (value.every((one) => this.#isPlain(one))) {
      for (const one of value) this.#remember(one)
      this.#ports.toServer(line)
    } else for (const one of value) this.#takeClientMessage(one, Buffer.from(stringifyAsWritten(one)))
  }

  /** A line of the client that is too long to be read. */
  refuseLong(bytes: number): void {
    this.#refuseLine(null, `a message of ${bytes} bytes is too long`)
  }

  /** Takes a line of the server. */
  fromServer(written: Buffer): void {
    const read = parseLine(written)
    const line = toUnambiguousLine(read, written)
    if (!Array.isArray(read)) this.#pass(this.#takeServerMessage(read, line))
    else if (read.some((one) => this.#isRelevant(one)))
      for (const one of read) this.#pass(this.#takeServerMessage(one, Buffer.from(stringifyAsWritten(one))))
    else {
      for (const { id, method } of read) if (method === undefined && isId(id)) this.#pending.delete(toIdKey(id))
      this.#ports.toClient(line)
    }
  }

  #pass(line: Buffer | null): void {
    if (line !== null) this.#ports.toClient(line)
  }

  /** Tells the client of every request that it will not be answered, and hooks of every call. */
  async endServer(why: string): Promise<void> {
    const reason = `The MCP server "${this.#name}" ${why}.`
    this.#serverEnd = new Error(reason)
    for (const [key, one] of this.#pending) {
      if (one.asks === 'tool') one.answer?.(this.#serverEnd)
      else {
        this.#pending.delete(key)
        this.#ports.toClient(makeErrorAnswer(one.id, FAULTS.closed, reason))
      }
    }
    await this.waitUntilIdle()
  }

  /** Resolves when hooks have seen the end of every call that is under way. */
  async waitUntilIdle(): Promise<void> {
    while (this.#working.size > 0) await Promise.allSettled(this.#working)
  }

  /** Gives up every call: the client is gone. */
  abandon(): void {
    for (const one of this.#pending.values()) if (one.asks === 'tool') this.#cancel(one)
    for (const { call } of this.#rounds.values()) this.#cancel(call)
  }

  #refuseLine(line: Buffer | null, fault: string): void {
    const isJson = line !== null && parseLine(line) !== undefined
    const id = line === null ? null : readId(parseLine(line))
    const reason = `The message was not passed on: ${fault}.`
    this.#ports.tell(`The client of "${this.#name}" sent a message that was not passed on: ${fault}.`)
    this.#ports.toClient(makeErrorAnswer(id, isJson || line === null ? FAULTS.request : FAULTS.parse, reason))
  }

  #takeClientMessage(message: unknown, line: Buffer): void {
    const fault = this.#findFault(message)
    if (fault !== null) this.#refuseLine(line, fault)
    else if (isObject(message) && message.method === CALL) this.#take(message, line)
    else if (isObject(message) && this.#isForServer(message)) {
      this.#remember(message)
      this.#ports.toServer(line)
    }
  }

  /**
   * Finds why a message does not pass; null when it does. A call without an id could not be answered, and a server might make it all
   * the same. Of two requests with one id it could not be told which of them was answered.
   */
  #findFault(message: unknown): string | null {
    if (!isObject(message)) return 'it is not an object'
    const { id, method, params } = message
    if (this.#isTaken(message)) return 'its id is that of a request that is not answered yet'
    const spelling = findSpellingFault(message, CALL)
    if (spelling !== null || method !== CALL) return spelling
    if (!isId(id)) return 'a call of a tool needs an id: a string, or a number that no program rounds'
    if (!isObject(params) || typeof params.name !== 'string') return 'a call of a tool needs its name'
    const isPlain = toVisible(params.name) === params.name && params.name.trim() === params.name
    return isPlain ? null : 'the name of the tool has characters that are not shown, or blanks around it'
  }

  /** Answers to our own questions are not, nor is the end of a call that the server has not seen. */
  #isForServer({ id, method, params, result, error }: Message): boolean {
    if (method === undefined) {
      const question = isId(id) ? this.#questions.get(toIdKey(id)) : undefined
      question?.(error === undefined ? result : null)
      return question === undefined
    }
    const requestId = method === CANCELLED && isObject(params) ? params.requestId : undefined
    const cancelled = isId(requestId) ? this.#pending.get(toIdKey(requestId)) : undefined
    if (cancelled?.asks !== 'tool') return true
    const isSent = cancelled.answer !== null
    this.#cancel(cancelled)
    return isSent
  }

  /** True if a message of a batch can pass with it. */
  #isPlain(message: unknown): message is Message {
    if (!isObject(message) || this.#findFault(message) !== null) return false
    const { method } = message
    return method !== undefined && method !== CALL && method !== CANCELLED
  }

  #isTaken({ id, method }: Message): boolean {
    return method !== undefined && isId(id) && this.#pending.has(toIdKey(id))
  }

  #remember(message: Message): void {
    const { id, method } = message
    if (method === 'initialize') this.#client = readClientFacts(message)
    if (method === undefined || !isId(id)) return
    const progressToken = isObject(message.params) ? readProgressToken(message.params) : undefined
    this.#pending.set(toIdKey(id), { asks: 'other', id, method, progressToken })
  }

  #take(message: Message, line: Buffer): void {
    const { id, params } = message
    if (!isId(id) || !isObject(params)) return
    if (typeof params.requestState === 'string' && params.requestState.startsWith(OURS)) {
      this.#takeAgain(id, params, params.requestState)
      return
    }
    const own = readClientFacts(message)
    const call: GuardedCall = {
      asks: 'tool',
      id,
      tool: String(params.name),
      cancel: new AbortController(),
      progressToken: readProgressToken(params),
      client: own.stateless ? own : this.#client,
      answer: null,
      mayBeReplaced: false,
      unasked: null,
    }
    this.#pending.set(toIdKey(id), call)
    const working = this.#make(call, params, line)
      .catch((error: unknown) => this.#makeFailure(call, error))
      .then((answer) => {
        this.#working.delete(working)
        this.#forget(call)
        if (!call.cancel.signal.aborted) this.#ports.toClient(answer)
      })
    this.#working.add(working)
  }

  /** Goes on with a call that comes again, with what the user said. */
  #takeAgain(id: Id, params: Readonly<Record<string, unknown>>, state: string): void {
    const round = this.#rounds.get(state)
    if (round === undefined || round.asked !== makeAskedKey(params)) {
      this.#ports.toClient(makeErrorAnswer(id, FAULTS.params, 'This is not a call that the user was asked about.'))
      return
    }
    this.#rounds.delete(state)
    const { call, answer } = round
    call.id = id
    call.progressToken = readProgressToken(params)
    this.#pending.set(toIdKey(id), call)
    answer(isObject(params.inputResponses) ? params.inputResponses[QUESTION] : null)
  }

  /** The answer to a call that hooks did not see to its end: it was not made, or what came of it is not told. */
  #makeFailure(call: GuardedCall, error: unknown): Buffer {
    this.#held.drop(call)
    const reason = error instanceof Error ? error.message : String(error)
    if (!call.cancel.signal.aborted) this.#ports.tell(reason)
    return makeErrorAnswer(call.id, FAULTS.internal, reason)
  }

  /** Resolves with what the client gets. */
  async #make(call: GuardedCall, params: Readonly<Record<string, unknown>>, line: Buffer): Promise<Buffer> {
    const { cancel, id: first } = call
    const { signal } = cancel
    if (this.#closed !== null) return this.#makeRefusal(call, { reason: this.#closed })
    const options = this.#makeOptions(call, params)
    const input = params.arguments ?? {}
    const toolCall = { name: makeToolName(this.#name, call.tool), id: String(call.id), signal }
    const asking = { ...options, dispatch: this.#askGuards }
    const verdict = await guardBeforeCall(this.#engine, { ...toolCall, input }, asking)
    if (verdict.ended !== 'cleared') {
      if (verdict.halt !== null) this.#ports.tell(verdict.halt)
      const reason = verdict.ended === 'refused' ? verdict.reason : verdict.halt
      return this.#makeRefusal(call, { reason, texts: verdict.texts })
    }

    signal.throwIfAborted()
    const { task, ...sent } = params // a result that is fetched later would pass hooks by; a server without tasks answers at once
    const isSame = verdict.input === input && task === undefined && call.id === first
    const { progressToken } = call
    const isOwnToken = progressToken === undefined || progressToken === readProgressToken(params)
    const meta = isObject(params._meta) && !isOwnToken ? { _meta: { ...params._meta, progressToken } } : {}
    const request = { id: call.id, method: CALL, params: { ...sent, arguments: verdict.input, ...meta } }
    call.mayBeReplaced = this.#mayBeReplaced(toolCall.name, verdict.input)
    const started = performance.now()
    const answered = toKnownAnswer(call, await this.#answerTo(call, isSame ? line : writeMessage(request)))
    const durationMs = Math.round(performance.now() - started)
    const end = answered instanceof Error ? { error: answered } : readAnswerEnd(answered.message)
    if (!(answered instanceof Error) && (end === 'open' || (end === 'later' && !call.mayBeReplaced))) {
      this.#held.release(call)
      return answered.line
    }
    const outcome = { ...(typeof end === 'string' ? { error: new Error(LATER) } : end), durationMs }
    const after = await guardAfterCall(this.#engine, { ...toolCall, input: verdict.input }, { ...options, outcome })
    if (after.halt !== null) this.#ports.tell(after.halt)
    const isTold = !after.replaced && typeof end !== 'string' && !(answered instanceof Error)
    if (isTold) this.#held.release(call)
    else this.#held.drop(call)
    if (answered instanceof Error) return makeErrorAnswer(call.id, FAULTS.closed, answered.message)
    if (end === 'later') return makeErrorAnswer(call.id, FAULTS.internal, LATER)
    const texts = [...verdict.texts, ...after.texts, ...(after.halt === null ? [] : [HALTED])]
    if (!after.replaced && texts.length === 0) return answered.line
    const { message } = answered
    const isReplaced = after.ended === 'ran' && after.replaced
    const answer = isReplaced ? { id: call.id, result: makeReplacedResult(message.result, after.output) } : message
    return writeMessage(appendTexts(answer, texts))
  }

  #makeRefusal(call: GuardedCall, { reason, texts = [] }: CallRefusal): Buffer {
    return writeMessage({ id: call.id, result: makeErrorResult([call.unasked ?? reason, ...texts], call.client) })
  }

  /** Sends a call to the server; resolves with its answer, or with why there is none. */
  #answerTo(call: GuardedCall, request: Buffer): Promise<ServerAnswer | Error> {
    return new Promise((resolve) => {
      if (this.#serverEnd !== null) resolve(this.#serverEnd)
      call.answer = resolve
      this.#ports.toServer(request)
    })
  }

  /** A server may answer a call that was cancelled: until then its id stays known, so that the answer does not pass. */
  #forget(call: GuardedCall): void {
    if (!call.cancel.signal.aborted || call.answer === null) this.#pending.delete(toIdKey(call.id))
  }

  #cancel(call: GuardedCall): void {
    call.cancel.abort()
    call.answer?.(new Error('The client cancelled the call.'))
  }

  #makeOptions(call: GuardedCall, params: Readonly<Record<string, unknown>>): GuardOptions {
    const { stateless, showsForms } = call.client
    const onAsk: GuardOptions['onAsk'] = async (question) => {
      const form = makeForm(this.#name, call.tool, question)
      if (form.message.length > MAX_QUESTION_CHARACTERS) {
        call.unasked = formatUnasked(question)
        return false
      }
      const answer = await (stateless ? this.#askByResult(call, form, makeAskedKey(params)) : this.#ask(call, form))
      return isObject(answer) && answer.action === 'accept'
    }
    return {
      deferred: 'refused',
      onNotice: (notice) => {
        if (notice !== this.#untrusted) this.#ports.tell(notice)
      },
      ...(showsForms ? { onAsk } : {}),
    }
  }

  /** Shows an event to hooks that may refuse a call. One that the system had no room for has agreed to nothing. */
  #askGuards: GuardOptions['dispatch'] = async (event, options) => {
    const record = await this.#engine.dispatch(event, options)
    const shortage = record.decision.blocked ? null : findStartShortage(record)
    if (shortage === null) return record
    throw new HooklineError(`The call was not made, since a hook could not be started: ${shortage}.`)
  }

  /** Asks the user of the client whether a call may be made. */
  async #ask({ cancel: { signal } }: GuardedCall, params: object): Promise<unknown> {
    const id = `${OURS}${randomUUID()}`
    const answer = await new Promise<unknown>((resolve) => {
      this.#questions.set(toIdKey(id), resolve)
      signal.addEventListener('abort', () => resolve(null), { once: true })
      this.#ports.toClient(writeMessage({ id, method: 'elicitation/create', params }))
    })
    this.#questions.delete(toIdKey(id))
    if (signal.aborted) this.#ports.toClient(writeMessage({ method: CANCELLED, params: { requestId: id } }))
    return answer
  }

  /** The same in the revision in which servers send no requests: the client gets the question as a result, and calls again. */
  #askByResult(call: GuardedCall, params: object, asked: string): Promise<unknown> {
    const requestState = `${OURS}${randomUUID()}`
    const inputRequests = { [QUESTION]: { method: 'elicitation/create', params } }
    return new Promise((resolve) => {
      const [oldest] = this.#rounds.size < MAX_QUESTION_ROUNDS ? [] : this.#rounds
      if (oldest !== undefined) {
        this.#rounds.delete(oldest[0])
        this.#cancel(oldest[1].call)
      }
      this.#rounds.set(requestState, { call, asked, answer: resolve })
      call.cancel.signal.addEventListener('abort', () => resolve(null), { once: true })
      this.#pending.delete(toIdKey(call.id))
      const result = { resultType: 'input_required', inputRequests, requestState }
      this.#ports.toClient(writeMessage({ id: call.id, result }))
    })
  }

  /** True if hooks would see the output of a call: until they have, what the server says beside it waits. */
  #mayBeReplaced(tool_name: string, tool_input: unknown): boolean {
    return this.#engine.listensTo({ hook_event_name: 'PostToolUse', tool_name, tool_input, tool_response: {} })
  }

  /** Passes on what the client gets of a message of the server; null: nothing. */
  #takeServerMessage(message: unknown, line: Buffer): Buffer | null {
    if (!isObject(message)) return this.#tellLeftOut('wrote a line that is not a message', line)
    if (message.method !== undefined) return this.#passNotification(message, line)
    const { id } = message
    if (!isId(id)) return this.#holdBack(line)
    const pending = this.#pending.get(toIdKey(id))
    if (pending === undefined) return this.#tellLeftOut('answered a request that was not made', line)
    if (pending.asks === 'tool') {
      if (pending.answer !== null && pending.cancel.signal.aborted) this.#pending.delete(toIdKey(id))
      else pending.answer?.({ message, line })
      return null
    }
    this.#pending.delete(toIdKey(id))
    const greets = pending.method === 'initialize' || pending.method === 'server/discover'
    return greets ? this.#makeGreeting(message, line) : line
  }

  #tellLeftOut(what: string, line: Buffer): null {
    const which = this.#replaceable.length > 0 ? '' : `: ${formatLine(line)}`
    this.#ports.tell(`The MCP server "${this.#name}" ${what}, which is not passed on${which}`)
    return null
  }

  /** The calls under way whose results hooks may replace. */
  get #replaceable(): GuardedCall[] {
    return [...this.#pending.values()].filter((one) => one.asks === 'tool').filter(({ mayBeReplaced }) => mayBeReplaced)
  }

  /** Has a line wait for what hooks say about the calls under way, which may have said the same; null: it waits. */
  #holdBack(line: Buffer): Buffer | null {
    const calls = this.#replaceable
    if (calls.length === 0) return line
    return this.#held.hold(line, calls) ? null : this.#tellLeftOut('says too much while hooks look at a call', line)
  }

  /**
   * A request or notification of the server. While a call is under way whose result hooks may replace, nothing passes but what
   * the protocol has, and what could hold the same as the result does not: it waits for what hooks say, or is answered by us.
   */
  #passNotification(message: Message, line: Buffer): Buffer | null {
    const { id } = message
    if (this.#replaceable.length === 0) return line
    if (isId(id)) return this.#passServerRequest(message, line)
    const tokens = new Set([...this.#pending.values()].map(({ progressToken }) => progressToken))
    const narrowed = id === undefined ? narrowNotification(message, tokens) : null
    return narrowed === null ? this.#holdBack(line) : writeNarrowed(narrowed, message, line)
  }

  /** A request of the server while hooks may replace the result of a call: it cannot wait, since the call waits for it. */
  #passServerRequest(message: Message, line: Buffer): Buffer | null {
    const narrowed = narrowRequest(message)
    if (narrowed !== null) return writeNarrowed(narrowed, message, line)
    const isAwaited = this.#replaceable.some(({ cancel }) => !cancel.signal.aborted)
    if (!isAwaited) return line
    const what = clipName(toVisible(String(message.method)))
    const why = `Hooks look at the output of the call that is under way, and ${what} could tell the client the same before them.`
    this.#ports.tell(`The MCP server "${this.#name}" was refused a request. ${why}`)
    if (isId(message.id)) this.#ports.toServer(makeErrorAnswer(message.id, FAULTS.request, why))
    return null
  }

  /** Makes the server's introduction, without tasks of tools, whose results hooks would not see, and with a word on trust. */
  #makeGreeting(message: Message, line: Buffer): Buffer {
    const { result } = message
    if (!isObject(result)) return line
    const capabilities = removeToolTasks(result.capabilities)
    const untrusted = this.#untrusted
    if (capabilities === result.capabilities && untrusted === null) return line
    const { instructions } = result
    const told = `[Hookline: hooks do not check the calls of this server. ${untrusted}]`
    const texts = [told, ...(typeof instructions === 'string' ? [instructions] : [])]
    const said = untrusted === null ? {} : { instructions: texts.join('\n\n') }
    return writeMessage({ ...message, result: { ...result, capabilities, ...said } })
  }

  /** True if a message of the server may have to be changed or kept back. */
  #isRelevant(message: unknown): boolean {
    if (!isObject(message)) return true
    const { id, method } = message
    if (method !== undefined) return id === undefined || this.#replaceable.length > 0
    if (!isId(id)) return true
    const pending = this.#pending.get(toIdKey(id))
    return pending === undefined || pending.asks === 'tool' || pending.method === 'initialize'
  }
}

const CALL = 'tools/call'
const CANCELLED = 'notifications/cancelled'
/** Beginning of ids and states of our own. */
const OURS = 'hookline-'
const QUESTION = 'hookline'
/** Calls that wait at a time for a client to make them again; of more, the oldest is given up. */
const MAX_QUESTION_ROUNDS = 100
const LATER = 'The tool answers later, and hooks could not look at its result then. Call it without a task.'
const UNKNOWN = 'The server gave an answer that the protocol does not have, which hooks could not look at.'
const HALTED = 'A hook ended the turn: make no further calls, and tell the user.'

/** Makes the name that hooks have for a tool of a server. */
function makeToolName(server: string, tool: string): string {
  return `mcp__${server}__${tool.replaceAll(/[^\w-]/g, '_')}`
}

/** Characters of a question. What is longer is not read to its end, so it is not asked. */
const MAX_QUESTION_CHARACTERS = 4000

/** An answer as hooks and the client both get it, where hooks may replace it; else as it is. */
function toKnownAnswer({ mayBeReplaced }: GuardedCall, answered: ServerAnswer | Error): ServerAnswer | Error {
  if (answered instanceof Error || !mayBeReplaced) return answered
  const isShallow = 'value' in parseUnambiguously(answered.line.toString())
  const isReadAlike = isShallow && findDoubledKey(answered.message) === null
  const message = isReadAlike ? narrowAnswer(answered.message) : null
  return message === null
    ? new Error(UNKNOWN)
    : { message, line: writeNarrowed(message, answered.message, answered.line) }
}

/** The line of a message, or of what is left of it. */
function writeNarrowed(narrowed: Message, message: Message, line: Buffer): Buffer {
  const { jsonrpc: _, ...own } = message as Message & { readonly jsonrpc?: unknown } // every line has it
  return JSON.stringify(narrowed) === JSON.stringify(own) ? line : writeMessage(narrowed)
}

function readProgressToken({ _meta }: Readonly<Record<string, unknown>>): unknown {
  return isObject(_meta) ? _meta.progressToken : undefined
}

/** Makes the key by which a call is recognised when it comes again. */
function makeAskedKey({ name, arguments: input = {} }: Readonly<Record<string, unknown>>): string {
  return toCanonicalJson([name, input])
}

/** A question as clients show it. */
interface Form {
  readonly message: string
  readonly requestedSchema: object
}

/** A question to the user, who has nothing to fill in: to accept it is the answer. */
function makeForm(server: string, tool: string, question: Question): Form {
  const message = formatQuestion(server, tool, question)
  return { message, requestedSchema: { type: 'object', properties: {} } }
}

/** Formats a question, in which what the server and the model wrote stands as such, in quotes, on a line of its own, and whole. */
function formatQuestion(server: string, tool: string, { input, reason }: Question): string {
  return [
    `Hookline: may this call of the MCP server "${server}" be made?`,
    ...(reason === null ? [] : [`A hook says: ${toVisible(reason)}`]),
    `The tool, as the server names it: ${toVisible(JSON.stringify(tool))}`,
    `The input that it would get: ${toVisible(stringifyAsWritten(input))}`,
  ].join('\n')
}

/** Reason why a call is refused that the user cannot be asked about: nobody could tell what a question about it hides. */
function formatUnasked({ tool, reason }: Question): string {
  const why = reason === null ? '' : ` The hook says: ${reason}`
  return `${tool} was not called: a hook wants the user to be asked, and the call is too long to be shown whole. Make it shorter.${why}`
}

function removeToolTasks(capabilities: unknown): unknown {
  if (!isObject(capabilities) || !isObject(capabilities.tasks)) return capabilities
  const { requests, ...tasks } = capabilities.tasks
  if (!isObject(requests) || !('tools' in requests)) return capabilities
  const { tools: _, ...others } = requests
  return { ...capabilities, tasks: { ...tasks, requests: others } }
}

/** undefined: it is not JSON. */
function parseLine(line: Buffer): unknown {
  try {
    return parseAsWritten(line.toString())
  } catch {
    return undefined // a log line of a program that writes where it should not, or half a message
  }
}

/** Finds why a line of JSON is not the same message to every reader; null when it is. */
function findLineFault(line: Buffer): string | null {
  if (!isUtf8(line)) return 'it is not UTF-8'
  const end = line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length
  return line.subarray(0, end).includes(CARRIAGE_RETURN)
    ? 'it holds a carriage return, at which some programs end a line'
    : null
}

/** The line of a server as it was written, or else as hooks read it where clients could read it otherwise. */
function toUnambiguousLine(read: unknown, line: Buffer): Buffer {
  const isSame = read === undefined || (findLineFault(line) === null && findDoubledKey(read) === null)
  return isSame ? line : Buffer.from(stringifyAsWritten(read))
}

function readId(message: unknown): Id | null {
  return isObject(message) && message.method !== undefined && isId(message.id) ? message.id : null
}

const CARRIAGE_RETURN = 0x0d

const MAX_SHOWN_CHARS = 100

function formatLine(line: Buffer): string {
  return toVisible(line.subarray(0, MAX_SHOWN_CHARS).toString())
}
