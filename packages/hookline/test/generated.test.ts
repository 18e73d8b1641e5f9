import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { commandPages } from '../generate/commands-page.ts'
import { eventsPage } from '../generate/events-page.ts'
import { classicRowsModule } from '../generate/rows.ts'
import { rulesPage } from '../generate/rules-page.ts'
import { schemaFiles } from '../generate/schemas.ts'
import { hookTestShapeModule, shapesModule } from '../generate/shapes.ts'

const here = (...parts: string[]): string => join(fileURLToPath(new URL('..', import.meta.url)), ...parts)

const commands = await commandPages()

describe('generated files are what the event table says (npm run generate writes them)', () => {
  it('rows without schemas', async () => {
    await expect(classicRowsModule()).toMatchFileSnapshot(here('src/protocol/classic/generated/rows.ts'))
  })

  it('shapes that are checked while hooks run', async () => {
    await expect(shapesModule()).toMatchFileSnapshot(here('src/protocol/classic/generated/shapes.ts'))
  })

  it('the shape of files of cases', async () => {
    await expect(hookTestShapeModule()).toMatchFileSnapshot(here('src/protocol/generated/hook-test-shape.ts'))
  })

  it('the page of events', async () => {
    await expect(eventsPage()).toMatchFileSnapshot(here('../../docs/events.md'))
  })

  it.each(Object.entries(commands))('docs/%s', async (name, text) => {
    await expect(text).toMatchFileSnapshot(here('../../docs', name))
  })

  it('the page of rules', async () => {
    await expect(rulesPage()).toMatchFileSnapshot(here('../../docs/rules.md'))
  })

  it.each(Object.entries(schemaFiles()))('schemas/%s', async (name, text) => {
    await expect(text).toMatchFileSnapshot(here('schemas', name))
  })
})
