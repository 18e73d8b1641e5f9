export { answerSchema, commonAnswer } from './answer.ts'
export { classic } from './classic/events.ts'
export { compileProfile } from './compile.ts'
export type { EventInput, EventName, HookInput, InputFor } from './event-input.ts'
export type { EventDefinition, EventFacts, EventRow } from './event-row.ts'
export { groupSchema, type HookSetting, handlerSchemas } from './handlers.ts'
export { commonInput, inputSchema } from './input.ts'
export type { Profile } from './profile.ts'
export {
  type Decision,
  type DispatchRecord,
  type HookLine,
  type Message,
  recordSchema,
  type Verdict,
} from './record.ts'
export type { ProtocolRules } from './rules.ts'
export { settingsSchema } from './settings.ts'
