export { type Aftermath, afterCall, type CallOutcome } from './after-call.ts'
export { beforeCall, type Verdict } from './before-call.ts'
export type { Clearance, ClearanceOptions, ClearanceStore, LateAnswer } from './clearance.ts'
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
export type {
  CallEnd,
  Checked,
  Deferred,
  GuardOptions,
  InputCheck,
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
export { contextsOf, escaped, feedbackOf, objectionsOf, refusalOf, reminder, remindersOf } from './words.ts'
