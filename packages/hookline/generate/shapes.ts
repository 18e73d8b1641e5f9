import * as z from 'zod'
import type { Shape } from '../src/protocol/checker.ts'
import type { ProtocolRules } from '../src/protocol/rules.ts'
import { makeCommonAnswerSchema, makeSpecificAnswerSchema } from '../src/protocol/schemas/answer.ts'
import type { EventTable } from '../src/protocol/schemas/event-definition.ts'
import { hookTestSchema } from '../src/protocol/schemas/hook-test.ts'
import { makeCommonInputSchema } from '../src/protocol/schemas/input.ts'
import { settingsSchemas } from '../src/protocol/schemas/settings.ts'

/** The source of a profile's `generated/shapes.ts`: what is checked while hooks run, without a library behind it. */
export function shapesModule(table: EventTable, rules: ProtocolRules): string {
  const events = Object.entries(table)
  const common = {
    commonInput: shapeOf(makeCommonInputSchema(rules)),
    commonAnswer: shapeOf(makeCommonAnswerSchema(rules.answers)),
  }
  const inputs = events.map(([name, { input }]) => [name, shapeOf(input)] as const)
  const specific = events.map(([name, { answer }]) => [name, shapeOf(makeSpecificAnswerSchema(name, answer))] as const)
  return `${moduleOf(common)}${lateTable('inputs', inputs)}${lateTable('answers', specific)}`
}

/** A table whose entries are made when they are asked for: an event that does not happen costs nothing. */
function lateTable(name: string, entries: readonly (readonly [string, Shape])[]): string {
  const members = entries.map(
    ([event, shape]) => `get ${JSON.stringify(event)}() { return ${JSON.stringify(shape)} as const },`,
  )
  return `export const ${name} = {\n${members.join('\n')}\n}\n`
}

/** The source of `generated/settings-shapes.ts`: what settings files may hold. */
export function settingsShapesModule(): string {
  const shapes = (schemas: Record<string, z.ZodType>): Record<string, Shape> =>
    Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, shapeOf(schema)]))
  return moduleOf({ settings: shapes(settingsSchemas) })
}

/** The source of `generated/hook-test-shape.ts`, which only `hookline test` loads. */
export function hookTestShapeModule(): string {
  return moduleOf({ hookTest: shapeOf(hookTestSchema) })
}

function moduleOf(tables: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(tables).map(
    ([name, table]) => `export const ${name} = ${JSON.stringify(table)} as const`,
  )
  return ['// Generated from the schemas in src/protocol by `npm run generate`.', ...lines, ''].join('\n')
}

/** A schema as JSON Schema; `io: input` since what is checked comes from outside. */
export function jsonSchema(schema: z.ZodType): JsonSchema & { readonly $schema?: string } {
  return z.toJSONSchema(schema, { target: 'draft-7', io: 'input' }) as JsonSchema // ours are written with no more
}

/** The part of JSON Schema that our schemas are written with. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly enum?: readonly (string | number | boolean)[]
  readonly const?: string | number | boolean
  readonly anyOf?: readonly JsonSchema[]
  readonly exclusiveMinimum?: number
}

const UNDERSTOOD = new Set(
  'type properties required additionalProperties items enum const anyOf exclusiveMinimum propertyNames description $schema'.split(
    ' ',
  ),
)

/** The shape that a schema stands for; a schema that no shape can say fails here, not when hooks run. */
export function shapeOf(schema: z.ZodType): Shape {
  return translated(jsonSchema(schema))
}

function translated(schema: JsonSchema): Shape {
  const foreign = Object.keys(schema).filter((keyword) => !UNDERSTOOD.has(keyword))
  if (foreign.length > 0) throw new TypeError(`No shape can say ${foreign.join(', ')}: teach src/protocol/checker.ts.`)
  const { type, anyOf } = schema
  if (anyOf) return { either: anyOf.map(translated) }
  if (Array.isArray(type)) return { either: type.map((one) => translated({ ...schema, type: one })) }
  if (schema.const !== undefined) return { values: [schema.const] }
  if (schema.enum) return { values: schema.enum }
  if (schema.exclusiveMinimum !== undefined) return { above: schema.exclusiveMinimum }
  if (type === undefined) return 'any'
  if (type === 'array') return { list: translated(schema.items ?? {}) }
  if (type === 'object') return objectShape(schema)
  if (type === 'string' || type === 'number' || type === 'boolean' || type === 'null') return type
  throw new TypeError(`No shape can say the type ${JSON.stringify(type)}: teach src/protocol/checker.ts.`)
}

function objectShape({ properties, required = [], additionalProperties }: JsonSchema): Shape {
  if (properties === undefined && typeof additionalProperties === 'object')
    return { each: translated(additionalProperties) }
  return {
    fields: Object.fromEntries(Object.entries(properties ?? {}).map(([name, field]) => [name, translated(field)])),
    ...(required.length > 0 ? { required } : {}),
    ...(additionalProperties === false ? { closed: true } : {}),
  }
}
