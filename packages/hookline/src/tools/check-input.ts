import type { CheckedInput } from './tool-call.ts'

/** Schema, as far as reading an input goes. */
type Schema = {
  readonly jsonSchema?: unknown
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

/** Holds an input against the schema of a tool: zod's, any standard one, one of the AI SDK, lazy or not, or a JSON Schema. */
export async function checkInput(written: unknown, input: unknown): Promise<CheckedInput> {
  // The compiler cannot know what a tool has for a schema; there are no other kinds.
  const schema = (typeof written === 'function' && !('~standard' in written) ? written() : written) as Schema
  const standard = schema['~standard']
  if (standard !== undefined) return toCheckedInput(await standard.validate(input))
  if (schema.validate === undefined) return checkJsonSchema((await schema.jsonSchema) ?? schema, input)
  const result = await schema.validate(input)
  return result.success ? { input: result.value } : { fault: result.error.message }
}

/** Only a rewritten input is held against one, so the library that reads it is loaded then. */
async function checkJsonSchema(schema: unknown, input: unknown): Promise<CheckedInput> {
  const { fromJSONSchema } = await import('zod')
  try {
    const fits = fromJSONSchema(schema as Parameters<typeof fromJSONSchema>[0]) // other schemas throw
    const checked = toCheckedInput(await fits['~standard'].validate(input))
    return 'fault' in checked ? checked : { input } // defaults are the tool's own
  } catch (error) {
    return { fault: `its schema cannot be read (${error instanceof Error ? error.message : String(error)})` }
  }
}

function toCheckedInput(result: StandardResult): CheckedInput {
  if (result.issues === undefined) return { input: result.value }
  return { fault: result.issues.map(({ message, path = [] }) => [formatIssuePath(path), message].join('')).join('; ') }
}

function formatIssuePath(path: readonly unknown[]): string {
  const keys = path.map((part) => (typeof part === 'object' && part !== null && 'key' in part ? part.key : part))
  return keys.length === 0 ? '' : `${keys.join('.')}: `
}
