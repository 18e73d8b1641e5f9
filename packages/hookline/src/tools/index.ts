export { guardBatch, guardCall, type RunnableCall } from './guard-call.ts'
export { HaltedByHook, haltOf, isHalted, RefusedByHook } from './hook-errors.ts'
export type {
  CallEnd,
  Checked,
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
