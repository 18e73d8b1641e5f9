import { expect, it } from 'vitest'
import { commands, makeWorld, openOn, put } from '../support/project.ts'

const LOCAL = 'project/.claude/settings.local.json'

it('says nothing of a settings file that appears and asks for nothing', async () => {
  const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { Stop: [commands('true')] } } })
  const engine = await openOn(world)

  await put(world, LOCAL, { model: 'small', permissions: { deny: ['Bash(rm:*)'] } })
  await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
  const { notices } = await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })

  expect(notices).toBeUndefined()
  expect(await engine.listChanges()).toEqual([])
})

it('says so when a settings file appears that holds some', async () => {
  const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { Stop: [commands('true')] } } })
  const engine = await openOn(world)

  await put(world, LOCAL, { hooks: { Stop: [commands('false')] } })
  await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
  await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })

  expect(await engine.listChanges()).toMatchObject([{ file: '.claude/settings.local.json', kind: 'added' }])
})
