import { readFileSync } from 'node:fs'
import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import type { McpToolResult } from 'hookline'
import * as z from 'zod'
import { AgentError } from '../output/agent-error.ts'
import { type Tool, ToolError } from '../tools/tool.ts'
import type { ElicitationAnswer, ElicitationQuestion } from './elicitation.ts'
import { makeMcpTool, type OfferedTool, toHookResult } from './mcp-tool.ts'
import type { ServerSpec } from './server-spec.ts'
import { StdioTransport } from './stdio-transport.ts'

/** Parts of the session that a connection needs. */
export interface ConnectionHost {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Aborts when the session ends. */
  readonly closing: AbortSignal
  readonly elicit: (question: ElicitationQuestion) => Promise<ElicitationAnswer>
  /** Servers may send the user to a page, and not only ask for a form. */
  readonly opensPages: boolean
  /** Users may call the server's prompts. */
  readonly hasPrompts: boolean
  /** Called when a server says that a page is done with. */
  readonly onComplete: () => void
  /** Called when the server offers other tools than before. */
  readonly onTools: (tools: readonly Tool[]) => void
  /** Called once when the server ends by itself. */
  readonly onLost: (why: string) => void
  /** Called for what goes wrong between the two and ends nothing. */
  readonly onTrouble: (what: string) => void
}

/** A prompt as its server describes it. */
export interface OfferedPrompt {
  readonly name: string
  readonly description?: string | undefined
  readonly arguments?: readonly { readonly name: string }[] | undefined
}

/** Calls take as long as they take: the user can interrupt them. */
const NO_LIMIT = { timeout: 2 ** 31 - 1 }

/** Form of a user who is only sent to a page. */
const NO_FIELDS = { type: 'object', properties: {} }

/** The line to a server; close it. */
export class Connection {
  readonly #name: string
  readonly #source: ServerSpec['source']
  readonly #host: ConnectionHost
  readonly #transport: Transport
  readonly #client: Client
  /** Texts that the server has for users, who call them as commands. */
  prompts: readonly OfferedPrompt[] = []
  /** Signals that interrupt the calls under way. */
  readonly #calls = new Set<AbortSignal>()

  constructor(spec: ServerSpec, host: ConnectionHost) {
    this.#name = spec.name
    this.#source = spec.source
    this.#host = host
    this.#transport = makeTransport(spec, host)
    this.#client = new Client(
      { name: 'hookline-agent', version: readOwnVersion() },
      {
        capabilities: { elicitation: host.opensPages ? { form: {}, url: {} } : { form: {} } },
        listChanged: {
          tools: { debounceMs: 0, onChanged: (_, tools) => tools && host.onTools(this.#toOurTools(tools)) },
        },
      },
    )
    this.#client.setNotificationHandler('notifications/elicitation/complete', () => host.onComplete())
    this.#client.onerror = ({ message }) => host.onTrouble(message)
    this.#client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
      if (params.mode === 'url' && !host.opensPages) return { action: 'decline' } // the mode was not offered to servers
      const signal = AbortSignal.any([mcpReq.signal, host.closing, ...this.#calls])
      const common = { server: this.#name, message: params.message, signal }
      const asked =
        params.mode === 'url'
          ? { schema: NO_FIELDS, page: { url: params.url, id: params.elicitationId } }
          : { schema: params.requestedSchema }
      const answer = await host.elicit({ ...common, ...asked })
      if (params.mode === 'url') return { action: answer.action } // the words to the page are the server's
      return answer.action === 'accept' ? { ...answer, content: { ...answer.content } } : answer
    })
  }

  /** Connects; resolves with the tools. When that fails nothing of the server is left, and the error says why. */
  async open(signal: AbortSignal): Promise<Tool[]> {
    try {
      await this.#client.connect(this.#transport, { ...NO_LIMIT, signal })
      const { tools } = await this.#client.listTools(undefined, { ...NO_LIMIT, signal })
      if (this.#host.hasPrompts && this.#client.getServerCapabilities()?.prompts)
        this.prompts = (await this.#client.listPrompts(undefined, { ...NO_LIMIT, signal })).prompts
      this.#client.onclose = () => this.#host.onLost(this.#explainFailure('it closed the connection'))
      return this.#toOurTools(tools)
    } catch (error) {
      await this.#transport.close()
      throw new Error(this.#explainFailure(error))
    }
  }

  async close(): Promise<void> {
    this.#client.onclose = () => {}
    await this.#client.close()
  }

  /** Calls a tool for a hook. */
  async callForHook(name: string, input: unknown, signal: AbortSignal): Promise<McpToolResult> {
    const given = z.record(z.string(), z.unknown()).safeParse(input)
    if (!given.success) throw new ToolError('the input of a tool must be an object')
    return toHookResult(await this.#call(name, given.data, signal))
  }

  /** The text of a prompt; what was typed are its arguments, in their order. Rejects with an AgentError. */
  async expand({ name, arguments: wanted = [] }: OfferedPrompt, typed: string, signal: AbortSignal): Promise<string> {
    const words = typed.split(/\s+/).filter((word) => word !== '')
    const last = wanted.length - 1
    const given = wanted.map((one, at) => [one.name, at === last ? words.slice(at).join(' ') : (words[at] ?? '')])
    try {
      const args = Object.fromEntries(given.filter(([, value]) => value !== ''))
      const { messages } = await this.#client.getPrompt({ name, arguments: args }, { ...NO_LIMIT, signal })
      return messages.map(({ content }) => (content.type === 'text' ? content.text : '[not text]')).join('\n\n')
    } catch (error) {
      throw new AgentError(
        `The MCP server "${this.#name}" did not give the prompt "${name}": ${this.#explainFailure(error)}`,
      )
    }
  }

  /** Ends a server that is a process, without waiting for it. */
  kill(): void {
    if (this.#transport instanceof StdioTransport) this.#transport.kill()
  }

  #toOurTools(tools: readonly OfferedTool[]): Tool[] {
    const server = { name: this.#name, source: this.#source }
    return tools.map((tool) => makeMcpTool(server, tool, (input, signal) => this.#call(tool.name, input, signal)))
  }

  async #call(name: string, input: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult> {
    this.#calls.add(signal)
    try {
      return await this.#client.callTool({ name, arguments: input }, { ...NO_LIMIT, signal })
    } catch (error) {
      throw new ToolError(`The MCP server "${this.#name}" did not answer the call: ${this.#explainFailure(error)}`)
    } finally {
      this.#calls.delete(signal)
    }
  }

  /** Reason why something went wrong: what a process said at its end tells more than that it does not answer. */
  #explainFailure(error: unknown): string {
    const { end, stderr } =
      this.#transport instanceof StdioTransport ? this.#transport.lastWords : { end: null, stderr: '' }
    return [end ?? readErrorMessage(error), stderr].filter((part) => part !== '').join('\n')
  }
}

function makeTransport({ reach }: ServerSpec, { cwd, env }: ConnectionHost): Transport {
  if (reach.type === 'http') {
    return new StreamableHTTPClientTransport(new URL(reach.url), { requestInit: { headers: reach.headers } })
  }
  const { command, args } = reach
  return new StdioTransport({ command, args, cwd, env: { ...env, CLAUDE_PROJECT_DIR: cwd, ...reach.env } })
}

function readErrorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

function readOwnVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return String(version)
}
