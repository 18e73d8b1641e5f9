import type { EventRow } from '../protocol/event-row.ts'
import type { Decision, Message } from '../protocol/record/record.ts'
import type { AnswerRules } from '../protocol/rules.ts'
import type { Opinion } from '../read/opinion.ts'
import { type Result, SILENT, type TextKind } from '../read/result.ts'
import { findMissingEffect, hasSufficientEffect, MERGES, mergeEffects } from './merge.ts'

/** The result of a hook, with the hook's id. */
export interface HookResult {
  readonly hook: string
  /** The event's row in the profile of the hook. */
  readonly row: EventRow
  readonly result: Result
}

/** Decisions of events for which no hook ran, which are most, and of those whose hooks said nothing; by their rows. */
const UNDECIDED = { unheard: new WeakMap<EventRow, Decision>(), silent: new WeakMap<EventRow, Decision>() }

/** Merges results, which stand in configuration order, into what the host acts on. */
export function decide(row: EventRow, results: readonly HookResult[]): Decision {
  for (const { result } of results) if (result !== SILENT) return makeDecision(row, results)
  const decisions = results.length === 0 ? UNDECIDED.unheard : UNDECIDED.silent
  const known = decisions.get(row) ?? makeDecision(row, results)
  decisions.set(row, known)
  return { ...known, context: [], contextFrom: [], messages: [] }
}

function makeDecision(row: EventRow, results: readonly HookResult[]): Decision {
  let halting: HookResult | undefined
  const opinions: Opinion[] = []
  const effects: Opinion['effects'][] = []
  let isEffectAsked = false
  const context: string[] = []
  const contextFrom: Decision['contextFrom'][number][] = []
  const messages: Message[] = []
  for (const one of results) {
    const { hook, row: own, result } = one
    const { opinion } = result
    if (opinion.halt) halting ??= one
    opinions.push(opinion)
    effects.push(opinion.effects)
    for (const _ in opinion.effects) isEffectAsked = true
    for (const { text, kind } of opinion.context) {
      context.push(text)
      contextFrom.push({ hook, kind })
    }
    if (result.texts.length > 0) messages.push(...listMessages(result, own, hook))
  }
  const stopReason = halting?.result.opinion.stopReason ?? null
  if (halting && stopReason !== null) {
    messages.push(...STOP_REASONS[halting.row.rules.answers.stopReasonTo](stopReason, halting.hook))
  }
  const isEnough = isEffectAsked && hasSufficientEffect(row, effects)
  // A guard that fails closed has another outcome, and still blocks.
  const counted = isEnough ? opinions.filter((_, at) => results[at]?.result.outcome !== 'blocking') : opinions
  const merged = MERGES[row.merges](counted)
  const missing = merged.blocked ? null : findMissingEffect(row, effects)
  const decided = missing === null ? merged : { ...merged, blocked: true, reason: missing }
  return {
    halt: halting !== undefined,
    stopReason,
    blocked: decided.blocked,
    permission: decided.permission,
    reason: decided.reason,
    interrupt: decided.interrupt,
    updatedInput: decided.updatedInput,
    updatedPermissions: decided.updatedPermissions,
    updatedToolOutput: null,
    context,
    contextFrom,
    instructions: null,
    messages,
    ...(isEffectAsked || decided.blocked ? mergeEffects(row, effects, decided) : row.noEffects),
  }
}

/** Readers of the reason why the agent was halted. */
const STOP_REASONS: Readonly<Record<AnswerRules['stopReasonTo'], (text: string, hook: string) => Message[]>> = {
  host: () => [], // the host shows the `stopReason` of the decision in its own way
  model: (text, hook) => [{ to: 'model', text, hook }],
}

/** Readers by kind of text. */
const MESSAGE_WRITERS: Readonly<Record<TextKind, (text: string, row: EventRow) => Omit<Message, 'hook'>[]>> = {
  objection: (text, { reasonTo }) => (reasonTo === 'none' ? [] : [{ to: reasonTo, text }]),
  remark: (text) => [{ to: 'user', text }],
  warning: (text, { systemMessageTo }) => (systemMessageTo === 'none' ? [] : [{ to: systemMessageTo, text }]),
  failure: (text) => {
    const [first = ''] = text.split('\n', 1)
    return first === text
      ? [{ to: 'user', text }]
      : [
          { to: 'user', text: first },
          { to: 'verbose', text },
        ]
  },
  stdout: (text) => [{ to: 'verbose', text }],
  json: (text) => [{ to: 'verbose', text }],
}

/** A result's texts with their readers. */
export function listMessages(result: Result, row: EventRow, hook: string): Message[] {
  const messages: Message[] = []
  for (const { kind, text, row: own = row } of result.texts)
    for (const one of MESSAGE_WRITERS[kind](text, own)) messages.push({ to: one.to, text: one.text, hook })
  return messages
}
