import type { Usage } from '../output/messages.ts'
import type { Message, ToolUse } from './messages.ts'

/** Reason why a turn ends before the model was done. */
export type EarlyEnd =
  /** `untold`: the user has not read the reason yet. */
  | { readonly ended: 'halted'; readonly reason: string; readonly untold?: true }
  | { readonly ended: 'interrupted' }
  | ModelFailure
  | { readonly ended: 'max-turns'; readonly turns: number }
  | { readonly ended: 'prompt-blocked'; readonly text: string; readonly hidesPrompt: boolean }

/** The model failed, and with it the turn. */
export interface ModelFailure {
  readonly ended: 'model-error'
  readonly message: string
  /** The kind of failure, as StopFailure hooks read it. */
  readonly kind: string
  /** Milliseconds after which the provider answers again; null: it did not say. */
  readonly waitMs: number | null
}

/** Hooks put calls off: they were not made, and the turn ends with them left open. */
export interface DeferredEnd {
  readonly ended: 'deferred'
  readonly calls: readonly ToolUse[]
  /** Text of the model beside it. */
  readonly text: string
}

/** End of a turn. */
export type TurnEnd = { readonly ended: 'answered'; readonly text: string } | DeferredEnd | EarlyEnd

/** Figures of a turn. */
export interface Figures {
  readonly durationMs: number
  /** Answers of the model that it took. */
  readonly turns: number
  /** Tokens of the session so far. */
  readonly usage: Usage
  /** Calls that the model asked for, without those of subagents. */
  readonly toolCalls: number
  /** Messages of the session so far. */
  readonly messages: readonly Message[]
  /** Calls that were not made since a rule, a hook, the mode or a user refused them; those of subagents too. */
  readonly denials: readonly Denial[]
}

/** A call that was refused. */
export interface Denial {
  readonly toolName: string
  readonly toolUseId: string
  readonly toolInput: unknown
  /** A hook that refuses a call is told of as it does; a rule, the mode or a user is not. */
  readonly by: 'hook' | 'permission'
  /** Reason, in the words that the model read. */
  readonly message: string
}

/** Figures of nothing. */
export const NO_FIGURES: Omit<Figures, 'usage'> = { durationMs: 0, turns: 0, toolCalls: 0, messages: [], denials: [] }

/** Result of a prompt when all went well. */
export interface AnsweredResult extends Figures {
  readonly success: true
  readonly subtype: 'success'
  /** The final answer. */
  readonly text: string
  /** Hooks put these calls off, and the run ended before they were made: hooks are asked again before the next prompt. */
  readonly deferred?: readonly ToolUse[]
}

/** Result of a prompt when it did not. */
export interface FailedResult extends Figures {
  readonly success: false
  readonly subtype: FailedAs
  /** The words for what went wrong. */
  readonly error: string
  /** The same. */
  readonly text: string
  /** A hook that dropped the prompt does not want it shown beside the reason. */
  readonly hidesPrompt?: true
  /** A hook stopped it, and the user has not read why. */
  readonly untold?: true
}

/** Result of a prompt. */
export type AgentResult = AnsweredResult | FailedResult

/** Failures of a prompt. */
export type FailedAs =
  | 'error_stopped_by_hook'
  | 'error_prompt_blocked'
  | 'error_interrupted'
  | 'error_max_turns'
  | 'error_during_execution'

/** The end of a turn as a host reads it. */
export function toAgentResult(end: TurnEnd, figures: Figures): AgentResult {
  if (end.ended === 'answered') return { success: true, subtype: 'success', text: end.text, ...figures }
  if (end.ended === 'deferred')
    return { success: true, subtype: 'success', text: end.text, deferred: end.calls, ...figures }
  return toFailedResult(end, figures)
}

/** An early end as a host reads it. */
export function toFailedResult(end: EarlyEnd, figures: Figures): FailedResult {
  const [subtype, error] = nameFailure(end)
  const hidden = end.ended === 'prompt-blocked' && end.hidesPrompt ? ({ hidesPrompt: true } as const) : {}
  const untold = end.ended === 'halted' && end.untold ? ({ untold: true } as const) : {}
  return { success: false, subtype, error, text: error, ...hidden, ...untold, ...figures }
}

function nameFailure(end: EarlyEnd): [FailedAs, string] {
  switch (end.ended) {
    case 'halted':
      return ['error_stopped_by_hook', end.reason]
    case 'prompt-blocked':
      return ['error_prompt_blocked', end.text]
    case 'interrupted':
      return ['error_interrupted', 'Interrupted']
    case 'max-turns':
      return ['error_max_turns', `Stopped after ${end.turns} turns, as many as were allowed.`]
    case 'model-error':
      return ['error_during_execution', end.message]
  }
}
