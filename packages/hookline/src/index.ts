export type { TrustRequest } from './config/folder-request.ts'
export type { ConfiguredHook } from './config/hook.ts'
export type { Problem } from './config/problem.ts'
export { findDefaultManagedFile, type WritableScope } from './config/scopes.ts'
export type { NewHook } from './config/settings-text.ts'
export type { PendingChange } from './config/text-diff.ts'
export type { TrustAnswer } from './config/trust.ts'
export type { Delivery } from './dispatch/background.ts'
export type { RecordListener, UntrustedListener } from './dispatch/host-listeners.ts'
export type { Progress } from './dispatch/progress.ts'
export type { TraceContext, TraceSource } from './dispatch/settled.ts'
export type { AbsentGuard } from './engine/absent-guards.ts'
export type { Abortable, AnyEngine, Engine } from './engine/engine-interface.ts'
export type { ExplainedCondition, ExplainOptions, Explanation } from './engine/explain.ts'
export type { HookFault } from './engine/faults.ts'
export type { ListedHook, ListedModule } from './engine/listing.ts'
export { openEngine } from './engine/open-engine.ts'
export type { EngineOptions } from './engine/options.ts'
export type {
  Activation,
  FunctionHookOptions,
  HookFunction,
  HookGroup,
  HooksSetting,
  KnownEvent,
  LoopOptions,
  Registration,
} from './engine/register.ts'
export { HooklineError } from './files/error.ts'
export type { FunctionHook } from './hook-types/function.ts'
export type {
  EventInput,
  EventName,
  EventTypes,
  HookAnswer,
  HookInput,
  InputFor,
  ReceivedFor,
  ReceivedInput,
} from './protocol/event-input.ts'
export type { EventRow } from './protocol/event-row.ts'
export type {
  CommandHookSetting,
  CurrentAgentHookSetting,
  CurrentCommandHookSetting,
  CurrentHookSetting,
  CurrentPromptHookSetting,
  HookFields,
  HttpHookSetting,
  McpToolHookSetting,
  ModelHookSetting,
} from './protocol/hook-settings.ts'
export type { Profile } from './protocol/profile.ts'
export type { CurrentEvents, DefaultEvents } from './protocol/profile-events.ts'
export type { ProfileName } from './protocol/profiles.ts'
export type {
  ContextOrigin,
  Decision,
  DispatchRecord,
  HookLine,
  Message,
  RecordHost,
  RecordProject,
  Verdict,
} from './protocol/record/record.ts'
export type { ProtocolRules } from './protocol/rules.ts'
export type { Scope } from './protocol/scope.ts'
export type { PromptFunction, SpokenCall, SpokenMessage, SpokenResult } from './protocol/spoken-message.ts'
export type { LogOptions, RecordedEvent, RecordSink } from './record/log-options.ts'
export type {
  AgentReply,
  AgentTask,
  CallMcpTool,
  FilledPorts,
  McpToolCall,
  McpToolResult,
  ModelPorts,
  ModelQuestion,
  ModelReply,
  ModelUsage,
} from './run/ports.ts'
export { removeControls as cleanText } from './text/clean.ts'
