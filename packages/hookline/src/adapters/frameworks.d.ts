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
    readonly runtime: { readonly signal?: AbortSignal }
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
  }
  function createMiddleware(parts: {
    readonly name: string
    readonly beforeModel: { readonly canJumpTo: readonly ['end']; readonly hook: () => Update | undefined }
    readonly afterModel: {
      readonly canJumpTo: readonly ['end']
      readonly hook: (state: { readonly messages: readonly Message[] }) => Promise<Update | undefined>
    }
    readonly wrapToolCall: (
      request: Request,
      handler: (request: Request) => Promise<Message | object>,
    ) => Promise<Message | object>
  }): AgentMiddleware
}

declare module '@langchain/langgraph' {
  function interrupt(value: unknown): unknown
}
