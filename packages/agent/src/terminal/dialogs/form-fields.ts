import * as z from 'zod'

/** A field of a form that a server wants filled in. */
export interface FormField {
  readonly name: string
  readonly title: string
  readonly type: 'string' | 'number' | 'integer' | 'boolean'
  /** The only values it may have; none: any. */
  readonly choices: readonly string[]
  readonly required: boolean
}

const property = z.looseObject({
  type: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
})

const form = z.looseObject({
  properties: z.record(z.string(), property).default({}),
  required: z.array(z.string()).default([]),
})

const TYPES = ['number', 'integer', 'boolean'] as const

/** The fields that a JSON Schema describes; what is no number, truth or choice is text. */
export function readFormFields(schema: unknown): FormField[] {
  const { properties, required } = form.parse(schema)
  return Object.entries(properties).map(([name, { type, title, description, enum: choices = [] }]) => ({
    name,
    title: title ?? description ?? name,
    type: TYPES.find((each) => each === type) ?? 'string',
    choices,
    required: required.includes(name),
  }))
}

/** A typed text as the field's value; `fault` says what is wrong with it, and nothing at all is left out. */
export function readField(
  { type, choices, required }: FormField,
  text: string,
): { readonly value: string | number | boolean | null } | { readonly fault: string } {
  const typed = text.trim()
  if (typed === '') return required ? { fault: 'This has to be filled in.' } : { value: null }
  if (choices.length > 0 && !choices.includes(typed)) return { fault: `Type one of ${choices.join(', ')}.` }
  if (type === 'boolean') return parseTruth(typed)
  if (type === 'string') return { value: text }
  const number = Number(typed)
  if (Number.isNaN(number) || (type === 'integer' && !Number.isInteger(number)))
    return { fault: type === 'integer' ? 'Type a whole number.' : 'Type a number.' }
  return { value: number }
}

function parseTruth(typed: string): { readonly value: boolean } | { readonly fault: string } {
  if (/^(y|yes|true)$/i.test(typed)) return { value: true }
  return /^(n|no|false)$/i.test(typed) ? { value: false } : { fault: 'Type yes or no.' }
}
