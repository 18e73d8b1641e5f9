export { Agent, createAgent } from './agent.ts'
export type { AgentEvent, AgentName } from './agent-event.ts'
export type { GivenAgent } from './agents/definition.ts'
export type { PermissionAnswer, PermissionDialog, PermissionQuestion } from './dialog.ts'
export type { ElicitationAnswer, ElicitationDialog, ElicitationQuestion } from './mcp/elicitation.ts'
export type { Block, Message, ToolResult, ToolUse } from './message.ts'
export { chooseModel } from './models/choose-model.ts'
export {
  type Model,
  ModelError,
  type ModelPiece,
  type ModelRequest,
  type ToolSpec,
  type Usage,
} from './models/model.ts'
export type { ScriptSource } from './models/script.ts'
export { scriptedModel } from './models/scripted.ts'
export { AgentError, type AgentHooks, type AgentOptions } from './options.ts'
export type { PermissionMode } from './permission/modes.ts'
export type { AgentResult, AnsweredResult, Denial, FailedAs, FailedResult, Figures } from './result.ts'
export type { Ending, EndReason } from './session.ts'
export type { Component } from './skills/component.ts'
export { runSlashCommand, type Typed } from './slash-command.ts'
export { builtinTools } from './tools/builtin.ts'
export { defineTool } from './tools/define-tool.ts'
export { type Tool, type ToolContext, ToolError, type ToolOutcome } from './tools/tool.ts'
