/** A call of a tool, as a scripted model makes it. */
export interface ScriptedToolCall {
  readonly name: string
  /** A text is the input of a custom tool, which only OpenAI's protocols have. */
  readonly input: Readonly<Record<string, unknown>> | string
  /** The group that a tool belongs to, which only OpenAI's Responses have. */
  readonly namespace?: string | undefined
  /** Default: one that the server makes up, different for every call. */
  readonly id?: string | undefined
}

/** Moment at which an answer begins: after a time, or after something that the test decides. */
export interface AnswerPace {
  readonly delayMs?: number | undefined
  readonly until?: PromiseLike<unknown> | undefined
}

/** A model that says something: thoughts, then text, then all calls of tools at once. */
export interface SpokenAnswer extends AnswerPace {
  readonly thinking?: string | undefined
  readonly text?: string | undefined
  readonly tools?: readonly ScriptedToolCall[] | undefined
  /** Default: 10 and 5; null: the server does not say. */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number } | null | undefined
  /** The model that says it has answered; default: the one that was asked. */
  readonly model?: string | undefined
  /** Reason why it stopped, other than having said everything or called tools. */
  readonly stopReason?: 'length' | 'refusal' | undefined
  /**
   * Event half-way: `cut` closes the connection, `stalled` says no more and keeps it open, and an error is
   * reported as the provider does it (in a stream as an event, otherwise as a 5xx). Default: nothing, all is said.
   */
  readonly ends?: 'cut' | 'stalled' | { readonly error: string } | undefined
}

/** An HTTP error in the provider's own shape, or with a body of the test's. */
export interface RefusedAnswer extends AnswerPace {
  readonly status: number
  readonly message?: string | undefined
  readonly body?: unknown | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Bytes that no provider would send. */
export interface RawAnswer extends AnswerPace {
  readonly raw: string
  /** Default: application/json. */
  readonly contentType?: string | undefined
}

/** A server that takes the request and never answers. */
export interface SilentAnswer {
  readonly silent: true
}

/** One answer of the script. */
export type ModelAnswer = SpokenAnswer | RefusedAnswer | RawAnswer | SilentAnswer
