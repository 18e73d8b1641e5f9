import { shippedFile } from '../../files/shipped.ts'

/** A field of an input or an answer, for showing. */
export interface Field {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly description: string
}

interface JsonSchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
}

/** The text of a published schema; null when there is none of that name. */
export function schemaText(name: string): string | null {
  if (!/^[\w.-]+$/.test(name)) return null
  try {
    return shippedFile(`schemas/${name}.schema.json`)
  } catch {
    return null // no such schema
  }
}

/** The fields of an event's input, or of what its hooks may answer under `hookSpecificOutput`. */
export function fieldsOf(event: string, which: 'input' | 'answer'): Field[] {
  const text = schemaText(`${event}.${which}`)
  if (text === null) return [] // an event of somebody's own profile
  const whole: JsonSchema = JSON.parse(text)
  const schema = which === 'input' ? whole : whole.properties?.hookSpecificOutput
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => ({
    name,
    type: typeOf(field),
    required: schema?.required?.includes(name) ?? false,
    description: field.description ?? '',
  }))
}

function typeOf({ type, const: only, enum: values }: JsonSchema): string {
  if (only !== undefined) return JSON.stringify(only)
  if (values !== undefined) return values.join(' | ')
  return type ?? 'anything'
}
