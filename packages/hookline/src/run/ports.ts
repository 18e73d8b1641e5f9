import type { EventInput } from '../protocol/event-input.ts'
import type { SpokenMessage } from '../protocol/spoken-message.ts'

/** Question to a model. Policy is in `system`; what an event carries is data and stands in the last message alone. */
export interface ModelQuestion {
  /** As the hook names it; null: the host's small fast model. */
  readonly model: string | null
  readonly system: string
  readonly messages: readonly SpokenMessage[]
  /** The JSON Schema of the answer, for providers that can be held to one. */
  readonly schema: Readonly<Record<string, unknown>>
  /** Aborts at the hook's deadline, or when the host gives up. */
  readonly signal: AbortSignal
  /** `performance.now()` of the deadline; null: none. What cannot be done before it need not be begun. */
  readonly deadline: number | null
}

/** Task for a small agent. */
export interface AgentTask extends Omit<ModelQuestion, 'messages'> {
  readonly prompt: string
  /** The only folder it may read. */
  readonly project: string
  /** The one file outside of it that it may read too; null: none. */
  readonly transcript: string | null
  readonly maxTurns: number
}

/** Tokens spent on an answer; null where the provider does not say. */
export interface ModelUsage {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}

/** Reply of a model. */
export interface ModelReply {
  readonly text: string
  /** The model that really answered. */
  readonly model: string
  readonly usage: ModelUsage
}

/** Reply of an agent. */
export interface AgentReply extends Omit<ModelReply, 'text'> {
  /** Verdict; null when its turns were used up without one. */
  readonly text: string | null
  readonly turns: number
}

/**
 * Ports of a host for hooks that a model decides. Both reject with an Error whose message is the provider's own, and
 * which holds no key.
 */
export interface ModelPorts {
  readonly askModel?: ((question: ModelQuestion) => Promise<ModelReply>) | undefined
  readonly runAgent?: ((task: AgentTask) => Promise<AgentReply>) | undefined
  /** The conversation so far, where it helps to judge the event. */
  readonly conversation?:
    | ((input: EventInput) => readonly SpokenMessage[] | Promise<readonly SpokenMessage[]>)
    | undefined
}

/** The ports through which hooks reach a model, filled. */
export interface FilledPorts extends ModelPorts {
  readonly askModel: NonNullable<ModelPorts['askModel']>
  readonly runAgent: NonNullable<ModelPorts['runAgent']>
}

/** A call of a tool of an MCP server, made for a hook. */
export interface McpToolCall {
  /** As the hook names it; a plugin's server is `plugin:<plugin>:<server>`. */
  readonly server: string
  readonly tool: string
  readonly input: unknown
  /** Aborts at the hook's deadline, or when the host gives up. */
  readonly signal: AbortSignal
}

/** Result of the tool. */
export interface McpToolResult {
  /** The texts of the result, joined. */
  readonly content: string
  readonly isError?: boolean | undefined
}

/** Calls a tool for a hook; rejects when its server is not connected. No hook may fire for such a call. */
export type CallMcpTool = (call: McpToolCall) => Promise<McpToolResult>
