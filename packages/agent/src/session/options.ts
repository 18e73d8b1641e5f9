import type { EngineOptions, FunctionHook } from 'hookline'
import type { PermissionDialog } from '../call/dialog.ts'
import type { ElicitationDialog } from '../mcp/elicitation.ts'
import type { Model } from '../models/model.ts'
import type { AgentEvent, AgentName } from '../output/events.ts'
import type { Message } from '../output/messages.ts'
import type { PermissionMode } from '../permission/modes.ts'
import type { GivenAgent } from '../subagents/definition.ts'
import type { Tool } from '../tools/tool.ts'

/** Hooks for one agent: as in a settings file, and functions among them. */
export type AgentHooks = Readonly<
  Record<string, readonly { readonly matcher?: string; readonly hooks: readonly (FunctionHook | object)[] }[]>
>

/** What an agent can be told when it is made; all but the model has a default. */
export interface AgentOptions {
  readonly model: Model
  /** What the model can do; the built-in tools by default. */
  readonly tools?: readonly Tool[]
  /**
   * Kinds of subagents by name, beside those of `agents` folders. With it, Task, the shared tasks and teams are offered
   * beside `tools` of your own too; the built-in tools have them always.
   */
  readonly agents?: Readonly<Record<string, GivenAgent>>
  /** Finds the model that a subagent asks for by name; without it all use `model`. */
  readonly modelOf?: (name: string) => Promise<Model>
  /** Hooks beside those of the settings files; they see the calls of subagents too. */
  readonly hooks?: AgentHooks
  /** Called for every message of the conversation, those that hooks put in included. */
  readonly onMessage?: (
    message: Message,
    context: { readonly injected: boolean; readonly agent: AgentName | null },
  ) => void
  /** Called for everything that happens. */
  readonly onEvent?: (event: AgentEvent) => void
  /** Asks a person; without it, what needs a person is denied. */
  readonly dialog?: PermissionDialog
  /** Shows a person the forms of MCP servers; without it they are declined. */
  readonly elicit?: ElicitationDialog
  /** The project's folder; the current one by default. */
  readonly project?: string
  readonly home?: string
  readonly managed?: string
  readonly plugins?: readonly string[]
  /** Files with MCP servers, beside the project's `.mcp.json`. */
  readonly mcpConfig?: readonly string[]
  readonly trust?: EngineOptions['trust']
  /** A settings file that counts for this agent only. */
  readonly settings?: string
  /** The environment of commands and hooks; this process's by default. */
  readonly env?: NodeJS.ProcessEnv
  readonly permissionMode?: PermissionMode
  /** Rules that allow calls, as in `permissions.allow`. */
  readonly allowedTools?: readonly string[]
  /** Rules that deny calls, as in `permissions.deny`; a tool named without a specifier is not offered at all. */
  readonly disallowedTools?: readonly string[]
  /** An earlier session to go on with: its id, or `newest` for the project's last one. */
  readonly resume?: string
  /** Requests to the model that one prompt may cause. */
  readonly maxTurns?: number
  /** How often in a row Stop hooks may send the agent on. */
  readonly maxStopBlocks?: number
  /** How deep subagents may start further ones. */
  readonly maxAgentDepth?: number
  /** Milliseconds without a word from teammates at work, after which the lead's turn ends without them. */
  readonly teamWaitMs?: number
  /** Milliseconds that a dialog may be open before a Notification says so. */
  readonly notifyAfterMs?: number
  /** Milliseconds that hooks get which run when everything else has been interrupted, SessionEnd's above all. */
  readonly endWithinMs?: number
  /** Milliseconds that an MCP server may take to start. */
  readonly mcpStartWithinMs?: number
  /** Further instructions for the model. */
  readonly systemPrompt?: string
  /** How hooks run in hosts of another kind: `envoy` runs them one after the other, without a time limit and a shell. */
  readonly preset?: NonNullable<EngineOptions['preset']>
  /** Scopes whose hooks block when they fail, or cannot run here although they should; `all` of them. */
  readonly failClosed?: NonNullable<EngineOptions['failClosed']>
  readonly debug?: NonNullable<EngineOptions['debug']>
}

/** What can be asked of an agent and is not possible. */
export class AgentError extends Error {
  override readonly name = 'AgentError'
}
