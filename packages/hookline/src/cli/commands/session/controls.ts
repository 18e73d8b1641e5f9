import { maskSecrets } from '../../../config/trust.ts'
import type { AnyEngine, Engine } from '../../../engine/engine-interface.ts'
import { nameState } from '../../../engine/listing.ts'
import type { EventInput } from '../../../protocol/event-input.ts'
import type { DispatchRecord } from '../../../protocol/record/record.ts'
import { isObject } from '../../../text/json.ts'
import { VERSION } from '../../../text/version.ts'
import { carryWriting, findDoubledKey, removeDoubledKeys, stringifyAsWritten } from '../../../text/written-json.ts'
import { type CallOutcome, guardAfterCall } from '../../../tools/after-call.ts'
import { guardBeforeCall } from '../../../tools/before-call.ts'
import { fireAfterBatch } from '../../../tools/guard-call.ts'
import { findToolNames, type ToolNames } from '../../../tools/names.ts'
import { openTurn, type Turn } from '../../../tools/open-turn.ts'
import type { GuardOptions, ToolCall } from '../../../tools/tool-call.ts'
import { refuseInAgent } from '../../start/calling-agent.ts'
import { UsageError } from '../../start/flags.ts'

/** Versions of what is said over the lines of a session. A client that does not say which it speaks speaks the first. */
const SESSION_VERSIONS = [2, 3] as const
const LATEST_VERSION = 3

/** A line that is not an event. */
export interface ControlLine {
  readonly control: string
  readonly [field: string]: unknown
}

/** Session that control lines act on. */
export interface ControlContext {
  readonly engine: Engine
  /** Aborts when the line is cancelled, or the session interrupted. */
  readonly signal: AbortSignal
  /** Ends the line of this id; whether it was under way. */
  readonly cancel: (id: unknown) => boolean
  readonly state: ClientState
}

/** State of a client. */
export interface ClientState {
  /** The version that it speaks. */
  version: number
  /** Takes hooks away that were registered, by their number. */
  readonly registered: Map<number, () => void>
  /** Turns that are open, by their number. */
  readonly turns: Map<number, ClientTurn>
}

interface ClientTurn {
  readonly turn: Turn
  readonly agent: string | undefined
  /** Takes what hooks tell besides. */
  readonly told: CollectedNotices
}

/** Notices of hooks, for the answer to a line. */
interface CollectedNotices {
  notices: string[]
  records: DispatchRecord[]
}

/** The state at the beginning of a session. */
export function makeClientState(): ClientState {
  return { version: SESSION_VERSIONS[0], registered: new Map(), turns: new Map() }
}

/** Does what a control line asks for. */
export async function executeControl(line: ControlLine, controlled: ControlContext): Promise<object> {
  const control = Object.hasOwn(CONTROLS, line.control) ? CONTROLS[line.control] : undefined
  if (!control)
    throw new UsageError(`"${line.control}" is not a control. Controls: ${Object.keys(CONTROLS).join(', ')}.`)
  const doubled = findDoubledKey(omitCallData(line))
  if (doubled !== null)
    throw new UsageError(`The key "${doubled}" stands twice in a "${line.control}" line: write it once.`)
  return control(line, controlled)
}

/** A line without the inputs and outputs of calls, in which a key that stands twice matters only where hooks look at it. */
function omitCallData(line: ControlLine): unknown {
  const { call, calls, outcome } = line
  return replaceFields(line, {
    call: replaceFields(call, { input: null }),
    calls: Array.isArray(calls) ? calls.map((one) => replaceFields(one, { input: null })) : calls,
    outcome: replaceFields(outcome, { output: null }),
  })
}

function replaceFields(value: unknown, fields: Readonly<Record<string, unknown>>): unknown {
  if (!isObject(value)) return value
  const copy = { ...value, ...fields }
  carryWriting(copy, value)
  return copy
}

const CONTROLS: Readonly<Record<string, (line: ControlLine, controlled: ControlContext) => Promise<object>>> = {
  drain: async (_line, { engine }) => ({ delivered: await engine.drain() }),
  delivered: async (_line, { engine }) => ({ delivered: engine.takeDeliveries() }),
  activate: async (line, { engine }) => ({ active: await engine.activate(readComponentField(line), readLoop(line)) }),
  deactivate: async (line, { engine }) => ({ active: engine.deactivate(readComponentField(line), readLoop(line)) }),
  env: async (_line, { engine }) => ({ env: await engine.readEnvironment() }),
  changes: async (_line, { engine }) => ({ changes: await engine.listChanges() }),
  accept: async (_line, { engine }) => ({ accepted: await engine.accept() }),
  hello: async (line, { engine, state }) => {
    agreeOnVersion(line, state)
    return { hello: makeHello(engine) }
  },
  cancel: async ({ target }, { cancel }) => ({ cancelled: cancel(target) }),
  before: (line, controlled) => answerBefore(line, controlled),
  after: (line, controlled) => answerAfter(line, controlled),
  batch: (line, controlled) => batch(line, controlled),
  turn: async (line, controlled) => openClientTurn(line, controlled),
  begin: (line, controlled) => runInTurn(line, controlled, async ({ turn }) => ({ begin: await turn.begin() })),
  submit: (line, controlled) =>
    runInTurn(line, controlled, async ({ turn }) => ({ submit: await turn.submit(readString(line, 'prompt')) })),
  late: (line, controlled) => runInTurn(line, controlled, async ({ turn }) => ({ late: turn.takeLate() })),
  mayStop: (line, controlled) =>
    runInTurn(line, controlled, async ({ turn }) => ({
      mayStop: await turn.mayStop(line.facts === undefined ? {} : readObjectField(line, 'facts')),
    })),
  endTurn: async ({ turn }, { state }) => ({ ended: typeof turn === 'number' && state.turns.delete(turn) }),
  register: (line, controlled) => register(line, controlled),
  unregister: async ({ registration }, { state: { registered } }) => {
    const remove = typeof registration === 'number' ? registered.get(registration) : undefined
    remove?.()
    return { unregistered: remove !== undefined }
  },
  list: async (_line, { engine }) => ({ hooks: [...engine.list().map(toListedHook), ...engine.listModules()] }),
  explain: async (line, { engine }) => ({ explanation: engine.explain(readObjectField(line, 'event') as EventInput) }), // the line is checked
  problems: async (_line, { engine }) => ({ problems: engine.problems, faults: engine.faults }),
  trust: (line, { engine }) => trust(line, engine),
}

/** Makes what a client learns of the session. */
export function makeHello(engine: AnyEngine): object {
  return {
    hookline: VERSION,
    session: LATEST_VERSION,
    speaks: SESSION_VERSIONS,
    record: 2,
    profile: engine.profile.name,
    sessionId: engine.sessionId,
    controls: Object.keys(CONTROLS),
  }
}

/** A client that says which version it speaks is answered in that one from now on. */
function agreeOnVersion({ session }: ControlLine, state: ClientState): void {
  if (session === undefined) return
  if (!SESSION_VERSIONS.some((version) => version === session)) {
    const spoken = SESSION_VERSIONS.join(' and ')
    throw new UsageError(
      `Session protocol ${JSON.stringify(session)} is not spoken by hookline ${VERSION}, which speaks ${spoken}: update the older of the two.`,
    )
  }
  state.version = session as number // one of the versions
}

function toListedHook(listed: ReturnType<Engine['list']>[number]): object {
  const { hook, key, standing, duplicateOf } = listed
  const { id, event, scope, profile, file, line, matcherText, written } = hook
  const because = 'because' in standing ? { because: standing.because } : {}
  const twin = duplicateOf === null ? {} : { duplicateOf }
  return {
    id,
    key,
    event,
    scope,
    profile,
    file,
    line,
    matcher: matcherText,
    ...written,
    state: nameState(listed),
    ...because,
    ...twin,
  }
}

/** Tells what the project asks to be trusted with; with `accept` it is trusted, if it is still what that digest stands for. */
async function trust({ accept, keep }: ControlLine, engine: Engine): Promise<object> {
  const { request } = engine.trust
  const { folder, digest, files, asks } = request
  if (accept === undefined)
    return { trust: { accepted: engine.trust.accepted, folder, digest, files: maskSecrets(files), asks } }
  if (accept !== digest)
    throw new UsageError('"accept" must be the digest that {"control":"trust"} shows: nothing is trusted.')
  if (keep === true) refuseInAgent('Which hooks are trusted', process.env)
  await engine.acceptTrust({ keep: keep === true })
  return { trust: { accepted: engine.trust.accepted, folder, digest } }
}

/** In version 3 an input comes back only when a hook rewrote it; before, always. */
async function answerBefore(line: ControlLine, controlled: ControlContext): Promise<object> {
  const { engine, signal, state } = controlled
  const { told, options } = collectNotices(line, state)
  const call = readControlCall(line)
  const verdict = await guardBeforeCall(engine, { ...call, signal }, { ...options, onAsk: () => 'later' })
  if (verdict.ended !== 'cleared') return { before: verdict, ...told }
  const { input, ...cleared } = verdict
  const unchanged = input === call.input || stringifyAsWritten(input) === stringifyAsWritten(call.input)
  const given = unchanged && state.version > 2 ? {} : { input: unchanged ? call.input : input }
  return { before: { ...cleared, unchanged, ...given }, ...told }
}

/** The same for an output. What was wrong with a call that failed the host knows. */
async function answerAfter(line: ControlLine, controlled: ControlContext): Promise<object> {
  const { engine, signal, state } = controlled
  const { told, options } = collectNotices(line, state)
  const written = readOutcome(line)
  const outcome = 'output' in written ? { ...written, output: removeDoubledKeys(written.output) } : written
  const seen = await guardAfterCall(engine, { ...readControlCall(line), signal }, { ...options, outcome })
  const isOtherOutput = 'output' in written && 'output' in outcome && outcome.output !== written.output
  const isSeen = told.records.some(({ hooks }) =>
    hooks.some(({ verdict }) => verdict === 'ran' || verdict === 'backgrounded'),
  )
  // A model that read the other value of a key would read what hooks did not see.
  const aftermath = { ...seen, replaced: seen.replaced || (isOtherOutput && isSeen) }
  const { texts, halt, ended, replaced } = aftermath
  const whole = state.version > 2 && !replaced ? { ended, texts, halt, replaced, unchanged: true } : aftermath
  return { after: whole, ...told }
}

/** Shows hooks all calls of one answer of the model: PostToolBatch. */
async function batch(line: ControlLine, controlled: ControlContext): Promise<object> {
  const { engine, signal, state } = controlled
  const { told, options } = collectNotices(line, state)
  const { calls } = line
  if (!Array.isArray(calls)) throw new UsageError('"batch" needs "calls", a list.')
  const answered = calls.map((call: unknown) => {
    const { name, input, id } = readControlCall({ control: 'batch', call })
    return { name, input, id, response: readString(Object(call), 'response', 'batch') }
  })
  return { batch: await fireAfterBatch(engine, answered, { ...options, signal }), ...told }
}

/** Collects how the calls of a line are guarded; what hooks tell besides goes along with the answer. */
function collectNotices(
  line: ControlLine,
  state: ClientState,
): { readonly told: CollectedNotices; readonly options: GuardOptions } {
  const told: CollectedNotices = { notices: [], records: [] }
  const own = line.turn === undefined ? null : findTurn(line, state)
  const agent = own?.agent ?? (typeof line.agent === 'string' ? line.agent : undefined)
  const options = {
    ...(agent === undefined ? {} : { agent }),
    ...(own === null ? {} : { turn: own.turn }),
    ...readToolNames(line),
    ...(line.deferred === 'refused' ? { deferred: 'refused' as const } : {}),
    onNotice: (notice: string) => told.notices.push(notice),
    onRecord: (record: DispatchRecord) => told.records.push(record),
  }
  return { told, options }
}

/** A table of names, or the name of a known agent that has one. */
function readToolNames({ names, control }: ControlLine): { readonly names?: ToolNames } {
  if (names === undefined) return {}
  if (typeof names === 'string') return { names: findToolNames(names) }
  if (isObject(names) && Object.values(names).every((name) => typeof name === 'string' || isObject(name)))
    return { names: names as ToolNames } // the fields are looked up one by one
  throw new UsageError(`"names" of "${control}" must be an agent, or say what hooks call each tool: {"shell": "Bash"}.`)
}

let turns = 0

function openClientTurn(line: ControlLine, { engine, state }: ControlContext): object {
  const { agent, maxStopBlocks } = line
  if (agent !== undefined && !(isObject(agent) && typeof agent.id === 'string' && typeof agent.type === 'string'))
    throw new UsageError('The "agent" of a turn must be {"id": "…", "type": "…"}; the main loop has none.')
  if (maxStopBlocks !== undefined && !Number.isSafeInteger(maxStopBlocks))
    throw new UsageError('"maxStopBlocks" must be a whole number.')
  const told: CollectedNotices = { notices: [], records: [] }
  const loop = agent === undefined ? {} : { agent: { id: String(agent.id), type: String(agent.type) } }
  const turn = openTurn(engine, {
    ...loop,
    ...(maxStopBlocks === undefined ? {} : { maxStopBlocks: Number(maxStopBlocks) }),
    ...readToolNames(line),
    onNotice: (notice) => told.notices.push(notice),
    onRecord: (record) => told.records.push(record),
  })
  state.turns.set(++turns, { turn, agent: loop.agent?.id, told })
  return { turn: turns }
}

/** Does something in a turn; what hooks tell besides goes along with the answer, as does why the turn is over. */
async function runInTurn(
  line: ControlLine,
  { state }: ControlContext,
  act: (turn: ClientTurn) => Promise<object>,
): Promise<object> {
  const turn = findTurn(line, state)
  const answer = await act(turn)
  const { notices, records } = turn.told
  Object.assign(turn.told, { notices: [], records: [] })
  return { ...answer, halted: turn.turn.halted, notices, records }
}

function findTurn({ turn }: ControlLine, { turns }: ClientState): ClientTurn {
  const known = typeof turn === 'number' ? turns.get(turn) : undefined
  if (known !== undefined) return known
  throw new UsageError(`${JSON.stringify(turn)} is not an open turn: {"control":"turn"} opens one and says its number.`)
}

function readControlCall(line: ControlLine): ToolCall {
  const { name, input, id, answer, schema } = readObjectField(line, 'call')
  if (typeof name !== 'string') throw new UsageError(`"${line.control}" needs a "call" with the "name" of its tool.`)
  const { clearance, allow } = Object(answer ?? line.answer)
  return {
    name,
    input,
    ...(typeof id === 'string' ? { id } : {}),
    ...(schema === undefined ? {} : { schema: readObjectField({ control: 'schema', schema }, 'schema') }),
    ...(clearance === undefined ? {} : { answer: { clearance, allow: allow === true } }),
  }
}

function readOutcome(line: ControlLine): CallOutcome {
  const outcome = readObjectField(line, 'outcome')
  const durationMs = typeof outcome.durationMs === 'number' ? outcome.durationMs : 0
  if ('error' in outcome) return { error: new Error(String(outcome.error)), durationMs }
  if ('output' in outcome) return { output: outcome.output, durationMs }
  throw new UsageError('"after" needs an "outcome": {"output": …} or {"error": "…"}.')
}

let registrations = 0

async function register(line: ControlLine, { engine, state: { registered } }: ControlContext): Promise<object> {
  const { problems, remove } = await engine.register(readObjectField(line, 'hooks'), readLoop(line))
  const registration = ++registrations
  registered.set(registration, () => {
    registered.delete(registration)
    remove()
  })
  return { registration, problems }
}

function readObjectField(line: ControlLine, field: string): Record<string, unknown> {
  const value = line[field]
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown> // an object
  throw new UsageError(`"${line.control}" needs "${field}", an object.`)
}

function readString(line: Readonly<Record<string, unknown>>, field: string, control = line.control): string {
  const value = line[field]
  if (typeof value === 'string') return value
  throw new UsageError(`"${control}" needs "${field}", a string.`)
}

function readComponentField({ control, component }: ControlLine): string {
  if (typeof component === 'string') return component
  throw new UsageError(`"${control}" needs a "component", the path of its markdown file.`)
}

const readLoop = ({ agent }: ControlLine): { agent?: string } => (typeof agent === 'string' ? { agent } : {})
