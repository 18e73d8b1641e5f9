import type { AnyEngine } from '../engine/open-engine.ts'
import { HooklineError } from '../files/error.ts'
import type { Decision } from '../protocol/record.ts'
import { fire } from './fire.ts'
import type {
  Checked,
  Deferred,
  GuardOptions,
  Permit,
  PermitRequest,
  Question,
  Refused,
  RefusedBy,
  ToolCall,
} from './tool-call.ts'
import type { Turn } from './turn.ts'
import { refusalOf, reminder, remindersOf } from './words.ts'

/** Whether a call may be made, and with which input. */
export type Clearance = { readonly texts: readonly string[] } & (
  | ({ readonly halt: string | null } & ({ readonly ended: 'cleared'; readonly input: unknown } | Refused))
  | Deferred
)

/** A clearance that was not given. */
export type Refusal = Extract<Clearance, Refused>

/** What hooks leave of a call: a clearance, a question to the user, or one to the permission step of the host. */
type Heard =
  | Clearance
  | { readonly ended: 'asked'; readonly question: Question; readonly texts: readonly string[] }
  | { readonly ended: 'unpermitted'; readonly request: PermitRequest; readonly texts: readonly string[] }

/**
 * Shows hooks a call that is about to be made, and asks the user where they want it. Does not resolve before hooks have
 * spoken about the other calls of the turn. Rejects when the call's signal is aborted, or the engine closed: then hooks have
 * decided nothing.
 */
export function beforeCall(engine: AnyEngine, turn: Turn, call: ToolCall, options: GuardOptions): Promise<Clearance> {
  return turn.hold(async () => {
    if (turn.halt !== null) return notRun(turn.halt)
    const heard = await turn.show(async () => {
      const said = await hear(engine, call, options)
      if ('halt' in said && said.halt !== null) turn.end(said.halt)
      return said
    })
    if (heard.ended === 'refused' || heard.ended === 'deferred') return heard
    await turn.othersSeen(call.signal)
    call.signal?.throwIfAborted()
    if (turn.halt !== null) return notRun(turn.halt, heard.texts)
    if (heard.ended === 'cleared') return heard

    const { texts } = heard
    if (heard.ended === 'unpermitted') {
      const permit = await options.permit?.(heard.request)
      const clearance = permitted(turn, permit, { call, texts })
      const asksHooks = clearance.ended === 'refused' && permit?.behavior === 'deny' && permit.automatic === true
      return asksHooks
        ? hearOfDenial(engine, { ...call, input: heard.request.input }, { ...options, clearance })
        : clearance
    }
    const { question } = heard
    const answer: unknown = await options.onAsk?.(question)
    call.signal?.throwIfAborted()
    if (turn.halt !== null) return notRun(turn.halt, texts)
    if (answer === true) return { ended: 'cleared', input: question.input, texts, halt: null }
    return refused(`The user did not allow ${call.name} here. Ask what to do instead.`, 'permission', texts)
  })
}

/** The end of a call that a hook stopped by ending the turn. */
export function notRun(stopReason: string, texts: readonly string[] = []): Refusal {
  return { ...refused('Not run: a hook ended the turn.', 'turn', texts), halt: stopReason }
}

/** What the permission step of the host leaves of a call; nothing but an `allow` clears it. */
function permitted(
  turn: Turn,
  permit: Permit | undefined,
  { call, texts }: { readonly call: ToolCall; readonly texts: readonly string[] },
): Clearance {
  if (turn.halt !== null) return notRun(turn.halt, texts) // by a call beside it
  if (permit?.behavior === 'allow') {
    call.signal?.throwIfAborted()
    return { ended: 'cleared', input: permit.input, texts, halt: null }
  }
  if (permit?.behavior === 'halt') {
    turn.end(permit.reason)
    return notRun(permit.reason, texts)
  }
  const no = refused(permit?.reason ?? `${call.name} was not permitted.`, 'permission', texts)
  if (permit?.interrupt !== true) return no
  turn.end(INTERRUPTED)
  return { ...no, halt: INTERRUPTED }
}

/** Tells hooks of a call that the host denied by itself; the model reads whether it may try again. */
async function hearOfDenial(
  engine: AnyEngine,
  { name, input, id, signal }: ToolCall,
  { clearance, ...options }: GuardOptions & { readonly clearance: Refusal },
): Promise<Clearance> {
  if (!engine.profile.events.has('PermissionDenied')) return clearance
  const fields = { tool_name: name, tool_input: input, ...(id === undefined ? {} : { tool_use_id: id }) }
  const event = { hook_event_name: 'PermissionDenied', ...fields, reason: clearance.reason }
  const { decision } = await fire(engine, event, { ...options, signal })
  return decision.retry === true ? { ...clearance, texts: [...clearance.texts, reminder(MAY_RETRY)] } : clearance
}

const MAY_RETRY = 'The PermissionDenied hook indicated you may retry this tool call.'

/** What hooks say about a call. Nothing but their silence and an `allow` clear it; a word that is not known does not. */
async function hear(engine: AnyEngine, call: ToolCall, options: GuardOptions): Promise<Heard> {
  const { name, input, id, signal } = call
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return refused(`${name} cannot be called so: its input must be an object.`, 'input')
  const fields = { tool_name: name, tool_input: input, ...(id === undefined ? {} : { tool_use_id: id }) }
  const record = await fire(engine, { hook_event_name: 'PreToolUse', ...fields }, { ...options, signal })
  const { decision } = record
  const texts = remindersOf(record, name)
  if (decision.halt) return halted(decision, texts)
  throwIfUndecided(engine, signal)
  const { permission, reason } = decision
  if (permission === 'defer' && !decision.blocked) return putOff(call, { ...options, reason, texts })
  const isKnown = permission === null || permission === 'allow' || permission === 'ask'
  if (decision.blocked || !isKnown) return refused(refusalOf(record, name), 'hook', texts)

  const final = await rewritten(call, input, decision)
  if ('fault' in final) return refused(final.fault, 'input', texts)
  if (options.permit !== undefined) {
    const request = { tool: name, input: final.input, original: input, decision, signal }
    return { ended: 'unpermitted', request, texts }
  }
  if (permission !== 'ask') return { ended: 'cleared', input: final.input, texts, halt: null }
  const heard = await hearDialog(engine, { ...call, input: final.input }, { ...options, reason })
  return { ...heard, texts }
}

/** A call that a hook puts off: it stays open, and the turn ends, unless the host cannot leave it so. */
function putOff(
  { name }: ToolCall,
  { deferred = 'left-open', reason, texts }: GuardOptions & Pick<Deferred, 'reason'> & Pick<Clearance, 'texts'>,
): Clearance {
  if (deferred === 'left-open') return { ended: 'deferred', reason, texts, halt: reason ?? `A hook deferred ${name}` }
  const why = reason === null ? '' : `${reason}: `
  const words = `PreToolUse:${name} hook error: ${why}the call was deferred, and this host cannot leave a call open.`
  return refused(words, 'hook', texts)
}

/** Hooks of the dialog speak first; if they leave it open, the user is asked. */
async function hearDialog(
  engine: AnyEngine,
  call: ToolCall,
  { reason, ...options }: GuardOptions & { readonly reason: string | null },
): Promise<Heard> {
  const { name, input, signal } = call
  if (options.onAsk === undefined) {
    const why = reason === null ? '' : `${reason}: `
    const words = `PreToolUse:${name} hook error: ${why}the user has to be asked, and this host has no way to ask.`
    return refused(words, 'permission')
  }
  const fields = { tool_name: name, tool_input: input }
  const record = await fire(engine, { hook_event_name: 'PermissionRequest', ...fields }, { ...options, signal })
  const { decision } = record
  if (decision.halt) return halted(decision)
  throwIfUndecided(engine, signal)
  if (decision.blocked) {
    const no = refused(refusalOf(record, name), 'hook')
    return decision.interrupt ? { ...no, halt: decision.reason ?? INTERRUPTED_BY_HOOK } : no
  }
  const final = await rewritten(call, input, decision)
  if ('fault' in final) return refused(final.fault, 'input')
  if (decision.permission === 'allow') return { ended: 'cleared', input: final.input, texts: [], halt: null }
  return { ended: 'asked', question: { tool: name, input: final.input, reason, signal }, texts: [] }
}

const INTERRUPTED = 'Interrupted'
const INTERRUPTED_BY_HOOK = 'Interrupted by hook'

/** Hooks that were interrupted have agreed to nothing. */
function throwIfUndecided({ isClosed }: AnyEngine, signal: AbortSignal | undefined): void {
  signal?.throwIfAborted()
  if (isClosed) throw new HooklineError('The engine is closed and its hooks do not run any more, so no call is made.')
}

/** The input that hooks leave to the tool. */
async function rewritten({ name, check }: ToolCall, input: unknown, { updatedInput }: Decision): Promise<Checked> {
  if (updatedInput === null) return { input }
  const checked = check === undefined ? { input: updatedInput } : await check(updatedInput)
  if ('input' in checked) return checked
  return { fault: `A hook rewrote the input, and ${name} cannot be called so: ${checked.fault}` }
}

function halted({ stopReason }: Decision, texts: readonly string[] = []): Clearance {
  return notRun(stopReason ?? 'Stopped by hook', texts)
}

function refused(reason: string, by: RefusedBy, texts: readonly string[] = []): Refusal {
  return { ended: 'refused', reason, by, texts, halt: null }
}
