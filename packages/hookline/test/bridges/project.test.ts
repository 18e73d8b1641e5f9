import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BridgeAnswer } from '../../src/bridges/answer/answer.ts'
import { findProject, findSessionProject } from '../../src/bridges/call/project.ts'
import { AGENTS, findBridge } from '../../src/bridges/list.ts'
import { SessionMemory } from '../../src/bridges/memory.ts'
import { runBridge } from '../../src/bridges/run.ts'
import { hooklineInProcess as hookline } from '../support/in-process.ts'
import { commands, makeWorld, put, type World } from '../support/project.ts'
import { asRead, FATES } from './fates.ts'
import { HOSTS } from './host.ts'

/** Writes what hooks take for their project. */
const TELLING = commands('printf "%s\\n" "$CLAUDE_PROJECT_DIR" >> "$HOME/projects"')
const GUARD = { hooks: { PreToolUse: [TELLING] } }

/** A shell command in a folder, as the host asks about it: nobody says what the project is. */
async function callIn(world: World, agent: string, cwd: string, { env = {} } = {}): Promise<BridgeAnswer> {
  const bridge = findBridge(agent)
  const host = HOSTS[agent]
  if (bridge === null || host === undefined) throw new TypeError(`no bridge ${agent}`)
  const { home, managed } = world
  return runBridge({
    bridge,
    hostEvent: host.before,
    text: JSON.stringify({ cwd, ...host.shell('ls', { cwd }) }),
    env: { PATH: process.env.PATH, HOME: home, ...env },
    attended: false,
    nativeTranscript: false,
    limit: null,
    handOver: null,
    engine: { home, managed, trust: 'accepted' },
  })
}

const projectsIn = ({ home }: World): string[] => readFileSync(join(home, 'projects'), 'utf8').trim().split('\n')

describe.each(AGENTS)('the project of a session of %s', (agent) => {
  it('is never the home, which has a .claude, nor a folder above it', async () => {
    const world = await makeWorld({ 'home/.claude/settings.json': GUARD, '.git/config': '' })
    const cwd = join(world.home, 'work', 'thing')
    mkdirSync(cwd, { recursive: true })
    await callIn(world, agent, cwd)
    expect(projectsIn(world)).toEqual([cwd])
  })

  it('is the nearest folder with a .claude or a .git, and stays that when others are made', async () => {
    const world = await makeWorld({ 'home/.claude/settings.json': GUARD, 'home/repo/.git': 'gitdir: elsewhere' })
    const [repo, sub] = [join(world.home, 'repo'), join(world.home, 'repo', 'a', 'b')]
    mkdirSync(sub, { recursive: true })
    await callIn(world, agent, sub)
    await put(world, 'home/repo/a/.claude/settings.json', '{}')
    mkdirSync(join(sub, '.git'))
    await callIn(world, agent, sub)
    await callIn(world, agent, world.home)
    expect(new Set(projectsIn(world))).toEqual(new Set([repo]))
  })

  it('may be gone, or be no folder: hooks run above it', async () => {
    const refusing = { hooks: { PreToolUse: [commands('echo no >&2; exit 2')] } }
    const world = await makeWorld({ 'home/.claude/settings.json': refusing, file: '' })
    symlinkSync('loop', join(world.root, 'loop'))
    for (const cwd of ['gone', 'gone/er', 'file', 'file/below', 'loop'].map((path) => join(world.root, path))) {
      const answer = asRead(await callIn(world, agent, cwd))
      expect(FATES[agent]?.(answer), cwd).toBe('refused')
    }
  })

  it('is the home where it begins there, and its .claude is read once, without a question of trust', async () => {
    const world = await makeWorld({ 'home/.claude/settings.json': GUARD })
    const { notes } = await callIn(world, agent, world.home)
    expect(projectsIn(world)).toEqual([world.home])
    expect(notes.join()).not.toContain('trust')
  })
})

describe('the folder that is found', () => {
  /** A way down from a root, with what some of the folders on it hold. */
  const way = fc.array(
    fc.record({ name: fc.constantFrom('a', 'b', 'c'), mark: fc.constantFrom(null, '.claude', '.git') }),
    { minLength: 1, maxLength: 5 },
  )

  it('is at or above the folder, below every home, and the nearest that is marked', async () => {
    await fc.assert(
      fc.asyncProperty(way, fc.nat({ max: 5 }), fc.boolean(), async (steps, level, isLinked) => {
        const { root } = await makeWorld()
        let folder = join(root, 'top')
        const folders = [folder]
        for (const { name, mark } of steps) {
          folder = join(folder, name)
          folders.push(folder)
          mkdirSync(join(folder, mark ?? '.'), { recursive: true })
        }
        const homeAt = Math.min(level, folders.length - 1)
        const home = folders[homeAt] ?? folder
        const alias = join(root, 'alias')
        symlinkSync(home, alias)
        const found = findProject(folder, [isLinked ? alias : home])
        const marked = steps.findLastIndex(({ mark }, index) => mark !== null && index + 1 > homeAt)
        expect(found).toBe(marked < 0 ? folder : folders[marked + 1])
      }),
      { numRuns: 60 },
    )
  })

  it('is none of the homes: the one in use, the one in HOME, the one that a link leads to', async () => {
    const world = await makeWorld({ 'home/.claude/x': '', 'other/.claude/x': '' })
    const { root, home } = world
    const [inHome, inOther] = [join(home, 'p'), join(root, 'other', 'p')]
    symlinkSync(home, join(root, 'link'))
    for (const cwd of [inHome, inOther]) mkdirSync(cwd)
    const bridge = findBridge('codex')
    if (bridge === null) throw new TypeError('no codex')
    const found = (cwd: string): Promise<string> =>
      findSessionProject(bridge, { cwd, home, env: { HOME: join(root, 'other') }, memory: null })
    expect(await found(inHome)).toBe(inHome)
    expect(await found(inOther)).toBe(inOther)
    expect(await found(join(root, 'link', 'p'))).toBe(join(root, 'link', 'p'))
  })

  it('is found at once above a path that is as long as any can be', async () => {
    const { project, home } = await makeWorld({ 'project/.claude/settings.json': '{}' })
    symlinkSync('.', join(project, 'link'))
    for (const from of [project, join(project, 'link')]) {
      const started = performance.now()
      expect(findProject(`${from}${'/a'.repeat(1_900)}`, [home]) === from).toBe(true)
      expect(performance.now() - started).toBeLessThan(10_000)
    }
  })

  it('is agreed on by events that begin a session at the same time', async () => {
    const world = await makeWorld({ 'project/.claude/x': '', 'project/a/.claude/x': '', 'project/b/.git': '' })
    const bridge = findBridge('codex')
    if (bridge === null) throw new TypeError('no codex')
    const folders = ['a', 'b', '.', 'a', 'b'].map((name) => join(world.project, name))
    const memories = await Promise.all(folders.map(() => SessionMemory.open(world.home, 'codex', 'race')))
    const found = await Promise.all(
      folders.map((cwd, index) =>
        findSessionProject(bridge, { cwd, home: world.home, env: {}, memory: memories[index] ?? null }),
      ),
    )
    expect(new Set(found).size).toBe(1)
    expect(found.every((folder) => folder === world.project || dirname(folder) === world.project)).toBe(true)
    expect((await SessionMemory.open(world.home, 'codex', 'race')).kept.project).toBe(found[0])
  })
})

describe('a command that is started below a project', () => {
  it.each([
    ['list', []],
    ['fire', ['PreToolUse', 'tool_name=Bash']],
    ['explain', ['PreToolUse', 'tool_name=Bash']],
  ])('%s says so, also where the user has hooks', async (command, args) => {
    for (const own of [{}, { 'home/.claude/settings.json': { hooks: { PreToolUse: [commands('true')] } } }]) {
      const world = await makeWorld({ 'home/repo/.claude/settings.json': GUARD, ...own })
      const below = join(world.home, 'repo', 'packages')
      mkdirSync(below)
      const { stdout, stderr } = await hookline({ ...world, project: below }, [command, ...args], {
        env: { COLUMNS: '400' },
      })
      expect(`${stdout}${stderr}`).toContain(`the project here is ${below}: settings of folders above are not read`)
      expect(`${stdout}${stderr}`).toContain('--project')
    }
  })

  it('reads the .claude of the home once, and asks for no trust', async () => {
    const world = await makeWorld({
      'home/.claude/settings.json': { hooks: { PreToolUse: [commands('true')] } },
      'home/.claude/settings.local.json': { hooks: { Stop: [commands('true')] } },
    })
    const inHome = { ...world, project: world.home }
    const { hooks } = JSON.parse((await hookline(inHome, ['list', '--json'])).stdout)
    expect(hooks).toMatchObject([
      { scope: 'local', event: 'Stop', state: 'active' },
      { scope: 'user', event: 'PreToolUse', state: 'active' },
    ])
    expect((await hookline(inHome, ['trust'])).stdout).toMatch(/Nothing|nothing/)
    const added = await hookline(inHome, ['add', 'Stop', '--command', 'echo bye', '--yes'])
    expect(added.code, added.stderr).toBe(0)
    expect(readFileSync(join(world.home, '.claude/settings.json'), 'utf8')).toContain('echo bye')
  })
})
