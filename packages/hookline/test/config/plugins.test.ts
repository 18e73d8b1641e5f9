import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bashCall, type Content, commands, makeWorld, openOn, type World } from '../support/project.ts'
import { validate } from '../support/validate.ts'

const STOP = { hook_event_name: 'Stop', stop_hook_active: false }

/** A world with a plugin beside the project. */
async function pluginWith(files: Record<string, Content>): Promise<World & { plugin: string }> {
  const world = await makeWorld(Object.fromEntries(Object.entries(files).map(([path, text]) => [`fmt/${path}`, text])))
  return { ...world, plugin: join(world.root, 'fmt') }
}

const MANIFEST = '.claude-plugin/plugin.json'
const saying = (text: string) => ({ Stop: [commands(`echo ${text} >&2; exit 1`)] })

describe('hooks in the manifest of a plugin', () => {
  it.each([
    ['an object', saying('here'), {}],
    ['a path', './config/a.json', { 'config/a.json': { hooks: saying('here') } }],
    ['a list of paths', ['./a.json', 'b.json'], { 'a.json': { hooks: {} }, 'b.json': { hooks: saying('here') } }],
  ])('count beside hooks.json: %s', async (_how, hooks, files) => {
    const own = { 'hooks/hooks.json': { hooks: saying('first') }, [MANIFEST]: { name: 'fmt', hooks } }
    const world = await pluginWith({ ...own, ...files })
    const engine = await openOn(world, { plugins: [world.plugin] })
    expect(engine.problems).toEqual([])
    expect(engine.list().map(({ hook }) => hook.id)).toEqual(['plugin:fmt:Stop:0:0', 'plugin:fmt:Stop:1:0'])
    const record = await engine.dispatch(STOP)
    expect(record.decision.messages.map(({ text }) => text).join()).toMatch(/first.*here/s)
  })

  it('count once when the manifest names hooks.json', async () => {
    const world = await pluginWith({
      'hooks/hooks.json': { hooks: saying('once') },
      [MANIFEST]: { hooks: ['./hooks/hooks.json'] },
    })
    expect((await openOn(world, { plugins: [world.plugin] })).list()).toHaveLength(1)
  })

  it.each([
    ['a path out of the plugin', '../project/.claude/settings.json', /lies outside of the plugin/],
    ['a file that is not there', './gone.json', /which does not exist/],
    ['a number', 7, /"hooks" must be an object/],
    ['a list of objects', [{}], /"hooks" must be an object/],
  ])('are told of when they are %s, and the others run', async (_what, hooks, message) => {
    const own = { 'hooks/hooks.json': { hooks: saying('x') }, [MANIFEST]: { hooks } }
    const world = await pluginWith(own)
    const engine = await openOn(world, { plugins: [world.plugin] })
    expect(engine.problems.map((problem) => problem.message)).toEqual([expect.stringMatching(message)])
    expect(engine.list()).toHaveLength(1)
  })

  it('are told of when the manifest is not JSON', async () => {
    const world = await pluginWith({ [MANIFEST]: '{"hooks": {' })
    const engine = await openOn(world, { plugins: [world.plugin] })
    expect(engine.problems.map(({ message }) => message)).toEqual([expect.stringContaining('plugin.json is not JSON')])
  })

  it('of a plugin inside the project need its trust, and are in what is shown', async () => {
    const world = await makeWorld({
      [`project/fmt/${MANIFEST}`]: { hooks: './a.json' },
      'project/fmt/a.json': { hooks: saying('x') },
    })
    const engine = await openOn(world, { plugins: [join(world.project, 'fmt')], trust: 'refused' })
    expect(engine.list().map(({ standing }) => standing.verdict)).toEqual(['untrusted'])
    expect(engine.trust.request.files).toMatchObject({ 'fmt/a.json': { hooks: saying('x') } })
  })

  it('are checked with the plugin', async () => {
    const world = await pluginWith({
      [MANIFEST]: { hooks: ['./a.json'] },
      'a.json': { hooks: { Stopp: [commands('true')] } },
      'skills/x/SKILL.md': '---\nhooks:\n  Sotp: []\n---\n',
    })
    for (const args of [[world.plugin], ['--plugin', world.plugin]]) {
      const { stdout } = await validate(world, ...args)
      expect(stdout).toContain('"Stopp" is not an event')
      expect(stdout).toContain('"Sotp" is not an event')
    }
  })
})

describe('CLAUDE_PLUGIN_ROOT', () => {
  const head = (event: string): string => `---
hooks:
  ${event}:
    - hooks:
        - type: command
          command: 'echo "$CLAUDE_PLUGIN_ROOT" >> seen; echo \${CLAUDE_PLUGIN_ROOT} >> seen; sh "\${CLAUDE_PLUGIN_ROOT}/guard.sh"'
---
`
  it.each(['skills/x/SKILL.md', 'agents/x.md', 'commands/x.md', 'commands/sub/x.md'])(
    'is set for the hooks in the frontmatter of a plugin, as variable and in the text: %s',
    async (path) => {
      const guard = 'echo no >&2; exit 2'
      const world = await pluginWith({ [path]: head('PreToolUse'), 'guard.sh': guard, [MANIFEST]: {} })
      const engine = await openOn(world, { plugins: [world.plugin] })
      await engine.activate(join(world.plugin, path))
      const record = await engine.dispatch(bashCall)
      expect(record.decision).toMatchObject({ blocked: true })
      expect(await readFile(join(world.project, 'seen'), 'utf8')).toBe(`${world.plugin}\n${world.plugin}\n`)
    },
  )

  it('is not set for components of the project', async () => {
    const path = 'project/.claude/skills/x/SKILL.md'
    const world = await makeWorld({ [path]: head('PreToolUse').replace(/; sh.*/, "'") })
    const engine = await openOn(world, { profile: 'classic' })
    await engine.activate(join(world.root, path))
    await engine.dispatch(bashCall)
    expect(await readFile(join(world.project, 'seen'), 'utf8')).toBe('\n\n')
  })
})
