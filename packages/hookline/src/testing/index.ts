export { scriptBySteps } from './by-steps.ts'
export type {
  ModelAnswer,
  Paced,
  RawAnswer,
  RefusedAnswer,
  ScriptedToolCall,
  SilentAnswer,
  SpokenAnswer,
} from './model-answer.ts'
export type { Asked, ModelRequest, RequestBody, RequestEnd, WireFormat } from './model-request.ts'
export {
  type ModelScript,
  type ModelScriptFunction,
  type ModelServer,
  type ModelServerEnvironment,
  type ModelServerOptions,
  startModelServer,
} from './model-server.ts'
export { makeTemporaryProject, type TemporaryProject } from './temporary-project.ts'
