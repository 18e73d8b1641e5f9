export type { PermissionAnswer, PermissionDialog, PermissionQuestion } from './call/dialog.ts'
export type { ElicitationAnswer, ElicitationDialog, ElicitationQuestion } from './mcp/elicitation.ts'
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
export type { AgentEvent, AgentName } from './output/events.ts'
export type { Block, Message, ToolResult, ToolUse } from './output/messages.ts'
export type { AgentResult, AnsweredResult, Denial, FailedAs, FailedResult, Figures } from './output/result.ts'
export type { PermissionMode } from './permission/modes.ts'
export { Agent, createAgent } from './session/agent.ts'
export { AgentError, type AgentHooks, type AgentOptions } from './session/options.ts'
export type { Ending, EndReason } from './session/session.ts'
export { runSlashCommand, type Typed } from './session/slash-command.ts'
export type { Component } from './skills/component.ts'
export type { GivenAgent } from './subagents/definition.ts'
export { builtinTools } from './tools/builtin.ts'
export { defineTool } from './tools/define-tool.ts'
export { type Tool, type ToolContext, ToolError, type ToolOutcome } from './tools/tool.ts'
