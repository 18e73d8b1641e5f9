import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { PROFILE_NAMES } from '../../src/protocol/profiles.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import { commands, makeWorld, openOn, type World } from '../support/project.ts'

const end = { hook_event_name: 'Stop', stop_hook_active: false } as const

async function printSchema(world: World, ...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await hooklineInProcess(world, ['schema', 'record', ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const isFitting = (schema: object, record: unknown): boolean => new Ajv({ strict: false }).validate(schema, record)

describe('hookline schema record', () => {
  it.each(PROFILE_NAMES)('prints the schema that the records of %s fit, and no others', async (profile) => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { Stop: [commands('true')] } } })
    const record = JSON.parse(JSON.stringify(await (await openOn(world, { profile })).dispatch(end)))
    const schema = await printSchema(world, '--profile', profile)
    expect(schema.title).toBe(`Dispatch record, profile ${profile}`)
    expect(isFitting(schema, record)).toBe(true)
    expect(isFitting(schema, { ...record, event: 'NoSuchEvent' })).toBe(false)
    expect(isFitting(schema, { ...record, colour: 'red' })).toBe(false)
    for (const other of PROFILE_NAMES.filter((name) => name !== profile))
      expect(isFitting(await printSchema(world, '--profile', other), record)).toBe(false)
  })

  it('prints the one that the records of all profiles fit where none was chosen', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { Stop: [commands('true')] } } })
    const schema = await printSchema(world)
    expect(schema.title).toBe('Dispatch record')
    for (const profile of PROFILE_NAMES) {
      const record = await (await openOn(world, { profile })).dispatch(end)
      expect(isFitting(schema, JSON.parse(JSON.stringify(record)))).toBe(true)
    }
  })

  it('says which profiles there are to one who names another', async () => {
    const ended = await hooklineInProcess(await makeWorld(), ['schema', 'record', '--profile', 'modern'])
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain('modern')
    for (const profile of PROFILE_NAMES) expect(ended.stderr).toContain(profile)
  })
})
