import type { ModelOutput } from './model-output.ts'

/** As much of a tool of the AI SDK as its hooks need. */
export interface SdkTool {
  readonly inputSchema: unknown
  readonly execute?: ((input: unknown, options: SdkCall) => unknown) | undefined
  readonly toModelOutput?: (options: {
    readonly toolCallId: string
    readonly output: unknown
  }) => ModelOutput | PromiseLike<ModelOutput>
}

/** Facts of the SDK about a call when it makes it. */
export interface SdkCall {
  readonly toolCallId: string
  readonly messages: readonly { readonly role: string }[]
  readonly abortSignal?: AbortSignal | undefined
}

/** The SDK wants an iterable at once, so what will give one must be known before the call. */
export function isGenerator(execute: object): boolean {
  return Object.prototype.toString.call(execute) === '[object AsyncGeneratorFunction]'
}

/** Waits for what a result comes to: of several, the last. */
export async function takeLastResult(result: unknown): Promise<unknown> {
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return result
  let last: unknown
  for await (const one of result as AsyncIterable<unknown>) last = one // the result says so itself
  return last
}

/** Finds what stands for the turn of a call: the last message of the user. */
export function findTurnName({ messages }: SdkCall): object {
  return messages.findLast(({ role }) => role === 'user') ?? messages
}
