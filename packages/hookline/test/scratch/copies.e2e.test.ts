import { existsSync } from 'node:fs'
import { cp, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { hookline } from '../support/command.ts'
import { commands, makeWorld, put, type World } from '../support/project.ts'
import { call, transcriptOf } from '../support/sessions.ts'

const QUIET = { HOOKLINE_LOG: undefined }

/** What a command that must start nothing of the project is called with. */
interface Call {
  /** Makes the project; `touch` is a command that leaves a trace. */
  readonly prepare: (world: World, touch: string) => Promise<unknown>
  readonly args: (world: World, transcript: string) => string[]
}

const inSettings = (world: World, touch: string) =>
  put(world, 'project/.claude/settings.json', { hooks: { PreToolUse: [commands(touch)] } })
const inPlugin = (world: World, touch: string) =>
  put(world, 'project/plugin/hooks/hooks.json', { hooks: { PreToolUse: [commands(touch)] } })
const inLinkedPlugin = async (world: World, touch: string) => {
  await inPlugin(world, touch)
  await symlink(join(world.project, 'plugin'), join(world.root, 'elsewhere'))
}
const inHandedOverPlugin = async (world: World, touch: string) => {
  await put(world, 'plugin/hooks/hooks.json', { hooks: { PreToolUse: [commands(touch)] } })
  await symlink(join(world.root, 'plugin'), join(world.project, 'plugin'))
}
const CASE = 'cases:\n  - name: one\n    event: PreToolUse\n'
const inCase = (world: World, touch: string) => {
  const settings = JSON.stringify({ hooks: { PreToolUse: [commands(touch)] } })
  return put(
    world,
    'project/a.hooktest.yaml',
    `${CASE}    files: { .claude/settings.json: ${JSON.stringify(settings)} }\n`,
  )
}
const inEnvironment = async (world: World, touch: string) => {
  await put(world, 'project/evil.sh', `${touch}\n`)
  await put(world, 'project/a.hooktest.yaml', `${CASE}    env: { BASH_ENV: "${world.project}/evil.sh" }\n`)
  await put(world, 'home/.claude/settings.json', { hooks: { PreToolUse: [commands('bash -c true')] } })
}

const plugin = ({ project }: World): string[] => ['--plugin', join(project, 'plugin')]
const withCase = async (world: World, touch: string) => {
  await inPlugin(world, touch)
  await put(world, 'project/a.hooktest.yaml', CASE)
}

const CALLS: Record<string, Call> = {
  'replay, of its settings': { prepare: inSettings, args: (_, file) => ['replay', file] },
  'replay, of a plugin in it': { prepare: inPlugin, args: (world, file) => ['replay', file, ...plugin(world)] },
  'replay, of a plugin that a link outside leads to': {
    prepare: inLinkedPlugin,
    args: ({ root }, file) => ['replay', file, '--plugin', join(root, 'elsewhere')],
  },
  'replay, of a plugin that a link in it leads to': {
    prepare: inHandedOverPlugin,
    args: (world, file) => ['replay', file, ...plugin(world)],
  },
  'check-races, of a plugin in it': {
    prepare: inPlugin,
    args: (world, file) => ['check-races', file, ...plugin(world)],
  },
  'check-races, of its settings': { prepare: inSettings, args: (_, file) => ['check-races', file] },
  'test, of a plugin in it': { prepare: withCase, args: (world) => ['test', ...plugin(world)] },
  'test, of what a case of it sets up': { prepare: inCase, args: () => ['test'] },
  'test, of what the variables of a case load into the hooks of the user': {
    prepare: inEnvironment,
    args: ({ home }) => ['test', '--home', home],
  },
}

describe('a project that nobody has accepted', () => {
  let transcript: string
  beforeEach(async () => {
    transcript = await transcriptOf([call('t1', 'ls')])
  })

  for (const [name, { prepare, args }] of Object.entries(CALLS)) {
    it(`does not run anything in a copy of it: ${name}`, async () => {
      const world = await makeWorld()
      const trace = join(world.root, 'trace')
      await prepare(world, `touch '${trace}'`)
      await hookline(world, args(world, transcript), { env: QUIET })
      expect(existsSync(trace)).toBe(false)
      await hookline(world, [...args(world, transcript), '--trust'], { env: QUIET })
      expect(existsSync(trace)).toBe(true)
    })
  }

  it('is judged by itself when another project is compared with it', async () => {
    const world = await makeWorld({ 'project/run.sh': '#!/bin/sh\nexit 0\n' })
    await inSettings(world, '"$CLAUDE_PROJECT_DIR"/run.sh')
    await cp(world.project, join(world.root, 'other'), { recursive: true })
    const trace = join(world.root, 'trace')
    await put(world, 'other/run.sh', `#!/bin/sh\ntouch '${trace}'\n`)
    const { digest } = JSON.parse((await hookline(world, ['trust', '--json'])).stdout)
    await hookline(world, ['trust', 'accept', '--yes', digest])
    await hookline(world, ['replay', transcript, '--against', join(world.root, 'other')], { env: QUIET })
    expect(existsSync(trace)).toBe(false)
  })
})

describe('a project that was accepted', () => {
  it('has the hooks of a plugin in it run in the copy, not where the plugin is', async () => {
    const world = await makeWorld()
    await put(world, 'project/plugin/hooks/hooks.json', {
      hooks: { PreToolUse: [commands('touch "$CLAUDE_PLUGIN_ROOT"/was-here')] },
    })
    const { digest } = JSON.parse((await hookline(world, ['trust', '--json', ...plugin(world)])).stdout)
    await hookline(world, ['trust', 'accept', '--yes', digest, ...plugin(world)])
    const args = ['replay', await transcriptOf([call('t1', 'ls')]), '--json', ...plugin(world)]
    const { stdout } = await hookline(world, args, { env: QUIET })
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ now: { ran: ['plugin:plugin:PreToolUse:0:0'] } })
    expect(existsSync(join(world.project, 'plugin/was-here'))).toBe(false)
  })
})
