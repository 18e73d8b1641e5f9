import { describe, expect, it } from 'vitest'
import { SETTING_KEYS, type SettingKey } from '../../src/config/index.ts'
import { commands, makeWorld, openOn, put } from '../support/project.ts'

const STOP = { hook_event_name: 'Stop', stop_hook_active: false } as const
const special = (command: string): object => ({ type: 'command', command })

/** Two values of every key, the second of which is an edit. */
const VALUES: Readonly<Record<SettingKey, readonly [before: unknown, after: unknown]>> = {
  hookline: [{ profile: 'classic' }, { profile: 'current' }],
  hooks: [{ Stop: [commands('true')] }, { Stop: [commands('true', 'true # more')] }],
  disableAllHooks: [false, true],
  allowManagedHooksOnly: [false, true],
  strictPluginOnlyCustomization: [false, ['hooks']],
  statusLine: [special('echo one'), special('echo two')],
  fileSuggestion: [special('echo one'), special('echo two')],
  env: [{ A: '1' }, { A: '2' }],
  enabledPlugins: [{ 'a@b': true }, { 'a@b': false }],
  mcpServers: [{ one: { command: 'one' } }, { one: { command: 'two' } }],
  allowedHttpHookUrls: [['http://localhost/*'], ['*']],
  httpHookAllowedEnvVars: [['A'], ['B']],
  permissions: [{ allow: ['Read'] }, { allow: ['Bash'] }],
}

/** Keys that count in policy alone. */
const OF_POLICY = ['allowManagedHooksOnly', 'strictPluginOnlyCustomization'] as const

/** Opens an engine on a settings file, edits one key of it, and tells what the session says about that. */
async function edited(file: string, key: SettingKey): Promise<{ noticed: boolean; pending: readonly string[] }> {
  const [before, after] = VALUES[key]
  const settings = { hooks: VALUES.hooks[0], model: 'small' }
  const world = await makeWorld({ [file]: { ...settings, [key]: before } })
  const engine = await openOn(world)
  await engine.dispatch(STOP)
  await put(world, file, { ...settings, [key]: after })
  const { notices = [] } = await engine.dispatch(STOP)
  const changes = await engine.listChanges()
  return { noticed: notices.some((text) => text.includes('changed on disk')), pending: changes.map(({ diff }) => diff) }
}

describe('an edit on disk', () => {
  it.each(['hookline', 'hooks', 'disableAllHooks', ...OF_POLICY, 'statusLine', 'fileSuggestion'] as const)(
    'of %s in the settings of the user is noticed, and is there for review',
    async (key) => {
      const { noticed, pending } = await edited('home/.claude/settings.json', key)
      expect({ noticed, pending }).toEqual({ noticed: true, pending: [expect.stringContaining('+')] })
    },
  )

  it.each(Object.keys(VALUES).filter((key) => !OF_POLICY.some((one) => one === key)) as SettingKey[])(
    'of %s in the settings of a project is noticed, and is there for review',
    async (key) => {
      const { noticed, pending } = await edited('project/.claude/settings.json', key)
      expect({ noticed, pending }).toEqual({ noticed: true, pending: [expect.stringContaining('+')] })
    },
  )

  it('of what the engine does not go by is not told', async () => {
    expect(await edited('home/.claude/settings.json', 'env')).toEqual({ noticed: false, pending: [] })
  })
})

it('changes what the user trusted, for every key that runs, switches or loosens something', async () => {
  for (const [key, [before, after]] of Object.entries(VALUES)) {
    const [one, other] = await Promise.all(
      [before, after].map(async (value) => {
        const engine = await openOn(await makeWorld({ 'project/.claude/settings.json': { [key]: value } }))
        return engine.trust.request
      }),
    )
    const asks = !OF_POLICY.some((one) => one === key)
    expect([key, Object.keys(one?.files ?? {}).length > 0]).toEqual([key, asks])
    expect([key, one?.digest !== other?.digest]).toEqual([key, asks])
  }
})

it('is said by one table, in which no key is forgotten here', () => {
  expect(Object.keys(SETTING_KEYS).sort()).toEqual(Object.keys(VALUES).sort())
})
