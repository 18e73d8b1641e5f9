import type { Message, ToolUse, Usage } from '../output/messages.ts'

/** A tool as the model is told of it. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  /** A JSON Schema. */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** The `agentType` of a request for the summary that a compaction leaves. */
export const COMPACTION = 'compaction'

/** The part of the context window past which a conversation is compacted by itself. */
export const FULL_CONTEXT = 0.85

/** The `agentType` of a request for a verdict on a call, in the mode `auto`. */
export const CLASSIFIER = 'classifier'

/** One request of a loop. */
export interface ModelRequest {
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[]
  /** The kind of the subagent that asks, `COMPACTION` or `CLASSIFIER`; null: the session's own loop. */
  readonly agentType: string | null
  readonly signal: AbortSignal
}

/** Piece of what a model says. `end` is always the last, and is missing only when the stream throws. */
export type ModelPiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string }
  /** Closes the thinking before it; the provider wants it back with the next request. */
  | { readonly type: 'signature'; readonly signature: string }
  | ToolUse
  | { readonly type: 'end'; readonly usage: Usage; readonly cutShort: boolean }

/**
 * A model that a loop can talk to. A stream that fails throws a ModelError, also in its middle; one whose signal aborts
 * throws the signal's reason.
 */
export interface Model {
  /** As it is shown, and stands in the transcript. */
  readonly name: string
  /** Tokens that fit into one request. */
  readonly contextWindow: number
  /** Effort of its thinking, as hooks are told; missing where it cannot be told to think more or less. */
  readonly effort?: string
  /** True as soon as a provider that wants a key has answered; missing where there is no key to accept. */
  readonly authenticated?: boolean
  readonly stream: (request: ModelRequest) => AsyncIterable<ModelPiece>
}

/** Kind of failure when a provider does not answer, in the words of StopFailure hooks. */
export type ModelFailure =
  | 'unknown'
  | 'authentication_failed'
  | 'model_not_found'
  | 'invalid_request'
  | 'rate_limit'
  | 'server_error'
  | 'oauth_org_not_allowed'
  | 'account_on_hold'
  | 'verification_required'
  | 'billing_error'
  | 'overloaded'
  | 'max_output_tokens'
  | 'cloud_credential_error'

/** Facts about a failure besides its words. */
interface FailureFacts {
  readonly kind?: ModelFailure
  /** Milliseconds after which the provider answers again; null: it did not say. */
  readonly waitMs?: number | null
}

/** Error of a provider that did not answer; it holds no key. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly kind: ModelFailure
  readonly waitMs: number | null

  constructor(message: string, { kind = 'unknown', waitMs = null }: FailureFacts = {}) {
    super(message)
    this.kind = kind
    this.waitMs = waitMs
  }
}
