import { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import * as z from 'zod'
import { commonAnswer, specificAnswer } from '../src/protocol/answer.ts'
import { classic } from '../src/protocol/classic.ts'
import { handlerSchemas } from '../src/protocol/handlers.ts'
import { hookTestSchema } from '../src/protocol/hook-test.ts'
import { commonInput } from '../src/protocol/input.ts'
import { settingsSchemas } from '../src/protocol/settings.ts'

/** The source of `generated/validators.ts`: one function per schema of the hot path, with no library behind it. */
export function validatorsModule(): string {
  return moduleOf(hotSchemas())
}

/** The source of `generated/hook-test-validator.ts`, which only `hookline test` loads. */
export function hookTestValidatorModule(): string {
  return moduleOf({ hookTest: hookTestSchema })
}

function moduleOf(schemas: Record<string, z.ZodType>): string {
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    messages: false,
    code: { source: true, esm: true, lines: true },
  })
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(withoutWords(jsonSchema(schema)), name)
  const names = Object.fromEntries(Object.keys(schemas).map((name) => [name, name]))
  return `// @ts-nocheck\n// Generated from the schemas in src/protocol by \`npm run generate\`.\n${standalone.default(ajv, names)}\n`
}

/** What is common to all events is checked by one function, not by one per event. */
function hotSchemas(): Record<string, z.ZodType> {
  const events = Object.entries(classic).flatMap(([name, { input, answer }]) => [
    [`${name}Input`, input],
    [`${name}Answer`, specificAnswer(name, answer)],
  ])
  const hooks = Object.entries(handlerSchemas).map(([type, schema]) => [`${type}Hook`, schema])
  return { commonInput, commonAnswer, ...Object.fromEntries([...events, ...hooks]), ...settingsSchemas }
}

/** A schema as JSON Schema; `io: input` since what is checked comes from outside. */
export function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, { target: 'draft-7', io: 'input' })
}

/** A schema without what only people read. */
function withoutWords(schema: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => (key === 'description' || key === '$schema' ? undefined : value)),
  )
}
