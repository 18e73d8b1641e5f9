export { answerSchema, commonAnswer } from './answer.ts'
export { classic, type EventName } from './classic/events.ts'
export { compileProfile } from './compile.ts'
export type { EventInput, HookInput } from './event-input.ts'
export type { EventDefinition, EventFacts, EventRow, Profile } from './event-row.ts'
export { groupSchema, type HookSetting, handlerSchemas } from './handlers.ts'
export { commonInput, inputSchema } from './input.ts'
export {
  type Decision,
  type DispatchRecord,
  type HookLine,
  type Message,
  recordSchema,
  type Verdict,
} from './record.ts'
export { settingsSchema } from './settings.ts'
