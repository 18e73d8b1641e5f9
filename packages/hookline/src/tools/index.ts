export { type Aftermath, type CallOutcome, guardAfterCall } from './after-call.ts'
export { type ClaudeAnswer, toClaudeAnswer } from './answer-of.ts'
export { guardBeforeCall, type Verdict } from './before-call.ts'
export { type ConversationTexts, toConversationTexts } from './conversation.ts'
export { type AnsweredCall, fireAfterBatch, guardBatch, guardCall, type RunnableCall } from './guard-call.ts'
export {
  ClearanceError,
  type ClearanceFault,
  DeferredByHook,
  findHalt,
  HaltedByHook,
  isHalted,
  RefusedByHook,
  WaitingForUser,
} from './hook-errors.ts'
export { findToolNames, type ToolName, type ToolNames } from './names.ts'
export {
  openTurn,
  type SessionBegin,
  type StopAnswer,
  type SubmittedPrompt,
  startSession,
  type Turn,
  type TurnOptions,
} from './open-turn.ts'
export type {
  CallEnd,
  CheckedInput,
  Clearance,
  ClearanceOptions,
  ClearanceStore,
  DeferredCall,
  DialogAnswer,
  GuardOptions,
  InputCheck,
  LateAnswer,
  Permit,
  PermitDialog,
  PermitRequest,
  Question,
  RefusedBy,
  RefusedCall,
  ToolCall,
  UserAnswer,
  WaitingCall,
} from './tool-call.ts'
export { withHooks } from './with-hooks.ts'
export {
  escapeReminder,
  formatBlockedPrompt,
  formatRefusal,
  formatStopFeedback,
  listContexts,
  listFeedback,
  listLateContexts,
  listObjections,
  listReminders,
  readHaltReason,
  wrapReminder,
} from './words.ts'
