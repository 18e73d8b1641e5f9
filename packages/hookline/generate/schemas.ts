import type * as z from 'zod'
import { answerSchema } from '../src/protocol/answer.ts'
import { hookTestSchema } from '../src/protocol/hook-test.ts'
import { inputSchema } from '../src/protocol/input.ts'
import { recordSchema } from '../src/protocol/record-schema.ts'
import { settingsSchema } from '../src/protocol/settings.ts'
import { DEFAULT_EVENTS } from '../src/protocol/tables.ts'
import { jsonSchema } from './shapes.ts'

/** The published JSON Schemas, by file name. */
export function schemaFiles(): Record<string, string> {
  const events = Object.entries(DEFAULT_EVENTS).flatMap(([name, { input, answer }]) => [
    [`${name}.input.schema.json`, page(`Input of ${name} hooks`, inputSchema(name, input))],
    [`${name}.answer.schema.json`, page(`Answer of ${name} hooks`, answerSchema(name, answer))],
  ])
  return {
    ...Object.fromEntries(events),
    'settings.schema.json': page('Hook settings', settingsSchema(Object.keys(DEFAULT_EVENTS))),
    'hook-test.schema.json': page('Cases for hookline test', hookTestSchema),
    'record.schema.json': page('Dispatch record', recordSchema),
  }
}

function page(title: string, schema: z.ZodType): string {
  const { $schema, ...rest } = jsonSchema(schema)
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`
}
