import type { Engine, McpToolCall, McpToolResult } from 'hookline'
import { type HookedLoop, hasEvent } from '../hooks/fire.ts'
import type { Tool } from '../tools/tool.ts'
import type { Connection, ConnectionHost } from './connection.ts'
import { answerElicitation, type ElicitationDialog, type ElicitationHost, tellComplete } from './elicitation.ts'
import { findServers } from './find-servers.ts'
import { makeServerPrefix, type ServerSpec, toToolNamePart } from './server-spec.ts'

/** Parts of their session that servers need. */
interface Host extends ElicitationHost {
  readonly engine: Engine
  readonly project: string
  /** Aborts when the session ends. */
  readonly closing: AbortSignal
  /** Takes care of what nothing waits for. */
  readonly inBackground: (work: Promise<unknown>) => void
  /** The loops under way, with the tools that each has. */
  readonly loops: ReadonlyMap<string | null, HookedLoop & { readonly tools: Map<string, Tool> }>
}

/** Servers of a session, and how they are started. */
interface ServerOptions {
  readonly env: NodeJS.ProcessEnv
  readonly elicit: ElicitationDialog | null
  /** Rules that deny calls. */
  readonly deny: readonly string[]
  /** Files with servers, beside the project's `.mcp.json`. */
  readonly mcpConfig: readonly string[]
  readonly limits: { readonly mcpStartWithinMs: number }
}

/** A prompt of a server, which a user calls as a command. */
export interface McpPrompt {
  readonly server: string
  readonly description: string
  /** Expansion of what was typed behind it. */
  readonly expand: (typed: string, signal: AbortSignal) => Promise<string>
}

/** The MCP servers of a session; close it to end them. */
export class McpServers {
  readonly #host: Host
  readonly #options: ServerOptions
  readonly #connections = new Map<string, Connection>()
  readonly #tools = new Map<string, readonly Tool[]>()

  /** Use `openServers`. */
  constructor(host: Host, options: ServerOptions) {
    this.#host = host
    this.#options = options
  }

  /** Ends every server without waiting for it. */
  readonly kill = (): void => {
    for (const connection of this.#connections.values()) connection.kill()
  }

  /** The tools of all servers that live, without those that are forbidden as a whole. */
  get tools(): readonly Tool[] {
    return [...this.#tools.values()].flat()
  }

  /** The prompts of all servers that live, by the names that they are called by. */
  get prompts(): ReadonlyMap<string, McpPrompt> {
    const found = [...this.#connections].flatMap(([server, connection]) =>
      connection.prompts.map((prompt): [string, McpPrompt] => [
        `${makeServerPrefix(server)}__${toToolNamePart(prompt.name)}`,
        {
          server,
          description: prompt.description ?? '',
          expand: (typed, signal) => connection.expand(prompt, typed, signal),
        },
      ]),
    )
    return new Map(found)
  }

  /** Starts a server; what keeps it from starting is told, and the session goes on without it. */
  async start(spec: ServerSpec, until: AbortSignal): Promise<void> {
    const { mcpStartWithinMs } = this.#options.limits
    const late = AbortSignal.timeout(mcpStartWithinMs)
    try {
      const { Connection } = await import('./connection.ts') // takes long to load, and most sessions have no server
      const connection = new Connection(spec, this.#makeConnectionHost(spec))
      const tools = await connection.open(AbortSignal.any([late, until]))
      this.#connections.set(spec.name, connection)
      this.#offer(spec.name, tools)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const words = late.aborted ? `it did not answer within ${mcpStartWithinMs / 1000} s` : reason
      this.#tell(`${spec.place}  The MCP server "${spec.name}" did not start: ${words}`)
    }
  }

  /** Calls a tool for a hook: no hook fires for it, and no rule is asked. Rejects when there is no such server. */
  async callForHook({ server, tool, input, signal }: McpToolCall): Promise<McpToolResult> {
    const connection = this.#connections.get(toToolNamePart(server)) // `plugin:NAME:SERVER` is written so in settings files
    if (connection === undefined) throw new Error(`the MCP server "${server}" is not connected`)
    return connection.callForHook(tool, input, signal)
  }

  /** Ends every server. Safe to call twice. */
  async close(): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => connection.close()))
    process.off('exit', this.kill)
  }

  #makeConnectionHost({ name }: ServerSpec): ConnectionHost {
    const { project, closing, emit } = this.#host
    return {
      cwd: project,
      closing,
      env: this.#options.env,
      elicit: (question) => answerElicitation(this.#host, this.#options.elicit, question),
      opensPages: hasEvent(this.#host, 'Elicitation'),
      hasPrompts: hasEvent(this.#host, 'UserPromptExpansion'),
      onComplete: () => this.#host.inBackground(tellComplete(this.#host, name)),
      onTools: (tools) => this.#offer(name, tools),
      onLost: (why) => {
        this.#connections.delete(name)
        this.#offer(name, [])
        this.#tell(`The MCP server "${name}" is gone, and its tools with it: ${why}`)
      },
      onTrouble: (what) => emit({ type: 'told', to: 'verbose', text: `The MCP server "${name}": ${what}` }),
    }
  }

  /** Replaces what a server offers, in loops under way too: a tool that is gone is gone for all, a new one is the session's. */
  #offer(server: string, tools: readonly Tool[]): void {
    const before = this.#tools.get(server) ?? []
    const now = tools.filter(({ name }) => !isForbidden(name, server, this.#options.deny))
    this.#tools.set(server, now)
    for (const [agent, loop] of this.#host.loops) {
      const kept = now.filter(({ name }) => agent === null || loop.tools.has(name))
      for (const { name } of before) loop.tools.delete(name)
      for (const tool of kept) loop.tools.set(tool.name, tool)
    }
  }

  #tell(text: string): void {
    this.#host.emit({ type: 'told', to: 'user', text })
  }
}

/** Starts the servers of a session, all at once; resolves when each has started or failed; the signal ends what still starts. */
export async function openServers(host: Host, options: ServerOptions, signal: AbortSignal): Promise<McpServers> {
  const { env, mcpConfig } = options
  const found = await findServers({ project: host.project, named: mcpConfig, env }, host.engine)
  for (const text of found.problems) host.emit({ type: 'told', to: 'user', text })
  const servers = new McpServers(host, options)
  if (found.servers.length > 0) process.on('exit', servers.kill) // a host that exits in a hurry leaves none behind
  await Promise.all(found.servers.map((spec) => servers.start(spec, signal)))
  return servers
}

function isForbidden(tool: string, server: string, forbidden: readonly string[]): boolean {
  const whole = makeServerPrefix(server)
  return [tool, whole, `${whole}__*`].some((rule) => forbidden.includes(rule))
}
