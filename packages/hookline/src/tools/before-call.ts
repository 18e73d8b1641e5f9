import type { Engine } from '../engine/engine.ts'
import type { Decision } from '../protocol/record.ts'
import { fire } from './fire.ts'
import type { Checked, GuardOptions, Refused, ToolCall } from './tool-call.ts'
import { refusalOf, remindersOf } from './words.ts'

/** Whether a call may be made, and with which input. */
export type Clearance = { readonly texts: readonly string[]; readonly halt: string | null } & (
  | { readonly ended: 'cleared'; readonly input: unknown }
  | Refused
)

/** Shows hooks a call that is about to be made. Rejects when the call's signal is aborted. */
export async function beforeCall(engine: Engine, call: ToolCall, options: GuardOptions): Promise<Clearance> {
  const { name, input, id, signal } = call
  const fields = { tool_name: name, tool_input: input, ...(id === undefined ? {} : { tool_use_id: id }) }
  const record = await fire(engine, { hook_event_name: 'PreToolUse', ...fields }, { ...options, signal })
  const { decision } = record
  const texts = remindersOf(record, name)
  if (decision.halt) return halted(decision, texts)
  signal?.throwIfAborted()
  if (decision.blocked) return refused(refusalOf(record, name), texts)

  const final = await rewritten(call, input, decision)
  if ('fault' in final) return refused(final.fault, texts)
  if (decision.permission !== 'ask') return { ended: 'cleared', input: final.input, texts, halt: null }
  const asked = await ask(engine, { ...call, input: final.input }, { ...options, reason: decision.reason })
  return { ...asked, texts }
}

/** Hooks of the dialog speak first; if they leave it open, the person does. */
async function ask(
  engine: Engine,
  call: ToolCall,
  { reason, ...options }: GuardOptions & { readonly reason: string | null },
): Promise<Clearance> {
  const { name, input, signal } = call
  const { onAsk } = options
  if (onAsk === undefined) {
    const why = reason === null ? '' : `${reason}: `
    return refused(`PreToolUse:${name} hook error: ${why}the person has to be asked, and nobody can be asked here.`)
  }
  const fields = { tool_name: name, tool_input: input }
  const record = await fire(engine, { hook_event_name: 'PermissionRequest', ...fields }, { ...options, signal })
  const { decision } = record
  if (decision.halt) return halted(decision)
  signal?.throwIfAborted()
  if (decision.blocked) {
    const no = refused(refusalOf(record, name))
    return decision.interrupt ? { ...no, halt: decision.reason ?? INTERRUPTED } : no
  }
  const final = await rewritten(call, input, decision)
  if ('fault' in final) return refused(final.fault)
  const cleared: Clearance = { ended: 'cleared', input: final.input, texts: [], halt: null }
  if (decision.permission === 'allow') return cleared
  const answer: unknown = await onAsk({ tool: name, input: final.input, reason, signal })
  signal?.throwIfAborted()
  return answer === true ? cleared : refused(`The person did not allow ${name} here. Ask what to do instead.`)
}

const INTERRUPTED = 'Interrupted by hook'

/** The input that hooks leave to the tool. */
async function rewritten({ name, check }: ToolCall, input: unknown, { updatedInput }: Decision): Promise<Checked> {
  if (updatedInput === null) return { input }
  const checked = check === undefined ? { input: updatedInput } : await check(updatedInput)
  if ('input' in checked) return checked
  return { fault: `A hook rewrote the input, and ${name} cannot be called so: ${checked.fault}` }
}

function halted({ stopReason }: Decision, texts: readonly string[] = []): Clearance {
  return { ...refused('Not run: a hook ended the turn.', texts), halt: stopReason ?? 'Stopped by hook' }
}

function refused(reason: string, texts: readonly string[] = []): Clearance {
  return { ended: 'refused', reason, texts, halt: null }
}
