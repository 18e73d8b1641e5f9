/**
 * As much of frameworks as adapters load, for a compiler that does not have them installed. `npm run frameworks` checks the
 * adapters against the real ones.
 */

declare module 'langchain' {
  interface Message {
    readonly id?: string
    readonly content: unknown
    readonly tool_calls?: readonly { readonly id?: string; readonly name: string; readonly args: unknown }[]
  }
  interface Request {
    readonly toolCall: { readonly id?: string; readonly name: string; readonly args: unknown }
    readonly tool?: { readonly schema?: unknown }
    readonly runtime: Runtime
  }
  interface Runtime {
    readonly signal?: AbortSignal
    readonly configurable?: { readonly thread_id?: unknown }
  }
  interface Update {
    readonly jumpTo?: 'end'
    readonly messages?: readonly object[]
  }
  interface AgentMiddleware {
    readonly name: string
  }
  class ToolMessage implements Message {
    constructor(fields: object)
    readonly content: unknown
    readonly status?: 'success' | 'error'
    readonly lc_kwargs: object
  }
  type Hook = (state: { readonly messages: readonly Message[] }, runtime: Runtime) => Promise<Update | undefined>
  function createMiddleware(parts: {
    readonly name: string
    readonly beforeModel: { readonly canJumpTo: readonly ['end']; readonly hook: Hook }
    readonly afterModel: {
      readonly canJumpTo: readonly ['end']
      readonly hook: Hook
    }
    readonly wrapToolCall: (request: Request, handler: (request: Request) => Promise<object>) => Promise<object>
  }): AgentMiddleware
}

declare module '@langchain/langgraph' {
  function interrupt(value: unknown): unknown
}

declare module '@openai/agents' {
  function tool(parts: object): { readonly invoke: (context: never, input: string) => Promise<unknown> }
}
