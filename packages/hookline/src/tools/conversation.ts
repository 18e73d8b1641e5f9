import type { EventInput } from '../protocol/event-input.ts'
import type { DispatchRecord } from '../protocol/record/record.ts'
import {
  formatBlockedPrompt,
  formatRefusal,
  formatStopFeedback,
  listFeedback,
  listReminders,
  readHaltReason,
  wrapReminder,
} from './words.ts'

/** Texts that a host puts into the conversation after an event, word for word; hooks cannot forge the host's own words in it. */
export interface ConversationTexts {
  /** Texts for the model: each text by itself, in this order. */
  readonly model: readonly string[]
  /** Texts for the user: why the turn ends, or a prompt was dropped. */
  readonly user: readonly string[]
}

/** The texts of an event for the conversation. What the model is told of a refused call is the error that it gets as its result. */
export function toConversationTexts(record: DispatchRecord, input: EventInput): ConversationTexts {
  const { decision, event } = record
  const matched = typeof input.tool_name === 'string' ? input.tool_name : undefined
  const isRefused = decision.blocked || decision.permission === 'deny'
  const write = isRefused && Object.hasOwn(REFUSALS, event) ? REFUSALS[event] : undefined
  const refusal = write?.(record, matched) ?? { model: [], user: [] }
  return {
    model: [...refusal.model, ...listReminders(record, matched)],
    user: [...refusal.user, ...(decision.halt ? [readHaltReason(record)] : [])],
  }
}

type Refusal = (record: DispatchRecord, matched: string | undefined) => ConversationTexts

const sayRefused: Refusal = (record, matched = '') => ({ model: [formatRefusal(record, matched)], user: [] })
const sayObjection: Refusal = (record, matched) => ({
  model: listFeedback(record, matched).map(wrapReminder),
  user: [],
})
const sayFeedback: Refusal = (record) => ({ model: [formatStopFeedback(record)], user: [] })
const sayDroppedPrompt: Refusal = (record) => ({ model: [], user: [formatBlockedPrompt(record)] })

/** Words for an event that hooks refused, where there are some. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  PreToolUse: sayRefused,
  PermissionRequest: sayRefused,
  PostToolUse: sayObjection,
  PostToolUseFailure: sayObjection,
  PostToolBatch: sayObjection,
  Stop: sayFeedback,
  SubagentStop: sayFeedback,
  UserPromptSubmit: sayDroppedPrompt,
  UserPromptExpansion: sayDroppedPrompt,
}
