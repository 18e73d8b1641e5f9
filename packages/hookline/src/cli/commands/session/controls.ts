import { withoutSecrets } from '../../../config/trust.ts'
import type { AnyEngine, Engine } from '../../../engine/engine-interface.ts'
import { stateOf } from '../../../engine/listing.ts'
import type { EventInput } from '../../../protocol/event-input.ts'
import type { DispatchRecord } from '../../../protocol/record.ts'
import { VERSION } from '../../../text/version.ts'
import { afterCall, type CallOutcome } from '../../../tools/after-call.ts'
import { beforeCall } from '../../../tools/before-call.ts'
import type { GuardOptions, ToolCall } from '../../../tools/tool-call.ts'
import { refuseInAgent } from '../../start/calling-agent.ts'
import { UsageError } from '../../start/flags.ts'

/** The version of what is said over the lines of a session. */
const SESSION_VERSION = 2

/** A line that is not an event. */
export interface ControlLine {
  readonly control: string
  readonly [field: string]: unknown
}

/** What a control line is obeyed with. */
export interface Controlled {
  readonly engine: Engine
  /** Aborts when the line is cancelled, or the session interrupted. */
  readonly signal: AbortSignal
  /** Ends the line of this id; whether it was under way. */
  readonly cancel: (id: unknown) => boolean
  /** Takes hooks away that were registered, by their number; whether there were some. */
  readonly registered: Map<number, () => void>
}

/** Does what a control line asks for. */
export async function obey(line: ControlLine, controlled: Controlled): Promise<object> {
  const control = Object.hasOwn(CONTROLS, line.control) ? CONTROLS[line.control] : undefined
  if (!control)
    throw new UsageError(`"${line.control}" is not a control. Controls: ${Object.keys(CONTROLS).join(', ')}.`)
  return control(line, controlled)
}

const CONTROLS: Readonly<Record<string, (line: ControlLine, controlled: Controlled) => Promise<object>>> = {
  drain: async (_line, { engine }) => ({ delivered: await engine.drain() }),
  delivered: async (_line, { engine }) => ({ delivered: engine.delivered() }),
  activate: async (line, { engine }) => ({ active: await engine.activate(componentIn(line), loopIn(line)) }),
  deactivate: async (line, { engine }) => ({ active: engine.deactivate(componentIn(line), loopIn(line)) }),
  env: async (_line, { engine }) => ({ env: await engine.environment() }),
  changes: async (_line, { engine }) => ({ changes: await engine.changes() }),
  accept: async (_line, { engine }) => ({ accepted: await engine.accept() }),
  hello: async (_line, { engine }) => ({ hello: helloOf(engine) }),
  cancel: async ({ target }, { cancel }) => ({ cancelled: cancel(target) }),
  before: (line, controlled) => before(line, controlled),
  after: (line, controlled) => after(line, controlled),
  register: (line, controlled) => register(line, controlled),
  unregister: async ({ registration }, { registered }) => {
    const remove = typeof registration === 'number' ? registered.get(registration) : undefined
    remove?.()
    return { unregistered: remove !== undefined }
  },
  list: async (_line, { engine }) => ({ hooks: [...engine.list().map(listedHook), ...engine.listModules()] }),
  explain: async (line, { engine }) => ({ explanation: engine.explain(objectIn(line, 'event') as EventInput) }), // it is checked
  problems: async (_line, { engine }) => ({ problems: engine.problems, faults: engine.faults }),
  trust: (line, { engine }) => trust(line, engine),
}

/** What a client learns of the session. */
export function helloOf(engine: AnyEngine): object {
  return {
    hookline: VERSION,
    session: SESSION_VERSION,
    record: 2,
    profile: engine.profile.name,
    sessionId: engine.sessionId,
    controls: Object.keys(CONTROLS),
  }
}

function listedHook(listed: ReturnType<Engine['list']>[number]): object {
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
    state: stateOf(listed),
    ...because,
    ...twin,
  }
}

/** What the project asks to be trusted with; with `accept` it is trusted, if it is still what that digest stands for. */
async function trust({ accept, keep }: ControlLine, engine: Engine): Promise<object> {
  const { request } = engine.trust
  const { folder, digest, files, asks } = request
  if (accept === undefined)
    return { trust: { accepted: engine.trust.accepted, folder, digest, files: withoutSecrets(files), asks } }
  if (accept !== digest)
    throw new UsageError('"accept" must be the digest that {"control":"trust"} shows: nothing is trusted.')
  if (keep === true) refuseInAgent('Which hooks are trusted', process.env)
  await engine.acceptTrust({ keep: keep === true })
  return { trust: { accepted: engine.trust.accepted, folder, digest } }
}

async function before(line: ControlLine, { engine, signal }: Controlled): Promise<object> {
  const { told, options } = guarding(line)
  const verdict = await beforeCall(engine, { ...callIn(line), signal }, { ...options, onAsk: () => 'later' })
  return { before: verdict, ...told }
}

async function after(line: ControlLine, { engine, signal }: Controlled): Promise<object> {
  const { told, options } = guarding(line)
  const aftermath = await afterCall(engine, { ...callIn(line), signal }, { ...options, outcome: outcomeIn(line) })
  return { after: aftermath, ...told }
}

/** What hooks tell besides goes along with the answer. */
function guarding({ agent }: ControlLine): {
  readonly told: { readonly notices: string[]; readonly records: DispatchRecord[] }
  readonly options: GuardOptions
} {
  const told = { notices: [] as string[], records: [] as DispatchRecord[] }
  const options = {
    ...(typeof agent === 'string' ? { agent } : {}),
    onNotice: (notice: string) => told.notices.push(notice),
    onRecord: (record: DispatchRecord) => told.records.push(record),
  }
  return { told, options }
}

function callIn(line: ControlLine): ToolCall {
  const { name, input, id, answer } = objectIn(line, 'call')
  if (typeof name !== 'string') throw new UsageError(`"${line.control}" needs a "call" with the "name" of its tool.`)
  const { clearance, allow } = Object(answer ?? line.answer)
  return {
    name,
    input,
    ...(typeof id === 'string' ? { id } : {}),
    ...(clearance === undefined ? {} : { answer: { clearance, allow: allow === true } }),
  }
}

function outcomeIn(line: ControlLine): CallOutcome {
  const outcome = objectIn(line, 'outcome')
  const durationMs = typeof outcome.durationMs === 'number' ? outcome.durationMs : 0
  if ('error' in outcome) return { error: new Error(String(outcome.error)), durationMs }
  if ('output' in outcome) return { output: outcome.output, durationMs }
  throw new UsageError('"after" needs an "outcome": {"output": …} or {"error": "…"}.')
}

let registrations = 0

async function register(line: ControlLine, { engine, registered }: Controlled): Promise<object> {
  const { problems, remove } = await engine.register(objectIn(line, 'hooks'), loopIn(line))
  const registration = ++registrations
  registered.set(registration, () => {
    registered.delete(registration)
    remove()
  })
  return { registration, problems }
}

function objectIn(line: ControlLine, field: string): Record<string, unknown> {
  const value = line[field]
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown> // an object
  throw new UsageError(`"${line.control}" needs "${field}", an object.`)
}

function componentIn({ control, component }: ControlLine): string {
  if (typeof component === 'string') return component
  throw new UsageError(`"${control}" needs a "component", the path of its markdown file.`)
}

const loopIn = ({ agent }: ControlLine): { agent?: string } => (typeof agent === 'string' ? { agent } : {})
