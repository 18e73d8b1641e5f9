export { effectsOf, type OwnTables } from './effects-of.ts'
export type { OwnPlaces } from './places.ts'
export type { Program, Role } from './program.ts'
export type { ToolCall } from './tool-calls.ts'
export type {
  Carried,
  Certainty,
  Effect,
  Flow,
  Path,
  Place,
  Step,
  System,
  Unseen,
  UnseenReason,
  View,
  Where,
} from './view.ts'
export { openWorld, type World } from './world.ts'
