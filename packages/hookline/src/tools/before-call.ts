import type { AnyEngine } from '../engine/engine-interface.ts'
import { HooklineError } from '../files/error.ts'
import type { Decision } from '../protocol/record/record.ts'
import { toCanonicalJson } from '../text/digest.ts'
import { checkInput } from './check-input.ts'
import { giveClearance, isAskingSameHooks, takeClearance } from './clearance.ts'
import { fire } from './fire.ts'
import { toShownCall } from './names.ts'
import type {
  CheckedInput,
  DeferredCall,
  DialogAnswer,
  GuardOptions,
  LateAnswer,
  Permit,
  PermitDialog,
  PermitRequest,
  Question,
  RefusedBy,
  RefusedCall,
  ToolCall,
  WaitingCall,
} from './tool-call.ts'
import { findTurn, type TurnCalls } from './turn-calls.ts'
import { formatRefusal, listReminders, wrapReminder } from './words.ts'

/** True if a call may be made, and with which input. */
export type Verdict = { readonly texts: readonly string[] } & (
  | ({ readonly halt: string | null } & ({ readonly ended: 'cleared'; readonly input: unknown } | RefusedCall))
  | DeferredCall
  | WaitingCall
)

/** A verdict against a call. */
export type Refusal = Extract<Verdict, RefusedCall>

/** State in which hooks leave a call: a verdict, a question to the user, or one to the permission step of the host. */
type HookOpinion =
  | Exclude<Verdict, WaitingCall>
  | (PendingQuestion & { readonly texts: readonly string[] })
  | { readonly ended: 'unpermitted'; readonly request: PermitRequest; readonly texts: readonly string[] }

/** A question to the user, about which hooks of the dialog have spoken. */
interface PendingQuestion {
  readonly ended: 'asked'
  readonly question: Question
  readonly ask: PermitDialog
  /** The input as hooks left it, before it was checked. */
  readonly written: unknown
  /** True if hooks changed it. */
  readonly rewritten: boolean
}

/**
 * The half of `guardCall` before the tool: shows hooks a call that is about to be made, and asks the user where they want it.
 * Make the call only when it ends as `cleared`, with that `input`, and give what came of it to `guardAfterCall`. Does not resolve
 * before hooks have spoken about the other calls of the turn. Rejects when the call's signal is aborted, or the engine closed:
 * then hooks have decided nothing.
 *
 * ```ts
 * const before = await guardBeforeCall(engine, call, options)
 * if (before.ended === 'waiting') await save(before.clearance) // later: { ...call, answer: { clearance, allow: true } }
 * ```
 */
export function guardBeforeCall(engine: AnyEngine, call: ToolCall, options: GuardOptions = {}): Promise<Verdict> {
  return judgeCall(engine, findTurn(engine, options), call, options)
}

/** The same for a call of a turn that is known. */
export function judgeCall(engine: AnyEngine, turn: TurnCalls, call: ToolCall, options: GuardOptions): Promise<Verdict> {
  return turn.hold(async () => {
    if (turn.halt !== null) return makeNotRun(turn.halt)
    let agreed: AgreedCall | null = null
    const heard = await turn.show(async () => {
      const { answer } = call
      const known = answer === undefined ? null : await takeAnswer(engine, { ...call, answer }, options)
      if (known !== null && known.ended !== 'agreed') return known
      agreed = known
      const said = await askHooks(engine, call, options)
      if ('halt' in said && said.halt !== null) turn.end(said.halt)
      return said
    })
    if (heard.ended === 'refused' || heard.ended === 'deferred') return heard
    await turn.waitForOthers(call.signal)
    call.signal?.throwIfAborted()
    if (turn.halt !== null) return makeNotRun(turn.halt, heard.texts)
    if (heard.ended === 'cleared') return heard

    const asked = heard.ended === 'asked' ? heard : await permitCall(engine, turn, { call, options, heard })
    return asked.ended === 'asked' ? askUser(engine, turn, { call, options, asked, agreed }) : asked
  })
}

/** A call on its way, with what it was guarded by. */
interface GuardedCall {
  readonly call: ToolCall
  readonly options: GuardOptions
}

/** Takes a call through the host's rules, and where those leave it to the dialog, through the hooks of that. */
async function permitCall(
  engine: AnyEngine,
  turn: TurnCalls,
  { call, options, heard }: GuardedCall & { readonly heard: Extract<HookOpinion, { ended: 'unpermitted' }> },
): Promise<Exclude<HookOpinion, { ended: 'unpermitted' }>> {
  const { request, texts } = heard
  const permit = await options.permit?.(request)
  if (turn.halt !== null) return makeNotRun(turn.halt, texts) // by a call beside it
  const final = { ...call, input: request.input }
  if (permit?.behavior === 'deny' && permit.automatic === true)
    return hearOfDenial(engine, final, { ...options, permit, verdict: applyDenial(turn, permit, texts) })
  if (permit?.behavior === 'deny') return applyDenial(turn, permit, texts)
  if (permit?.behavior === 'halt') return applyHalt(turn, permit.reason, texts)
  if (permit?.behavior === 'allow') {
    call.signal?.throwIfAborted()
    return { ended: 'cleared', input: permit.input, texts, halt: null }
  }
  if (permit?.behavior !== 'ask') return makeRefusal(`${call.name} was not permitted.`, 'permission', texts)
  const opinion = await turn.show(() => hearDialog(engine, final, { ...options, ask: permit }))
  if ('halt' in opinion && opinion.halt !== null) turn.end(opinion.halt)
  return { ...opinion, texts }
}

/** Asks the user about a call that hooks of the dialog have left open. */
async function askUser(
  engine: AnyEngine,
  turn: TurnCalls,
  {
    call,
    options,
    asked,
    agreed,
  }: GuardedCall & { readonly asked: Extract<HookOpinion, PendingQuestion>; readonly agreed: AgreedCall | null },
): Promise<Verdict> {
  const { question, ask, texts } = asked
  const answer = isAlreadyAnswered(agreed, asked) ? AGREED : ((await ask.dialog?.(question)) ?? NOT_ALLOWED)
  if (turn.halt !== null) return makeNotRun(turn.halt, texts)
  if (answer.behavior === 'later') return makeWaiting(engine, call, { ...options, asked })
  if (answer.behavior === 'halt') return applyHalt(turn, answer.reason, texts)
  if (answer.behavior === 'deny')
    return applyDenial(turn, { reason: answer.message ?? formatNotAllowed(call), interrupt: answer.interrupt }, texts)
  await ask.grant?.(answer.updatedPermissions ?? [])
  call.signal?.throwIfAborted()
  return { ended: 'cleared', input: question.input, texts, halt: null }
}

const AGREED: DialogAnswer = { behavior: 'allow' }
const NOT_ALLOWED: DialogAnswer = { behavior: 'deny' }

/** The dialog of a host that has no rules of its own: it asks where a hook wants that. */
function makeDialog({ signal, answer }: ToolCall, { onAsk }: GuardOptions, reason: string | null): PermitDialog {
  const ask = async (question: Question): Promise<DialogAnswer> => {
    const said: unknown = await onAsk?.(question)
    signal?.throwIfAborted()
    if (said === 'later') return { behavior: 'later' }
    return said === true ? AGREED : NOT_ALLOWED
  }
  return {
    behavior: 'ask',
    askedBy: 'hook',
    reason,
    dialog: onAsk === undefined && answer === undefined ? null : ask,
  }
}

/** The user has agreed to a call with this input, and hooks are asked all the same. */
interface AgreedCall {
  readonly ended: 'agreed'
  readonly input: unknown
}

/** True if a question has been answered already. */
function isAlreadyAnswered(agreed: AgreedCall | null, { written }: PendingQuestion): boolean {
  return agreed !== null && toCanonicalJson(agreed.input) === toCanonicalJson(written)
}

/** A call that waits for the user. What hooks said is told with its result. */
async function makeWaiting(
  engine: AnyEngine,
  call: ToolCall,
  { asked, ...options }: GuardOptions & { readonly asked: Extract<HookOpinion, PendingQuestion> },
): Promise<Verdict> {
  const { question, written, rewritten, texts } = asked
  const { signal: _, ...shown } = question
  const { reason } = question
  const clearance = await giveClearance(engine, call, { ...options, input: written, rewritten, reason, texts })
  return { ended: 'waiting', question: shown, clearance, texts: [], halt: `${call.name} waits for your answer` }
}

/**
 * Takes up a call that the user has answered. Where other hooks are in force than when it began to wait, they are asked
 * first: the user has agreed to the input alone.
 */
async function takeAnswer(
  engine: AnyEngine,
  call: ToolCall & { readonly answer: LateAnswer },
  options: GuardOptions,
): Promise<Extract<Verdict, { ended: 'cleared' }> | Refusal | AgreedCall> {
  throwIfUndecided(engine, call.signal)
  const clearance = await takeClearance(engine, call, options)
  const { input, texts, rewritten } = clearance
  if (call.answer.allow !== true) return makeNotAllowed(call, texts)
  if (options.permit !== undefined || !isAskingSameHooks(engine, clearance)) return { ended: 'agreed', input }
  if (!rewritten) return { ended: 'cleared', input: call.input, texts, halt: null }
  const checked = await checkRewrite(call, input)
  if ('fault' in checked) return makeRefusal(checked.fault, 'input', texts)
  return { ended: 'cleared', input: checked.input, texts, halt: null }
}

function makeNotAllowed(call: ToolCall, texts: readonly string[]): Refusal {
  return makeRefusal(formatNotAllowed(call), 'permission', texts)
}

/** The end of a call that a hook stopped by ending the turn. */
export function makeNotRun(stopReason: string, texts: readonly string[] = []): Refusal {
  return { ...makeRefusal('Not run: a hook ended the turn.', 'turn', texts), halt: stopReason }
}

/** Ends the turn with a call that the host or its dialog halts. */
function applyHalt(turn: TurnCalls, reason: string, texts: readonly string[]): Refusal {
  turn.end(reason)
  return makeNotRun(reason, texts)
}

/** Refuses a call, and ends the turn where the user wants that. */
function applyDenial(
  turn: TurnCalls,
  { reason, interrupt }: Pick<Denial, 'reason' | 'interrupt'>,
  texts: readonly string[],
): Refusal {
  const no = makeRefusal(reason, 'permission', texts)
  if (interrupt !== true) return no
  turn.end(INTERRUPTED)
  return { ...no, halt: INTERRUPTED }
}

type Denial = Extract<Permit, { behavior: 'deny' }>

/** Tells hooks of a call that the host denied by itself; the model reads whether it may try again. */
async function hearOfDenial(
  engine: AnyEngine,
  call: ToolCall,
  {
    verdict,
    permit,
    ...options
  }: Omit<GuardOptions, 'permit'> & { readonly verdict: Refusal; readonly permit: Denial },
): Promise<Refusal> {
  if (!engine.profile.events.has('PermissionDenied')) return verdict
  const { fields, mcp } = makeShownFields(call, options)
  const event = { hook_event_name: 'PermissionDenied', ...fields, reason: permit.cause ?? permit.reason }
  const { decision } = await fire(engine, event, { ...options, mcp, signal: call.signal })
  return decision.retry === true ? { ...verdict, texts: [...verdict.texts, wrapReminder(MAY_RETRY)] } : verdict
}

const MAY_RETRY = 'The PermissionDenied hook indicated you may retry this tool call.'

/** Asks hooks about a call. Nothing but their silence and an `allow` clear it; a word that is not known does not. */
async function askHooks(engine: AnyEngine, call: ToolCall, options: GuardOptions): Promise<HookOpinion> {
  const { name, input, signal } = call
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return makeRefusal(`${name} cannot be called so: its input must be an object.`, 'input')
  const { fields, mcp, shown } = makeShownFields(call, options)
  const record = await fire(engine, { hook_event_name: 'PreToolUse', ...fields }, { ...options, mcp, signal })
  const { decision } = record
  const texts = listReminders(record, shown.name)
  if (decision.halt) return makeHaltRefusal(decision, texts)
  throwIfUndecided(engine, signal)
  const { permission, reason } = decision
  if (permission === 'defer' && !decision.blocked) return deferCall(call, { ...options, reason, texts })
  const isKnown = permission === null || permission === 'allow' || permission === 'ask'
  if (decision.blocked || !isKnown) return makeRefusal(formatRefusal(record, shown.name), 'hook', texts)

  const rewrite = shown.rewriteOf(decision)
  const final = await chooseInput(call, input, rewrite)
  if ('fault' in final) return makeRefusal(final.fault, 'input', texts)
  if (options.permit !== undefined) {
    const request = { tool: name, input: final.input, original: input, decision, signal }
    return { ended: 'unpermitted', request, texts }
  }
  if (permission !== 'ask') return { ended: 'cleared', input: final.input, texts, halt: null }
  const ask = makeDialog(call, options, reason)
  const heard = await hearDialog(engine, { ...call, input: final.input }, { ...options, ask })
  if (heard.ended !== 'asked' || heard.rewritten) return { ...heard, texts }
  return { ...heard, texts, written: isRewrite(rewrite) ? rewrite.input : input, rewritten: rewrite !== null }
}

/** A call that a hook puts off: it stays open, and the turn ends, unless the host cannot leave it so. */
function deferCall(
  { name }: ToolCall,
  { deferred = 'left-open', reason, texts }: GuardOptions & Pick<DeferredCall, 'reason'> & Pick<Verdict, 'texts'>,
): Refusal | Extract<Verdict, DeferredCall> {
  if (deferred === 'left-open') return { ended: 'deferred', reason, texts, halt: reason ?? `A hook deferred ${name}` }
  const why = reason === null ? '' : `${reason}: `
  const words = `PreToolUse:${name} hook error: ${why}the call was deferred, and this host cannot leave a call open.`
  return makeRefusal(words, 'hook', texts)
}

/** Hooks of the dialog speak first; if they leave it open, the user is asked. */
async function hearDialog(
  engine: AnyEngine,
  call: ToolCall,
  { ask, ...options }: GuardOptions & { readonly ask: PermitDialog },
): Promise<Exclude<HookOpinion, { ended: 'unpermitted' }>> {
  const { name, input, signal } = call
  const { shown, mcp } = makeShownFields(call, options)
  const noUser = ask.dialog === null ? makeRefusal(ask.unanswered ?? formatNoUser(call, ask), 'permission') : null
  if (noUser !== null && !isDecidingUnattended(engine, ask)) return noUser
  const { suggestions } = ask
  const event = {
    ...{ hook_event_name: 'PermissionRequest', tool_name: shown.name, tool_input: shown.input },
    ...(suggestions === undefined ? {} : { permission_suggestions: suggestions }),
  }
  const record = await fire(engine, event, { ...options, mcp, signal })
  const { decision } = record
  if (decision.halt) return makeHaltRefusal(decision)
  throwIfUndecided(engine, signal)
  if (decision.blocked) {
    const no = makeRefusal(formatRefusal(record, shown.name), 'hook')
    return decision.interrupt ? { ...no, halt: decision.reason ?? INTERRUPTED_BY_HOOK } : no
  }
  const rewrite = shown.rewriteOf(decision)
  const final = await chooseInput(call, input, rewrite)
  if ('fault' in final) return makeRefusal(final.fault, 'input')
  const refusal = rewrite === null ? null : ((await ask.recheck?.(final.input)) ?? null)
  if (refusal !== null) return makeRefusal(refusal, 'permission')
  if (decision.permission === 'allow') {
    await ask.grant?.(decision.updatedPermissions ?? [])
    signal?.throwIfAborted()
    return { ended: 'cleared', input: final.input, texts: [], halt: null }
  }
  if (noUser !== null) return noUser
  const question = { tool: name, input: final.input, reason: ask.reason, signal }
  const written = isRewrite(rewrite) ? rewrite.input : input
  return { ended: 'asked', question, ask, written, rewritten: rewrite !== null, texts: [] }
}

/** True if hooks of the dialog decide where there is no user. They do not lift the question of another hook. */
function isDecidingUnattended(engine: AnyEngine, { askedBy }: PermitDialog): boolean {
  return askedBy === 'host' && engine.profile.events.get('PermissionRequest')?.unattended === true
}

function formatNoUser({ name }: ToolCall, { reason }: PermitDialog): string {
  const why = reason === null ? '' : `${reason}: `
  return `PreToolUse:${name} hook error: ${why}the user has to be asked, and this host has no way to ask.`
}

function formatNotAllowed({ name }: ToolCall): string {
  return `The user did not allow ${name} here. Ask what to do instead.`
}

const INTERRUPTED = 'Interrupted'
const INTERRUPTED_BY_HOOK = 'Interrupted by hook'

/** Hooks that were interrupted have agreed to nothing. */
function throwIfUndecided({ isClosed }: AnyEngine, signal: AbortSignal | undefined): void {
  signal?.throwIfAborted()
  if (isClosed) throw new HooklineError('The engine is closed and its hooks do not run any more, so no call is made.')
}

/** The input that hooks leave to the tool. */
async function chooseInput(call: ToolCall, input: unknown, rewrite: CheckedInput | null): Promise<CheckedInput> {
  if (rewrite === null) return { input }
  return isRewrite(rewrite) ? checkRewrite(call, rewrite.input) : makeInputFault(call, rewrite.fault)
}

const isRewrite = (rewrite: CheckedInput | null): rewrite is Extract<CheckedInput, { input: unknown }> =>
  rewrite !== null && 'input' in rewrite

async function checkRewrite(call: ToolCall, input: unknown): Promise<CheckedInput> {
  const { schema, check = (one) => (schema === undefined ? { input: one } : checkInput(schema, one)) } = call
  const checked = await check(input)
  return 'input' in checked ? checked : makeInputFault(call, checked.fault)
}

const makeInputFault = ({ name }: ToolCall, fault: string): CheckedInput => ({
  fault: `A hook rewrote the input, and ${name} cannot be called so: ${fault}`,
})

/** Makes what the events of a call say of it. */
function makeShownFields(call: ToolCall, { names }: GuardOptions) {
  const shown = toShownCall(call, names)
  const { name, input, mcp } = shown
  const id = call.id === undefined ? {} : { tool_use_id: call.id }
  return { shown, mcp, fields: { tool_name: name, tool_input: input, ...id } }
}

function makeHaltRefusal({ stopReason }: Decision, texts: readonly string[] = []): Refusal {
  return makeNotRun(stopReason ?? 'Stopped by hook', texts)
}

function makeRefusal(reason: string, by: RefusedBy, texts: readonly string[] = []): Refusal {
  return { ended: 'refused', reason, by, texts, halt: null }
}
