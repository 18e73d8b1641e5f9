/** One message of a conversation, as plain text, and what was done with it. */
export interface SpokenMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
  /** The calls that the model made with it, or what came of calls, in order. */
  readonly tools?: readonly (SpokenCall | SpokenResult)[] | undefined
}

/** A call of a tool. */
export interface SpokenCall {
  readonly type: 'call'
  readonly id: string
  readonly name: string
  readonly input: unknown
}

/** Result of a call, as the model read it. */
export interface SpokenResult {
  readonly type: 'result'
  /** Id of the call. */
  readonly id: string
  readonly output: string
  readonly isError: boolean
}

/** An agent hook's prompt that depends on the conversation; for hooks registered in process. */
export type PromptFunction = (messages: readonly SpokenMessage[]) => string | Promise<string>
