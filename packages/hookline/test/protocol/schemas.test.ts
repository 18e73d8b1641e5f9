import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { schemaFiles } from '../../generate/schemas.ts'
import { listTypesInFiles } from '../../src/protocol/hook-fields.ts'
import { DEFAULT_PROFILE, KNOWN_HOOK_TYPES } from '../../src/protocol/profiles.ts'
import type { EventTable } from '../../src/protocol/schemas/event-definition.ts'
import { EVENT_TABLES } from '../../src/protocol/schemas/tables.ts'

const files = await schemaFiles()
const ajv = new Ajv({ strict: false })
const PROFILES = Object.entries<EventTable>(EVENT_TABLES)

/** Whether the published schema of a profile takes a value. */
function takes(profile: string, name: string, value: unknown): boolean {
  const path = `${profile === DEFAULT_PROFILE.name ? '' : `${profile}/`}${name}.schema.json`
  const check = checks.get(path) ?? ajv.compile(JSON.parse(files[path] ?? 'null'))
  checks.set(path, check)
  return check(value) === true
}

const checks = new Map<string, ReturnType<typeof ajv.compile>>()

/** An entry of a type with its required fields, which are texts. */
function entry(type: string, required: readonly string[]): object {
  return { type, ...Object.fromEntries(required.map((field) => [field, 'x'])) }
}

describe.each(PROFILES)('the published schemas of %s', (profile, events) => {
  it.each(Object.entries(events))('take the example of %s, and not another event', (name, { example }) => {
    expect(takes(profile, `${name}.input`, { hook_event_name: name, ...example })).toBe(true)
    expect(takes(profile, `${name}.input`, { ...example, hook_event_name: 'Other' })).toBe(false)
  })

  it.each(Object.keys(events))('take an answer to %s, and not one to another event', (name) => {
    expect(takes(profile, `${name}.answer`, { continue: false, stopReason: 'enough' })).toBe(true)
    expect(takes(profile, `${name}.answer`, { continue: 'no' })).toBe(false)
    expect(takes(profile, `${name}.answer`, { hookSpecificOutput: { hookEventName: 'Other' } })).toBe(false)
  })

  it('take settings with hooks of each of its types on each of its events, and no others', () => {
    const types = KNOWN_HOOK_TYPES[profile] ?? {}
    const hooks = listTypesInFiles(types).map((type) => entry(type, types[type]?.required ?? []))
    for (const event of Object.keys(events)) {
      expect(takes(profile, 'settings', { hooks: { [event]: [{ matcher: 'x', hooks }] } }), event).toBe(true)
      expect(takes(profile, 'settings', { hooks: { [event]: [{ hooks: [{ type: 'banana' }] }] } }), event).toBe(false)
    }
    expect(takes(profile, 'settings', { hooks: { Stopp: [] } })).toBe(false)
  })
})

it('the flat form of a hook is in the schema of a profile that reads it, and in no other', () => {
  const flat = { hooks: { Stop: [{ matcher: 'x', command: 'true' }] } }
  expect(PROFILES.map(([profile]) => [profile, takes(profile, 'settings', flat)])).toEqual([
    ['classic', true],
    ['current', false],
  ])
})
