export { type AnsweredCall, afterBatch, guardBatch, guardCall, type RunnableCall } from './guard-call.ts'
export { DeferredByHook, HaltedByHook, haltOf, isHalted, RefusedByHook } from './hook-errors.ts'
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
} from './tool-call.ts'
export { withHooks } from './with-hooks.ts'
export { contextsOf, escaped, feedbackOf, objectionsOf, refusalOf, reminder, remindersOf } from './words.ts'
