import type * as z from 'zod'
import { DEFAULT_PROFILE, KNOWN_HOOK_TYPES, loadProfile, PROFILE_NAMES } from '../src/protocol/profiles.ts'
import { makeAnswerSchema } from '../src/protocol/schemas/answer.ts'
import type { EventTable } from '../src/protocol/schemas/event-definition.ts'
import { hookTestSchema } from '../src/protocol/schemas/hook-test.ts'
import { makeInputSchema } from '../src/protocol/schemas/input.ts'
import { recordSchema, recordSchemaFor } from '../src/protocol/schemas/record.ts'
import { makeSettingsSchema } from '../src/protocol/schemas/settings.ts'
import { EVENT_TABLES, RULE_TABLES } from '../src/protocol/schemas/tables.ts'
import { jsonSchema } from './shapes.ts'

/** The published JSON Schemas, by path: those of the default profile, and of another one in a folder of its name; of records both ways. */
export async function schemaFiles(): Promise<Record<string, string>> {
  const profiles = await Promise.all(PROFILE_NAMES.map(loadProfile))
  return {
    ...Object.assign(
      {},
      ...Object.entries<EventTable>(EVENT_TABLES).map(([profile, events]) => ofProfile(profile, events)),
    ),
    'hook-test.schema.json': page('Cases for hookline test', hookTestSchema),
    'record.schema.json': page('Dispatch record', recordSchema),
    ...Object.fromEntries(
      profiles.map((profile) => [
        `${profile.name}/record.schema.json`,
        page(`Dispatch record, profile ${profile.name}`, recordSchemaFor(profile)),
      ]),
    ),
  }
}

function ofProfile(profile: string, events: EventTable): Record<string, string> {
  const isDefault = profile === DEFAULT_PROFILE.name
  const titled = (title: string): string => (isDefault ? title : `${title}, profile ${profile}`)
  const rules = RULE_TABLES[profile as keyof typeof RULE_TABLES] // both have every profile
  const settings = makeSettingsSchema(Object.keys(events), { hookTypes: KNOWN_HOOK_TYPES[profile] ?? {}, rules })
  const pages = Object.entries(events).flatMap(([name, { input, answer }]) => [
    { name: `${name}.input`, text: page(titled(`Input of ${name} hooks`), makeInputSchema(name, input, rules)) },
    {
      name: `${name}.answer`,
      text: page(titled(`Answer of ${name} hooks`), makeAnswerSchema(name, answer, rules.answers)),
    },
  ])
  const all = [...pages, { name: 'settings', text: settingsPage(titled('Hook settings'), settings) }]
  return Object.fromEntries(all.map(({ name, text }) => [`${isDefault ? '' : `${profile}/`}${name}.schema.json`, text]))
}

function page(title: string, schema: z.ZodType): string {
  const { $schema, ...rest } = jsonSchema(schema)
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`
}

/** Every event has the same groups of hooks, which are written once. */
function settingsPage(title: string, schema: z.ZodType): string {
  const { $schema, ...rest } = jsonSchema(schema)
  const groups = Object.values(rest.properties?.hooks?.properties ?? {})[0]
  const text = JSON.stringify(rest).replaceAll(JSON.stringify(groups), '{"$ref":"#/definitions/groups"}')
  return `${JSON.stringify({ $schema, title, ...JSON.parse(text), definitions: { groups } }, null, 2)}\n`
}
