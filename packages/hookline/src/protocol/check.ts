/** One way in which a value does not fit its schema. */
export interface Misfit {
  /** Where in the value, outermost first; empty for the value itself. */
  readonly path: readonly (string | number)[]
  /** What was expected there, as the end of the sentence "<path> …". */
  readonly message: string
}

/** Holds a value against a schema; an empty list means that it fits. Never throws. */
export type Check = (value: unknown) => readonly Misfit[]

/** A misfit as one sentence that names the field. */
export function sentence(misfit: Misfit, whole = 'the value'): string {
  return `${misfit.path.length > 0 ? misfit.path.join('.') : whole} ${misfit.message}`
}

/** The part of a generated validator that `fromGenerated` relies on. */
interface GeneratedValidator {
  (value: unknown): boolean
  errors?:
    | null
    | {
        instancePath: string
        keyword: string
        params: Record<string, unknown>
      }[]
}

/** Turns a validator that was generated at build time into a check. */
export function fromGenerated(validate: GeneratedValidator): Check {
  return (value) => {
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, keyword, params }) => {
      const path = instancePath.split('/').slice(1).map(unescapePointer)
      if (keyword === 'required') return { path: [...path, String(params.missingProperty)], message: 'is missing' }
      return { path, message: expectation(keyword, params) }
    })
  }
}

function expectation(keyword: string, params: Record<string, unknown>): string {
  if (keyword === 'type') return `must be ${withArticle(String(params.type))}`
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).map(quote).join(', ')}` // ajv's own shape
  if (keyword === 'const') return `must be ${quote(params.allowedValue)}`
  if (keyword === 'exclusiveMinimum') return `must be greater than ${String(params.limit)}`
  return 'does not fit'
}

const quote = (value: unknown): string => JSON.stringify(value)

const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

const withArticle = (type: string): string =>
  `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type === 'string' ? 'text' : type}`
