import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { bridgeFiles, TABLES } from '../generate/bridges.ts'
import { bridgePages } from '../generate/bridges-page.ts'
import { readmeWithClients } from '../generate/clients-table.ts'
import { commandPages } from '../generate/commands-page.ts'
import { eventsPage } from '../generate/events-page.ts'
import { hookTypesPage } from '../generate/hook-types-page.ts'
import { manPage } from '../generate/man-page.ts'
import { namesModule } from '../generate/names.ts'
import { profilesPage } from '../generate/profiles-page.ts'
import { pythonEventNames, pythonHookModule } from '../generate/python.ts'
import { rowsModule } from '../generate/rows.ts'
import { rulesPage } from '../generate/rules-page.ts'
import { schemaFiles } from '../generate/schemas.ts'
import { hookTestShapeModule, settingsShapesModule, shapesModule } from '../generate/shapes.ts'
import { versionModule } from '../generate/version.ts'
import { DEFAULT_PROFILE, KNOWN_HOOK_TYPES } from '../src/protocol/profiles.ts'
import { EVENT_TABLES, RULE_TABLES } from '../src/protocol/schemas/tables.ts'

const here = (...parts: string[]): string => join(fileURLToPath(new URL('..', import.meta.url)), ...parts)

const commands = await commandPages()
const schemas = await schemaFiles()

describe('generated files are what the event table says (npm run generate writes them)', () => {
  it.each(Object.entries(EVENT_TABLES))('rows of %s without schemas', async (profile, events) => {
    const file = here('src/protocol', profile, 'generated/rows.ts')
    await expect(rowsModule(profile, events)).toMatchFileSnapshot(file)
  })

  it.each(Object.entries(EVENT_TABLES))('shapes that are checked while hooks of %s run', async (profile, events) => {
    const file = here('src/protocol', profile, 'generated/shapes.ts')
    const rules = RULE_TABLES[profile as keyof typeof RULE_TABLES] // both have every profile
    await expect(shapesModule(events, rules)).toMatchFileSnapshot(file)
  })

  it('the names that each profile has', async () => {
    await expect(namesModule()).toMatchFileSnapshot(here('src/protocol/generated/names.ts'))
  })

  it('the events of the Python package', async () => {
    const python = (name: string): string => here('../../clients/python/src/hookline', name)
    await expect(pythonEventNames()).toMatchFileSnapshot(python('_events.py'))
    await expect(pythonHookModule()).toMatchFileSnapshot(python('hook.py'))
  })

  it('the version of the package', async () => {
    await expect(versionModule()).toMatchFileSnapshot(here('src/text/version.ts'))
  })

  it('the shapes of settings', async () => {
    await expect(settingsShapesModule()).toMatchFileSnapshot(here('src/protocol/generated/settings-shapes.ts'))
  })

  it('the shape of files of cases', async () => {
    await expect(hookTestShapeModule()).toMatchFileSnapshot(here('src/protocol/generated/hook-test-shape.ts'))
  })

  it.each(Object.keys(EVENT_TABLES))('the page of the events of %s', async (profile) => {
    const name = profile === DEFAULT_PROFILE.name ? 'events.md' : `events-${profile}.md`
    await expect(eventsPage(profile)).toMatchFileSnapshot(here('../../docs', name))
  })

  it('the page of hook types', async () => {
    await expect(hookTypesPage(KNOWN_HOOK_TYPES)).toMatchFileSnapshot(here('../../docs/hook-types.md'))
  })

  it('the page that compares the profiles', async () => {
    await expect(profilesPage()).toMatchFileSnapshot(here('../../docs/classic-and-current.md'))
  })

  it.each(Object.entries(commands))('docs/%s', async (name, text) => {
    await expect(text).toMatchFileSnapshot(here('../../docs', name))
  })

  it('the manual page', async () => {
    await expect(await manPage()).toMatchFileSnapshot(here('man/hookline.1'))
  })

  it('no page of a command that is gone', () => {
    const pages = readdirSync(here('../../docs/commands')).map((file) => `commands/${file}`)
    expect(pages.filter((page) => !Object.hasOwn(commands, page))).toEqual([])
  })

  it('the page of rules', async () => {
    await expect(rulesPage()).toMatchFileSnapshot(here('../../docs/rules.md'))
  })

  it.each(Object.entries(bridgeFiles()))('bridges/%s', async (name, text) => {
    await expect(text).toMatchFileSnapshot(here('bridges', name))
  })

  it.each(Object.entries(bridgePages(Object.values(TABLES))))('docs/%s', async (name, text) => {
    await expect(text).toMatchFileSnapshot(here('../../docs', name))
  })

  it('what the README says of real clients', async () => {
    const readme = here('../../README.md')
    await expect(readmeWithClients(readFileSync(readme, 'utf8'))).toMatchFileSnapshot(readme)
  })

  it.each(Object.entries(schemas))('schemas/%s', async (name, text) => {
    await expect(text).toMatchFileSnapshot(here('schemas', name))
  })
})
