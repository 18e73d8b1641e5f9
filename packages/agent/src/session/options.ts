import { resolve } from 'node:path'
import { type EngineOptions, findDefaultManagedFile } from 'hookline'
import { findHome } from 'hookline/internal'
import { parseRule } from 'hookline/rules'
import type { PermissionDialog } from '../call/ask-user.ts'
import type { AgentHooks } from '../hooks/register-hooks.ts'
import type { ElicitationDialog } from '../mcp/elicitation.ts'
import type { Model } from '../models/model.ts'
import { AgentError } from '../output/agent-error.ts'
import type { AgentEvent, AgentName } from '../output/events.ts'
import type { Message } from '../output/messages.ts'
import type { PermissionMode } from '../permission/modes.ts'
import { type AgentDefinition, type GivenAgent, readGivenAgents } from '../subagents/definition.ts'
import { makeBuiltinTools } from '../tools/builtin.ts'
import type { Tool } from '../tools/tool.ts'
import { findSessionsFolder } from '../transcript/sessions.ts'
import type { Limits } from '../turn/loop-state.ts'

/** Options of an agent when it is made; all but the model has a default. */
export interface AgentOptions {
  readonly model: Model
  /** Tools of the model; the built-in tools by default. */
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
  /** Asks a user; without it, what needs a user is denied. */
  readonly dialog?: PermissionDialog
  /** Shows a user the forms of MCP servers; without it they are declined. */
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
  /** The earlier session stays as it is: what comes is a session of its own. */
  readonly fork?: boolean
  /** Fires Setup hooks before the session starts, where the profile has them. */
  readonly setup?: 'init' | 'maintenance'
  /** Works in a worktree of this name, which git makes or a hook. */
  readonly worktree?: string
  /** Edits of settings files count from the next event on, without a review; not those of the project's own files. */
  readonly liveSettings?: boolean
  /** Requests to the model that one prompt may cause. */
  readonly maxTurns?: number
  /** Number of times in a row that Stop hooks may send the agent on. */
  readonly maxStopBlocks?: number
  /** Depth to which subagents may start further ones. */
  readonly maxAgentDepth?: number
  /** Milliseconds without a word from teammates at work, after which the lead's turn ends without them. */
  readonly teamWaitMs?: number
  /** Milliseconds that a dialog may be open before a Notification says so. */
  readonly notifyAfterMs?: number
  /** Milliseconds that hooks get which run when everything else has been interrupted, SessionEnd's above all. */
  readonly endWithinMs?: number
  /** Milliseconds that an MCP server may take to start. */
  readonly mcpStartWithinMs?: number
  /** Milliseconds that a turn may wait for a provider that names the time after which it answers again; 0 by default. */
  readonly quotaWaitMs?: number
  /** Milliseconds after that time in which the turn goes on by itself: a machine may have slept meanwhile. */
  readonly quotaStaleMs?: number
  /** Further instructions for the model. */
  readonly systemPrompt?: string
  /** The version of the hook protocol, by its name or as a table of the host's own; HOOKLINE_PROFILE or what settings choose by default. */
  readonly profile?: NonNullable<EngineOptions['profile']>
  /** Name of another kind of host whose way of running hooks holds: `envoy` runs them one after the other, without a time limit and a shell. */
  readonly preset?: NonNullable<EngineOptions['preset']>
  /** Scopes whose hooks block when they fail, or cannot run here although they should; `all` of them. */
  readonly failClosed?: NonNullable<EngineOptions['failClosed']>
  readonly debug?: NonNullable<EngineOptions['debug']>
}

/** The options with nothing left open. */
export interface SettledOptions {
  readonly places: {
    readonly project: string
    readonly home: string
    readonly managed: string
    readonly plugins: readonly string[]
  }
  readonly sessionsFolder: string
  readonly trust: NonNullable<AgentOptions['trust']>
  readonly env: NodeJS.ProcessEnv
  readonly model: Model
  readonly tools: readonly Tool[]
  /** Kinds of subagents that the host gave. */
  readonly agents: readonly AgentDefinition[]
  readonly modelOf: ((name: string) => Promise<Model>) | null
  /** Agents can start others. */
  readonly hasSubagents: boolean
  readonly teams: boolean
  readonly hooks: AgentHooks
  readonly settings: string | null
  readonly instructions: string | null
  readonly mode: AgentOptions['permissionMode']
  readonly allow: readonly string[]
  readonly deny: readonly string[]
  readonly dialog: PermissionDialog | null
  readonly elicit: ElicitationDialog | null
  readonly mcpConfig: readonly string[]
  readonly setup: 'init' | 'maintenance' | null
  readonly worktree: string | null
  readonly liveSettings: boolean
  readonly limits: Limits
  readonly profile: AgentOptions['profile']
  readonly preset: AgentOptions['preset']
  readonly failClosed: NonNullable<AgentOptions['failClosed']>
  readonly debug: AgentOptions['debug']
  readonly emit: (event: AgentEvent) => void
}

/** Fills in the defaults. Throws an AgentError for what cannot be right. */
export function settleOptions(options: AgentOptions): SettledOptions {
  const { model, onMessage, onEvent } = options
  if (options.maxTurns !== undefined && !(options.maxTurns > 0))
    throw new AgentError(`maxTurns must be a positive number, not ${options.maxTurns}.`)
  for (const rule of [...(options.allowedTools ?? []), ...(options.disallowedTools ?? [])]) {
    const read = parseRule(rule)
    if ('fault' in read) throw new AgentError(read.fault)
  }
  const home = resolve(options.home || findHome())
  const env = options.env ?? process.env
  return {
    places: {
      project: resolve(options.project ?? process.cwd()),
      home,
      managed: resolve(options.managed ?? findDefaultManagedFile(process.platform)),
      plugins: options.plugins ?? [],
    },
    sessionsFolder: findSessionsFolder(home),
    trust: options.trust ?? 'stored',
    env,
    model,
    tools: omitForbidden(options.tools ?? makeBuiltinTools({ env }), options.disallowedTools ?? []),
    agents: readGivenAgents(options.agents ?? {}),
    modelOf: options.modelOf ?? null,
    hasSubagents: options.tools === undefined || options.agents !== undefined,
    teams: env.CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS !== '0',
    hooks: options.hooks ?? {},
    settings: options.settings === undefined ? null : resolve(options.settings),
    instructions: options.systemPrompt ?? null,
    mode: options.permissionMode,
    allow: options.allowedTools ?? [],
    deny: options.disallowedTools ?? [],
    dialog: options.dialog ?? null,
    elicit: options.elicit ?? null,
    setup: options.setup ?? null,
    worktree: options.worktree ?? null,
    liveSettings: options.liveSettings ?? false,
    mcpConfig: (options.mcpConfig ?? []).map((path) => resolve(path)),
    limits: {
      maxTurns: options.maxTurns ?? Number.POSITIVE_INFINITY,
      maxStopBlocks: options.maxStopBlocks ?? 8,
      maxAgentDepth: options.maxAgentDepth ?? 5,
      teamWaitMs: options.teamWaitMs ?? 600_000,
      notifyAfterMs: options.notifyAfterMs ?? 6000,
      endWithinMs: options.endWithinMs ?? 10_000,
      mcpStartWithinMs: options.mcpStartWithinMs ?? 30_000,
      quotaWaitMs: options.quotaWaitMs ?? 0,
      quotaStaleMs: options.quotaStaleMs ?? 300_000,
    },
    profile: options.profile,
    preset: options.preset,
    failClosed: options.failClosed ?? [],
    debug: options.debug,
    emit: (event) => {
      onEvent?.(event)
      if (event.type === 'message') onMessage?.(event.message, { injected: event.injected, agent: event.agent })
    },
  }
}

/** Without the tools that are forbidden as a whole. */
function omitForbidden(tools: readonly Tool[], forbidden: readonly string[]): Tool[] {
  return tools.filter(({ name }) => !forbidden.includes(name))
}
