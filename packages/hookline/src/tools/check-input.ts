import type { Checked } from './tool-call.ts'

/** What the AI SDK takes for a schema, as far as reading an input goes. */
type Schema = {
  readonly validate?: (value: unknown) => MaybePromise<SdkResult>
  readonly '~standard'?: { readonly validate: (value: unknown) => MaybePromise<StandardResult> }
}

type MaybePromise<T> = T | PromiseLike<T>
type SdkResult =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: Error }
type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] }

/** Holds an input against the schema of a tool: zod's, any standard one, or one of the AI SDK, lazy or not. */
export async function checkInput(written: unknown, input: unknown): Promise<Checked> {
  // The compiler cannot know what a tool set holds; the SDK takes nothing else for a schema.
  const schema = (typeof written === 'function' && !('~standard' in written) ? written() : written) as Schema
  const standard = schema['~standard']
  if (standard !== undefined) return ofStandard(await standard.validate(input))
  if (schema.validate === undefined) return { input } // JSON Schema alone: the SDK checks nothing either
  const result = await schema.validate(input)
  return result.success ? { input: result.value } : { fault: result.error.message }
}

function ofStandard(result: StandardResult): Checked {
  if (result.issues === undefined) return { input: result.value }
  return { fault: result.issues.map(({ message, path = [] }) => [placeOf(path), message].join('')).join('; ') }
}

function placeOf(path: readonly unknown[]): string {
  const keys = path.map((part) => (typeof part === 'object' && part !== null && 'key' in part ? part.key : part))
  return keys.length === 0 ? '' : `${keys.join('.')}: `
}
