import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hookline } from '../support/command.ts'
import { commands, makeWorld, openOn, put, type World } from '../support/project.ts'
import { call, transcriptOf } from '../support/sessions.ts'

const OWN = 'home/.claude/settings.json'
const prompt = { hook_event_name: 'UserPromptSubmit', prompt: 'hello' } as const

/** Every file below a folder with its content and when it was changed. */
function everything(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return paths.map((path) => {
    const stats = lstatSync(join(folder, path))
    return `${path} ${stats.ctimeMs} ${stats.isFile() ? readFileSync(join(folder, path), 'utf8') : ''}`
  })
}

/** A world in which the user's hooks are not those of the session before. */
async function changedWorld(): Promise<World> {
  const world = await makeWorld({
    [OWN]: { hooks: { Stop: [commands('true')] } },
    'project/.claude/settings.json': { hooks: { Stop: [commands('true')] } },
    'project/a.hooktest.yaml': 'cases:\n  - name: one\n    event: Stop\n',
  })
  await (await openOn(world)).dispatch(prompt)
  await put(world, OWN, { hooks: { Stop: [commands('planted')] } })
  mkdirSync(join(world.root, 'tmp'))
  return world
}

const LOOKING: Record<string, (transcript: string) => string[]> = {
  list: () => ['list'],
  'list --json': () => ['list', '--json'],
  explain: () => ['explain', 'Stop'],
  doctor: () => ['doctor'],
  trust: () => ['trust'],
  'trust show --json': () => ['trust', 'show', '--json'],
  validate: () => ['validate'],
  match: () => ['match', 'Bash'],
  events: () => ['events'],
  'add --dry-run': () => ['add', 'Stop', '--command', 'x', '--dry-run'],
  'replay --plan': (transcript) => ['replay', transcript, '--plan'],
}

/** These run hooks, and so may write; the notice is not for them either. */
const TRYING: Record<string, (transcript: string, world: World) => string[]> = {
  replay: (transcript) => ['replay', transcript, '--trust'],
  'check-races': (transcript) => ['check-races', transcript, '--trust'],
  test: (_, { home }) => ['test', '--trust', '--home', home],
}

describe('what only looks', () => {
  it('writes nothing, in the home, the project or the temp folder', async () => {
    const world = await changedWorld()
    const transcript = await transcriptOf([call('t1', 'ls')])
    const before = everything(world.root)
    for (const [name, args] of Object.entries(LOOKING)) {
      await hookline(world, args(transcript), { env: { HOOKLINE_LOG: undefined, TMPDIR: join(world.root, 'tmp') } })
      expect({ name, files: everything(world.root) }).toEqual({ name, files: before })
    }
  })

  it('leaves the notice that the hooks of the user have changed to the next session', async () => {
    const world = await changedWorld()
    const transcript = await transcriptOf([call('t1', 'ls')])
    const env = { HOOKLINE_LOG: undefined }
    for (const args of Object.values(LOOKING)) await hookline(world, args(transcript), { env })
    for (const args of Object.values(TRYING)) await hookline(world, args(transcript, world), { env })
    const looked = await openOn(world)
    looked.list()
    await looked.close()

    expect((await (await openOn(world)).dispatch(prompt)).notices?.join()).toContain(
      'are not those of the last session',
    )
    expect((await (await openOn(world)).dispatch(prompt)).notices ?? []).toEqual([])
  })
})
