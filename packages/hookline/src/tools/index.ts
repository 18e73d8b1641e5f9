export { type Aftermath, afterCall, type CallOutcome } from './after-call.ts'
export { answerOf, type ClaudeAnswer } from './answer-of.ts'
export { beforeCall, type Verdict } from './before-call.ts'
export { type ConversationTexts, conversationOf } from './conversation.ts'
export { type AnsweredCall, afterBatch, guardBatch, guardCall, type RunnableCall } from './guard-call.ts'
export {
  ClearanceError,
  type ClearanceFault,
  DeferredByHook,
  HaltedByHook,
  haltOf,
  isHalted,
  RefusedByHook,
  WaitingForUser,
} from './hook-errors.ts'
export { namesOf, type ToolName, type ToolNames } from './names.ts'
export {
  type Begun,
  openTurn,
  type StopAnswer,
  type Submitted,
  startSession,
  type Turn,
  type TurnOptions,
} from './open-turn.ts'
export type {
  CallEnd,
  Checked,
  Clearance,
  ClearanceOptions,
  ClearanceStore,
  Deferred,
  GuardOptions,
  InputCheck,
  LateAnswer,
  Permit,
  PermitRequest,
  Question,
  Refused,
  RefusedBy,
  ToolCall,
  UserAnswer,
  Waiting,
} from './tool-call.ts'
export { withHooks } from './with-hooks.ts'
export {
  blockedPrompt,
  contextsOf,
  escaped,
  feedbackOf,
  haltReason,
  lateContextsOf,
  objectionsOf,
  refusalOf,
  reminder,
  remindersOf,
  stopFeedback,
} from './words.ts'
