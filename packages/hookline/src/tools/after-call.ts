import type { AnyEngine } from '../engine/engine-interface.ts'
import { fire } from './fire.ts'
import { HaltedByHook } from './hook-errors.ts'
import { toJsonValue } from './model-output.ts'
import { toShownCall } from './names.ts'
import type { CallEnd, GuardOptions, ToolCall } from './tool-call.ts'
import { endTurn } from './turn-calls.ts'
import { listFeedback, listReminders, wrapReminder } from './words.ts'

/** Outcome of a tool, and how long it took. */
export type CallOutcome = ({ readonly output: unknown } | { readonly error: unknown }) & { readonly durationMs: number }

/** Result of a call for the model. */
export type Aftermath = Extract<CallEnd, { readonly ended: 'ran' | 'failed' }> & {
  /** A hook put something else in the place of what the tool gave. */
  readonly replaced: boolean
}

/**
 * The half of `guardCall` after the tool: shows hooks what came of a call; `call.input` is what it was made with. Their halt
 * ends the turn. `texts` of `guardBeforeCall` stand before those that it resolves with.
 */
export async function guardAfterCall(
  engine: AnyEngine,
  call: ToolCall,
  { outcome, ...options }: GuardOptions & { readonly outcome: CallOutcome },
): Promise<Aftermath> {
  const { id, signal } = call
  const { name, input, mcp } = toShownCall(call, options.names)
  const fields = {
    ...{ tool_name: name, tool_input: input },
    ...(id === undefined ? {} : { tool_use_id: id }),
    ...(engine.profile.rules.hostFields.includes('duration_ms') ? { duration_ms: outcome.durationMs } : {}),
  }
  const event =
    'error' in outcome
      ? { hook_event_name: 'PostToolUseFailure', ...fields, ...toFailureFields(outcome.error, signal) }
      : { hook_event_name: 'PostToolUse', ...fields, tool_response: toJsonValue(outcome.output) }
  // Hooks are told of an interrupted call too, so the signal that interrupted it does not stop them.
  const record = await fire(engine, event, { ...options, mcp, signal: signal?.aborted ? undefined : signal })
  const { decision } = record
  const objections = decision.blocked ? listFeedback(record, name).map(wrapReminder) : []
  const halt = decision.halt ? (decision.stopReason ?? 'Stopped by hook') : findOutcomeHalt(outcome)
  if (halt !== null) endTurn(engine, options, halt)
  const said = { texts: [...listReminders(record, name), ...objections], halt }
  if ('error' in outcome) return { ended: 'failed', error: outcome.error, replaced: false, ...said }
  const replaced = decision.updatedToolOutput !== null
  return { ended: 'ran', output: replaced ? decision.updatedToolOutput : outcome.output, replaced, ...said }
}

/** A tool that has hooks of its own, such as one that runs a subagent, can be ended by them. */
function findOutcomeHalt(outcome: CallOutcome): string | null {
  return 'error' in outcome && outcome.error instanceof HaltedByHook ? outcome.error.stopReason : null
}

function toFailureFields(error: unknown, signal: AbortSignal | undefined) {
  return { error: error instanceof Error ? error.message : String(error), is_interrupt: signal?.aborted === true }
}
