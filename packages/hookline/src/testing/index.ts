export { makeScriptBySteps } from './by-steps.ts'
export type {
  AnswerPace,
  ModelAnswer,
  RawAnswer,
  RefusedAnswer,
  ScriptedToolCall,
  SilentAnswer,
  SpokenAnswer,
} from './model-answer.ts'
export type { ModelRequest, RequestBody, RequestEnd, RequestFacts, WireFormat } from './model-request.ts'
export {
  type ModelScript,
  type ModelScriptFunction,
  type ModelServer,
  type ModelServerEnvironment,
  type ModelServerOptions,
  startModelServer,
} from './model-server.ts'
export { makeTemporaryProject, type TemporaryProject } from './temporary-project.ts'
