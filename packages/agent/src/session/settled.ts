import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { defaultManagedFile } from 'hookline'
import { parseRule } from 'hookline/rules'
import type { PermissionDialog } from '../call/dialog.ts'
import type { ElicitationDialog } from '../mcp/elicitation.ts'
import type { Model } from '../models/model.ts'
import type { AgentEvent } from '../output/events.ts'
import { type AgentDefinition, givenAgents } from '../subagents/definition.ts'
import { builtinTools } from '../tools/builtin.ts'
import type { Tool } from '../tools/tool.ts'
import { sessionsFolder } from '../transcript/sessions.ts'
import { AgentError, type AgentHooks, type AgentOptions } from './options.ts'

/** The options with nothing left open. */
export interface Settled {
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
  readonly societyOffered: boolean
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
  readonly limits: {
    readonly maxTurns: number
    readonly maxStopBlocks: number
    readonly maxAgentDepth: number
    readonly teamWaitMs: number
    readonly notifyAfterMs: number
    readonly endWithinMs: number
    readonly mcpStartWithinMs: number
  }
  readonly preset: AgentOptions['preset']
  readonly failClosed: NonNullable<AgentOptions['failClosed']>
  readonly debug: AgentOptions['debug']
  readonly emit: (event: AgentEvent) => void
}

/** Fills in the defaults. Throws an AgentError for what cannot be right. */
export function settle(options: AgentOptions): Settled {
  const { model, onMessage, onEvent } = options
  if (options.maxTurns !== undefined && !(options.maxTurns > 0))
    throw new AgentError(`maxTurns must be a positive number, not ${options.maxTurns}.`)
  for (const rule of [...(options.allowedTools ?? []), ...(options.disallowedTools ?? [])]) {
    const parsed = parseRule(rule)
    if ('fault' in parsed) throw new AgentError(parsed.fault)
  }
  const home = resolve(options.home ?? homedir())
  const env = options.env ?? process.env
  return {
    places: {
      project: resolve(options.project ?? process.cwd()),
      home,
      managed: resolve(options.managed ?? defaultManagedFile(process.platform)),
      plugins: options.plugins ?? [],
    },
    sessionsFolder: sessionsFolder(home),
    trust: options.trust ?? 'stored',
    env,
    model,
    tools: offered(options.tools ?? builtinTools({ env }), options.disallowedTools ?? []),
    agents: givenAgents(options.agents ?? {}),
    modelOf: options.modelOf ?? null,
    societyOffered: options.tools === undefined || options.agents !== undefined,
    teams: env.CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS !== '0',
    hooks: options.hooks ?? {},
    settings: options.settings === undefined ? null : resolve(options.settings),
    instructions: options.systemPrompt ?? null,
    mode: options.permissionMode,
    allow: options.allowedTools ?? [],
    deny: options.disallowedTools ?? [],
    dialog: options.dialog ?? null,
    elicit: options.elicit ?? null,
    mcpConfig: (options.mcpConfig ?? []).map((path) => resolve(path)),
    limits: {
      maxTurns: options.maxTurns ?? Number.POSITIVE_INFINITY,
      maxStopBlocks: options.maxStopBlocks ?? 8,
      maxAgentDepth: options.maxAgentDepth ?? 5,
      teamWaitMs: options.teamWaitMs ?? 600_000,
      notifyAfterMs: options.notifyAfterMs ?? 6000,
      endWithinMs: options.endWithinMs ?? 10_000,
      mcpStartWithinMs: options.mcpStartWithinMs ?? 30_000,
    },
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
function offered(tools: readonly Tool[], forbidden: readonly string[]): Tool[] {
  return tools.filter(({ name }) => !forbidden.includes(name))
}
