import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hooklineInProcess as hookline } from '../support/in-process.ts'
import { bashCall, commands, makeWorld, openOn, put, type World } from '../support/project.ts'

const FILE = 'project/plug/hooks/hooks.json'
const MODULE = 'project/plug/hooks/register.ts'
const HOOKS = { PreToolUse: [commands('echo beside >&2; exit 2')] }

/** A world with a plugin inside of the project, which names a module. */
function withModule(file: object = { modules: ['./register.ts'], hooks: HOOKS }): Promise<World> {
  return makeWorld({ [FILE]: file, [MODULE]: 'export const register = () => {}\n' })
}

const plugins = ({ project }: World): string[] => [join(project, 'plug')]
const named = (world: World): string[] => plugins(world).flatMap((folder) => ['--plugin', folder])

describe('a module of a plugin', () => {
  it('is listed as one that never runs here, and the hooks beside it run', async () => {
    const world = await withModule()
    const engine = await openOn(world, { plugins: plugins(world), profile: 'current' })
    expect(engine.listModules()).toMatchObject([
      { type: 'module', module: './register.ts', scope: 'plugin', state: 'unsupported', file: 'plug/hooks/hooks.json' },
    ])
    expect((await engine.dispatch(bashCall)).decision.blocked).toBe(true)
    expect(engine.explain(bashCall).modules).toMatchObject([{ module: './register.ts' }])
  })

  it.each([
    ['the user', 'home/.claude/settings.json', 'disabled'],
    ['policy', 'managed.json', 'policy-off'],
  ])('is off where %s switches hooks off', async (_who, file, state) => {
    const world = await withModule()
    await put(world, file, { disableAllHooks: true })
    const engine = await openOn(world, { plugins: plugins(world) })
    expect(engine.listModules()).toMatchObject([{ state }])
    expect(engine.explain(bashCall).modules).toEqual([])
  })

  it('is shown for trust by its path and content, and another content is not trusted', async () => {
    const world = await withModule()
    const trust = async () => {
      const engine = await openOn(world, { plugins: plugins(world), trust: 'stored' })
      return engine.trust
    }
    const { request } = await trust()
    expect(request.asks).toContainEqual(
      expect.objectContaining({ kind: 'module', module: './register.ts', digest: expect.stringMatching(/^\w{64}$/) }),
    )
    await hookline(world, ['trust', 'accept', '--yes', request.digest, ...named(world)])
    expect((await trust()).accepted).toBe(true)
    await put(world, MODULE, 'export const register = () => { throw 1 }\n')
    expect((await trust()).accepted).toBe(false)
    const { stdout } = await hookline(world, ['trust', ...named(world)])
    expect(stdout).toContain('it answers before your hooks, in Claude Code alone')
  })

  it('makes a file right that has nothing else, and is told as a note', async () => {
    const world = await withModule({ modules: ['./register.ts'] })
    const { code, stdout } = await hookline(world, ['validate', '--json', ...named(world)])
    expect(code).toBe(0)
    expect(JSON.parse(stdout).findings).toMatchObject([{ rule: 'V-HK-51', severity: 'note' }])
  })

  it.each([
    ['a module that is not there', ['./gone.ts'], 'does not exist', []],
    ['a text', './register.ts', 'must be a list of paths', ['file']],
    ['numbers', [1], 'must be a list of paths', ['file']],
  ])('is warned about, and costs the file where Claude Code does not take it: %s', async (_, modules, words, costs) => {
    const world = await withModule({ modules, hooks: {} })
    const { stdout } = await hookline(world, ['validate', '--json', ...named(world)])
    const { findings } = JSON.parse(stdout)
    const told = { rule: 'V-HK-51', severity: 'warning', message: expect.stringContaining(words) }
    expect(findings).toContainEqual(expect.objectContaining(told))
    expect(findings.flatMap(({ loss }: { loss?: string }) => loss ?? [])).toEqual(costs)
  })

  it('is shown by list and explain, by list under its state too', async () => {
    const world = await withModule()
    for (const call of [['list'], ['list', '--state', 'unsupported'], ['explain', 'PreToolUse', 'tool_name=Bash']]) {
      const { stdout } = await hookline(world, [...call, ...named(world)])
      expect(stdout).toContain('module   ./register.ts')
    }
    const { stdout } = await hookline(world, ['list', '--state', 'active', ...named(world)])
    expect(stdout).not.toContain('register.ts')
  })
})

describe('CLAUDE_CODE_PLUGIN_DIRS', () => {
  it('names plugins for every engine, after those of its options, each once', async () => {
    const world = await makeWorld({
      'one/hooks/hooks.json': { hooks: HOOKS },
      'project/two/hooks/hooks.json': { hooks: HOOKS },
    })
    const [one, two] = [join(world.root, 'one'), join(world.project, 'two')]
    const env = { ...process.env, CLAUDE_CODE_PLUGIN_DIRS: ['two', one, '', '/gone'].join(delimiter) }
    const engine = await openOn(world, { env, plugins: [one] })
    expect(engine.configuration.plugins.map(({ root }) => root)).toEqual([one, two])
    expect((await engine.dispatch(bashCall)).hooks).toHaveLength(2)
  })

  it('is not taken from a settings file', async () => {
    const world = await makeWorld({
      'one/hooks/hooks.json': { hooks: HOOKS },
    })
    const env = { CLAUDE_CODE_PLUGIN_DIRS: join(world.root, 'one') }
    for (const file of ['home/.claude/settings.json', 'project/.claude/settings.json']) await put(world, file, { env })
    expect((await openOn(world)).list()).toEqual([])
  })
})
