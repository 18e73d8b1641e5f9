import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AGENTS } from '../../src/bridges/list.ts'
import { findEnabledPlugins } from '../../src/engine/enabled-plugins.ts'
import { hooklineInProcess as hookline } from '../support/in-process.ts'
import { type Content, commands, makeWorld, put, type World } from '../support/project.ts'
import { FATES } from './fates.ts'
import { ask, HOSTS } from './host.ts'

const REFUSING = { hooks: { PreToolUse: [{ matcher: 'Bash', ...commands('echo "no, says the plugin" >&2; exit 2') }] } }
const CACHE = 'home/.claude/plugins/cache/market/guard/1.0.0'
const REGISTRY = 'home/.claude/plugins/installed_plugins.json'
const ID = 'guard@market'
const ENABLED = { enabledPlugins: { [ID]: true } }

/** A world in which a plugin with a guard is installed, and enabled for the user. */
async function withPlugin(
  entry: (root: string) => unknown,
  files: Record<string, Content> = { 'home/.claude/settings.json': ENABLED },
): Promise<World> {
  const world = await makeWorld({ [`${CACHE}/hooks/hooks.json`]: REFUSING, ...files })
  await put(world, REGISTRY, entry(join(world.root, CACHE)) as object)
  return world
}

/** Shapes in which versions of Claude Code have kept what is installed. */
const REGISTRIES: Readonly<Record<string, (root: string) => unknown>> = {
  'one entry a plugin': (root) => ({ version: 1, plugins: { [ID]: { version: '1.0.0', installPath: root } } }),
  'a list of entries': (root) => ({ version: 2, plugins: { [ID]: [{ scope: 'user', installPath: root }] } }),
  'entries at the root': (root) => ({ [ID]: { scope: 'user', installPath: root } }),
  'a stale entry of another project first': (root) => ({
    version: 2,
    plugins: {
      [ID]: [
        { scope: 'project', projectPath: '/elsewhere', installPath: '/elsewhere' },
        { scope: 'user', installPath: root },
      ],
    },
  }),
  'a path that is gone, with a copy in the cache': () => ({
    version: 2,
    plugins: { [ID]: [{ scope: 'user', installPath: '/gone' }] },
  }),
}

/** Puts something else in the place of a file. */
function remake(file: string, make: (path: string) => void): void {
  rmSync(file)
  make(file)
}

const call = (world: World, agent: string) => {
  const host = HOSTS[agent]
  return ask(world, agent, host?.before ?? '', host?.shell('rm -rf /', { cwd: world.project }) ?? {})
}

describe.each(AGENTS)('the hooks of an enabled plugin in %s', (agent) => {
  it('refuse a call, and are guards that do not shrink', async () => {
    const world = await withPlugin(REGISTRIES['a list of entries'] ?? (() => ({})))
    const refused = await call(world, agent)
    expect(`${refused.stdout}${refused.stderr}`).toContain('no, says the plugin')
    await put(world, 'home/.claude/settings.json', { enabledPlugins: { [ID]: false } })
    const shrunk = await call(world, agent)
    expect(`${shrunk.stdout}${shrunk.stderr}`).toContain('guarded this session')
  })
})

describe('the hooks of enabled plugins', () => {
  it.each(Object.entries(REGISTRIES))('are found in a registry with %s', async (_shape, entry) => {
    const world = await withPlugin(entry)
    expect(await findEnabledPlugins(world)).toMatchObject({ plugins: [join(world.root, CACHE)] })
    expect((await call(world, 'codex')).stdout).toContain('no, says the plugin')
  })

  it.each(['list', 'explain', 'why', 'doctor', 'bridge report'])('are shown by %s', async (command) => {
    const world = await withPlugin(REGISTRIES['one entry a plugin'] ?? (() => ({})))
    const args = command.split(' ')
    const event = ['explain', 'why'].includes(command) ? ['PreToolUse', 'tool_name=Bash'] : []
    const agent = command === 'bridge report' ? ['codex'] : []
    const { stdout } = await hookline(world, [...args, ...agent, ...event, '--json'], { env: { COLUMNS: '300' } })
    expect(stdout).toMatch(/PreToolUse|would run|"hooks"/)
    expect(stdout).toContain(command === 'doctor' || command === 'why' ? 'plugin' : 'no, says the plugin')
  })

  it('are enabled and disabled by the files that Claude Code goes by, and by a project once it is trusted', async () => {
    const entry = REGISTRIES['a list of entries'] ?? (() => ({}))
    const PROJECT = 'project/.claude/settings.json'
    const off = { enabledPlugins: { [ID]: false } }
    const found = async (files: Record<string, Content>, options = {}): Promise<number> =>
      (await findEnabledPlugins({ ...(await withPlugin(entry, files)), ...options })).plugins?.length ?? 0
    expect(await found({})).toBe(0)
    expect(await found({ [PROJECT]: ENABLED })).toBe(0)
    expect(await found({ [PROJECT]: ENABLED }, { trust: 'accepted' })).toBe(1)
    expect(await found({ 'home/.claude/settings.json': ENABLED, [PROJECT]: off })).toBe(1)
    expect(await found({ 'home/.claude/settings.json': ENABLED, [PROJECT]: off }, { trust: 'accepted' })).toBe(0)
    const local = { 'project/.claude/settings.local.json': ENABLED }
    expect(await found({ [PROJECT]: off, ...local }, { trust: 'accepted' })).toBe(1)
    expect(await found({ 'home/.claude/settings.json': ENABLED, 'managed.json': off })).toBe(0)
  })

  it('are asked about where a project enables or disables them', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': ENABLED })
    expect((await hookline(world, ['trust'])).stdout).toContain(`enabledPlugins.${ID}`)
  })

  it('are named where they wait for the trust of the project that enables them', async () => {
    const world = await withPlugin(REGISTRIES['a list of entries'] ?? (() => ({})), {
      'project/.claude/settings.json': ENABLED,
    })
    expect((await hookline(world, ['list'])).stdout).toContain(ID)
    const doctor = await hookline(world, ['doctor'])
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(ID)])
    for (const agent of AGENTS) {
      const report = await hookline(world, ['bridge', 'report', agent, '--strict'], { env: { COLUMNS: '300' } })
      expect([agent, report.code]).toEqual([agent, 1])
      expect(report.stdout).toMatch(/lost +PreToolUse.*no, says the plugin[\s\S]*not trusted/)
      const { start, before = '', shell, said } = HOSTS[agent] ?? {}
      const payload = start === null ? shell?.('ls') : said?.('x')
      const event = { ...payload, ...(start === null ? {} : { hook_event_name: start, source: 'startup' }) }
      const { notes } = await ask(world, agent, start ?? before, event, { trust: 'stored' })
      expect([agent, notes]).toEqual([agent, [expect.stringMatching(/plugins .*guard@market.*hookline trust accept/)]])
    }
    const { digest } = JSON.parse((await hookline(world, ['trust', '--json'])).stdout)
    await hookline(world, ['trust', 'accept', '--yes', digest])
    expect((await hookline(world, ['list'])).stdout).toContain('1 hook, 0 need attention')
  })

  it('have their options and their folder for data by the id of the plugin', async () => {
    const telling = commands('printf "%s %s" "$CLAUDE_PLUGIN_OPTION_LEVEL" "$CLAUDE_PLUGIN_DATA" >&2; exit 2')
    const world = await withPlugin(REGISTRIES['a list of entries'] ?? (() => ({})), {
      [`${CACHE}/hooks/hooks.json`]: { hooks: { PreToolUse: [telling] } },
      'home/.claude/settings.json': { ...ENABLED, pluginConfigs: { [ID]: { options: { level: 'high' } } } },
    })
    const { stdout } = await call(world, 'codex')
    expect(stdout).toContain('high')
    expect(stdout).toContain('plugins/data/guard-market')
  })

  it('are those of the folders in CLAUDE_CODE_PLUGIN_DIRS too, as far as they are there', async () => {
    const world = await makeWorld({ 'one/hooks/hooks.json': REFUSING, 'project/two/hooks/hooks.json': REFUSING })
    const [one, two] = [join(world.root, 'one'), join(world.project, 'two')]
    const env = { CLAUDE_CODE_PLUGIN_DIRS: [one, 'two', '', '/gone', two].join(delimiter) }
    expect(await findEnabledPlugins({ ...world, env })).toMatchObject({ plugins: [one, two] })
  })

  it('have calls refused while it cannot be read which are installed', async () => {
    const world = await withPlugin(() => 'x')
    await put(world, REGISTRY, '{ "version": 2, ')
    const { stdout } = await call(world, 'codex')
    expect(stdout).toContain('installed_plugins.json is not JSON')
    expect((await hookline(world, ['list'])).stderr).toContain('installed_plugins.json is not JSON')
    await put(world, 'home/.claude/settings.json', '{}')
    expect((await call(world, 'codex')).stdout).toBe('')
  })

  it.each<[string, (world: World, file: string) => Promise<unknown> | unknown]>([
    ['is not JSON', (world) => put(world, `${CACHE}/hooks/hooks.json`, '{ "hooks": ')],
    ['is empty', (world) => put(world, `${CACHE}/hooks/hooks.json`, '')],
    ['is a list', (world) => put(world, `${CACHE}/hooks/hooks.json`, [])],
    ['is a pipe', (_, file) => remake(file, (path) => execFileSync('mkfifo', [path]))],
    ['is a folder', (_, file) => remake(file, (path) => mkdirSync(path))],
    ['is a link to itself', (_, file) => remake(file, (path) => symlinkSync(path, path))],
    ['is a link out of the plugin', (_, file) => remake(file, (path) => symlinkSync('/etc/hostname', path))],
    ['is too large', (_, file) => truncateSync(file, 64 * 1024 * 1024)],
    [
      'is in two bytes a character',
      (world) => put(world, `${CACHE}/hooks/hooks.json`, Buffer.from(`\ufeff${JSON.stringify(REFUSING)}`, 'utf16le')),
    ],
  ])('have calls refused from the first on while the file of one %s', async (_what, spoil) => {
    const world = await withPlugin(REGISTRIES['a list of entries'] ?? (() => ({})))
    await spoil(world, join(world.root, CACHE, 'hooks/hooks.json'))
    for (const agent of ['codex', 'kimi', 'opencode']) {
      const answer = await call(world, agent)
      expect(FATES[agent]?.(answer), `${agent}: ${answer.stdout}${answer.stderr}`).toBe('refused')
    }
  })

  it('are not read by an engine that a host opens, unless it says so', async () => {
    const { openEngine } = await import('../../src/index.ts')
    const world = await withPlugin(REGISTRIES['a list of entries'] ?? (() => ({})))
    const engine = await openEngine(world)
    expect(engine.hooks).toEqual([])
    await engine.close()
  })
})

describe('a marketplace that is a folder', () => {
  const MARKET = 'home/market'
  const source = (world: World) => ({ source: 'directory', path: join(world.root, MARKET) })
  const KNOWN = 'home/.claude/plugins/known_marketplaces.json'
  const catalog = (plugin: object, more: object = {}) => ({
    name: 'market',
    plugins: [{ name: 'guard', ...plugin }],
    ...more,
  })
  const says = (word: string) => ({ hooks: { PreToolUse: [commands(`echo no-${word} >&2; exit 2`)] } })
  const marketWorld = async (files: Record<string, Content> = {}): Promise<World> => {
    const world = await makeWorld({
      'home/.claude/settings.json': ENABLED,
      [`${MARKET}/.claude-plugin/marketplace.json`]: catalog({ source: './guard' }),
      [`${MARKET}/guard/hooks/hooks.json`]: says('folder'),
      [`${CACHE}/hooks/hooks.json`]: says('copy'),
      ...files,
    })
    await put(world, KNOWN, { market: { source: source(world), installLocation: join(world.root, MARKET) } })
    return world
  }
  const said = async (world: World): Promise<string> => {
    const { stdout, stderr } = await call(world, 'codex')
    return /no-\w+/.exec(`${stdout}${stderr}`)?.[0] ?? 'nothing'
  }
  const install = (world: World) =>
    put(world, REGISTRY, { version: 2, plugins: { [ID]: [{ scope: 'user', installPath: join(world.root, CACHE) }] } })

  it('has its plugins read from the folder and not from the copy, installed or not', async () => {
    const world = await marketWorld()
    expect(await said(world)).toBe('no-folder')
    const installed = await marketWorld()
    await install(installed)
    expect(await said(installed)).toBe('no-folder')
  })

  it('may be named by the user’s settings alone', async () => {
    const world = await marketWorld()
    await put(world, KNOWN, {})
    await put(world, 'home/.claude/settings.json', {
      ...ENABLED,
      extraKnownMarketplaces: { market: { source: source(world) } },
    })
    expect(await said(world)).toBe('no-folder')
  })

  it('may keep its plugins below another folder, and none outside of itself', async () => {
    const below = catalog({ source: './guard' }, { metadata: { pluginRoot: './plugins' } })
    const world = await marketWorld({
      [`${MARKET}/.claude-plugin/marketplace.json`]: below,
      [`${MARKET}/plugins/guard/hooks/hooks.json`]: says('below'),
    })
    await rm(join(world.root, MARKET, 'guard'), { recursive: true })
    expect(await said(world)).toBe('no-below')
    const outside = await marketWorld({
      [`${MARKET}/.claude-plugin/marketplace.json`]: catalog({ source: '../other' }),
    })
    await put(outside, 'home/other/hooks/hooks.json', says('outside'))
    expect(await said(outside)).toBe('nothing')
    await install(outside)
    expect(await said(outside)).not.toBe('no-outside')
  })
})
