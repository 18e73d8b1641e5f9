import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isGuarding, makeNoOpinion } from '../../src/bridges/answer/answer.ts'
import type { Bridge, HostScope } from '../../src/bridges/bridge.ts'
import {
  dropShellWords,
  type EntryStyle,
  type IfMissing,
  readCommand,
  writeCommand,
} from '../../src/bridges/install/entry.ts'
import { planRemoval, withBridge, writeEdit } from '../../src/bridges/install/install.ts'
import {
  type HostPlace,
  hasNoShell,
  isPlugin,
  isProgram,
  listEventFiles,
  listMappedEvents,
  readInstalledEntries,
  writePlugin,
} from '../../src/bridges/install/installed.ts'
import { findLauncherPath, findShortLife, readLauncher, writeLauncher } from '../../src/bridges/install/launcher.ts'
import { examineHost } from '../../src/bridges/install/standing.ts'
import { AGENTS, findBridge } from '../../src/bridges/list.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import { makeWorld as makeSpacedWorld, put, type World } from '../support/project.ts'
import { runInShell, SHELLS } from '../support/shells.ts'

/** A world whose home is one word, as most are. */
async function makeWorld(): Promise<World> {
  const home = mkdtempSync(join(tmpdir(), 'hookline-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return { ...(await makeSpacedWorld()), home }
}

const WRITTEN = AGENTS.flatMap((agent) => {
  const bridge = findBridge(agent)
  return bridge === null || bridge.install.through !== undefined ? [] : [{ agent, bridge }]
})

/** Every place and choice that entries of an agent are written for. */
function styles(bridge: Bridge, world: World): { readonly place: HostPlace; readonly style: EntryStyle }[] {
  const scopes = Object.keys(bridge.install.files) as HostScope[]
  return scopes.flatMap((scope) => {
    const choices: readonly IfMissing[] = scope === 'user' ? ['refuse'] : ['refuse', 'pass']
    const program = scope === 'user' ? findLauncherPath(world.home) : 'hookline'
    const place: HostPlace = { bridge, scope, project: world.project, home: world.home, env: {} }
    return choices.map((ifMissing) => ({ place, style: { program, ifMissing, attended: false } }))
  })
}

async function install(place: HostPlace, style: EntryStyle): Promise<void> {
  for (const edit of await withBridge(place, style)) if (edit.before !== edit.after) await writeEdit(edit, place)
}

describe.each(WRITTEN)('the entries of $agent', ({ agent, bridge }) => {
  it('are read as they were written, in every scope and with every choice', async () => {
    const world = await makeWorld()
    for (const { place, style } of styles(bridge, world)) {
      await install(place, style)
      const entries = await readInstalledEntries(place)
      expect(entries.map(({ event }) => event)).toEqual(listMappedEvents(bridge))
      for (const { event, program, ifMissing } of entries.filter((entry) => isGuarding(bridge, entry.event)))
        expect([event, program, ifMissing]).toEqual([event, style.program, style.ifMissing])
    }
  })

  it('are read as they were written in a home whose path is more than one word', async () => {
    const world = await makeSpacedWorld()
    for (const name of ['a b', `it's "mine"`, 'c\\d $e'])
      for (const { place, style } of styles(bridge, { ...world, home: join(world.root, name) })) {
        if (place.scope === 'project' || !hasNoShell(place)) continue
        await install(place, style)
        const entries = await readInstalledEntries(place)
        expect(entries.map(({ event, program }) => [event, program])).toEqual(
          listMappedEvents(bridge).map((event) => [event, style.program]),
        )
        expect((await examineHost(bridge, place)).unread).toEqual([])
        expect((await examineHost(bridge, place)).scopes).toMatchObject([{ scope: 'user', state: 'ready' }])
      }
  })

  it('refuse guarded calls where the program is missing, if they are to, and nothing else, in every shell', async () => {
    if (isPlugin(bridge)) return // no shell: see its plugin
    const world = await makeWorld()
    for (const { place, style } of styles(bridge, world)) {
      await install(place, style)
      for (const { event, command } of await readInstalledEntries(place)) {
        const file = listEventFiles(place).find((one) => one.event === event)?.file
        for (const shell of isGuarding(bridge, event) ? SHELLS : SHELLS.slice(0, 1)) {
          const { code, stdout } = runInShell(shell, isProgram(place) ? `'${file}'` : command, { cwd: world.project })
          const isRefused = isProgram(place) ? stdout.includes('"cancel":true') : code === 2
          const says = { agent, event, shell: shell[0], style, isRefused }
          expect(says).toEqual({ ...says, isRefused: isGuarding(bridge, event) && style.ifMissing === 'refuse' })
          if (bridge.install.missing === 'refuses' && !isRefused) expect([command, code]).toEqual([command, 0])
        }
      }
    }
  })

  it('end as hookline does where it is there, without another start', async () => {
    if (isPlugin(bridge)) return
    const world = await makeWorld()
    const count = join(world.root, 'count')
    for (const { place, style } of styles(bridge, world)) {
      const path = style.program === 'hookline' ? join(world.root, 'bin/hookline') : style.program
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, `#!/bin/sh\necho x >> '${count}'\ncat\nexit \${CODE:-0}\n`, { mode: 0o700 })
      await install(place, style)
      const guard = (await readInstalledEntries(place)).find(({ event }) => isGuarding(bridge, event))
      if (guard === undefined) throw new TypeError('it guards nothing')
      const file = listEventFiles(place).find((one) => one.event === guard.event)?.file ?? ''
      for (const CODE of style.ifMissing === 'refuse' ? ['86', '87'] : ['0', '2']) {
        const env = { PATH: `${join(world.root, 'bin')}:/usr/bin:/bin`, CODE }
        const text = isProgram(place) ? `'${file}'` : guard.command
        writeFileSync(count, '')
        const input = '{"a":"\\n\\\\"}'
        const { code, stdout } = runInShell(SHELLS[0] ?? ['sh'], text, { cwd: world.project, env, input })
        const isLost = isProgram(place) && CODE === '87' // no exit code of a refusal is read there
        expect([stdout.trim(), readFileSync(count, 'utf8')]).toEqual([
          isLost ? expect.stringContaining('"cancel":true') : input,
          'x\n',
        ])
        if (!isProgram(place)) expect([CODE, code]).toEqual([CODE, CODE === '0' || CODE === '86' ? 0 : 2])
      }
      rmSync(path)
    }
  })

  it('are the same to the byte after any change of hooks and timeouts', async () => {
    const world = await makeWorld()
    for (const scope of Object.keys(bridge.install.files)) {
      const args = ['bridge', 'install', agent, '--yes', '--scope', scope]
      const first = scope === 'project' ? [...args, '--if-missing', 'refuse'] : args
      const texts = async (given: string[]): Promise<string[]> => {
        const { code, stderr } = await hooklineInProcess(world, given)
        expect([code, stderr]).toEqual([0, ''])
        const place: HostPlace = {
          bridge,
          scope: scope as HostScope,
          project: world.project,
          home: world.home,
          env: {},
        }
        return listEventFiles(place).map(({ file }) => readFileSync(file, 'utf8'))
      }
      const before = await texts(first)
      const hook = { type: 'command', command: 'true', timeout: 9000 }
      await put(world, 'project/.claude/settings.json', { hooks: { PreToolUse: [{ hooks: [hook] }] } })
      expect(await texts(args)).toEqual(before)
    }
  })
})

describe('an entry', () => {
  it('is known in the forms of earlier versions', () => {
    const codex = findBridge('codex') as Bridge // it is in the list
    const old = 'hookline bridge run codex PreToolUse --limit 600'
    expect(readCommand(codex, old)).toMatchObject({ event: 'PreToolUse', program: 'hookline', ifMissing: 'pass' })
    expect(readCommand(codex, `${old} || exit 2`)).toMatchObject({ program: 'hookline', ifMissing: 'refuse' })
    expect(readCommand(codex, 'mine hookline bridge run codex PreToolUse')).toBeNull()
    expect(readCommand(codex, 'hookline bridge run kimi PreToolUse')).toBeNull()
  })

  it('has an answer before a call wherever an agent takes none for a failure', () => {
    for (const { bridge } of WRITTEN) {
      const isMissed = ['cursor', 'opencode-plugin', 'file-per-event', 'antigravity'].includes(bridge.install.shape)
      for (const event of listMappedEvents(bridge).filter((one) => isMissed && isGuarding(bridge, one)))
        expect([bridge.name, makeNoOpinion(bridge, event).stdout]).not.toEqual([bridge.name, ''])
    }
  })

  it('means the same to an agent that has no shell', () => {
    const style = { program: 'hookline', ifMissing: 'refuse', attended: false } as const
    const droid = findBridge('droid') as Bridge // it is in the list
    const [, , , ...words] = writeCommand(droid, 'PreToolUse', style).split(' ')
    expect(dropShellWords(words)).toEqual(['droid', 'PreToolUse'])
    expect(dropShellWords(['codex', 'PreToolUse', '||', 'exit', '2'])).toEqual(['codex', 'PreToolUse'])
    expect(dropShellWords(['codex', 'PreToolUse'])).toEqual(['codex', 'PreToolUse'])
  })

  it('calls hookline by the PATH where the path of the launcher is not one word, and says so', async () => {
    const world = await makeSpacedWorld()
    const { stdout } = await hooklineInProcess(world, ['bridge', 'install', 'codex', '--yes'])
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('is not one word to every agent')
    const text = readFileSync(join(world.home, '.codex/hooks.json'), 'utf8')
    expect(text).toContain(`"sh -c 'hookline bridge run codex PreToolUse --proof; case $? in 86)`)
  })

  it('of a project asks what becomes of those without hookline; one of the user always refuses', async () => {
    const world = await makeWorld()
    const call = (...args: string[]) => hooklineInProcess(world, ['bridge', 'install', 'codex', '--yes', ...args])
    for (const [args, sentence] of [
      [['--scope', 'project'], '--if-missing refuse or --if-missing pass'],
      [['--scope', 'project', '--if-missing', 'maybe'], 'must be refuse or pass'],
      [['--if-missing', 'pass'], 'entries of your own always refuse'],
    ] as const)
      expect(await call(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) })
    expect((await call('--scope', 'project', '--if-missing', 'pass')).stdout).toContain('every guard is open')
  })
})

describe('a file that Codex ignores as a whole', () => {
  it.each([
    ['{\n  // mine\n  "hooks": {}\n}\n', 'a comment in line 2'],
    ['{\n  "hooks": {},\n}\n', 'a comma too many in line 3'],
    ['\uFEFF{}', 'a byte order mark'],
    ['{ "theme": "dark" }', 'has "theme" at its top'],
    [
      '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "x", "timeout": 0.5 }] }] } }',
      'not a whole number',
    ],
  ])('is left as it was, and the user is told what to take out: %j', async (text, sentence) => {
    const world = await makeWorld()
    const file = join(world.home, '.codex/hooks.json')
    mkdirSync(dirname(file))
    writeFileSync(file, text)
    const { code, stderr } = await hooklineInProcess(world, ['bridge', 'install', 'codex', '--yes'])
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
    expect(stderr).toContain('so Codex would ignore the whole file')
    expect(readFileSync(file, 'utf8')).toBe(text)
  })
})

/** Ways to have a plugin ask about a call and about a prompt; each says whether it was refused. */
type Driver = (plugin: Record<string, unknown>, home: string) => Promise<{ call: boolean; prompt: boolean }>

const DRIVERS: Readonly<Record<string, Driver>> = {
  'opencode-plugin': async ({ Hookline }, home) => {
    const client = { session: { get: async () => ({ data: {} }) }, tui: {} }
    const seams = await (Hookline as Loaded)({ client, directory: home })
    const isRefused = (asked: Promise<unknown>): Promise<boolean> =>
      asked.then(
        () => false,
        () => true,
      )
    const [input, output] = [
      { tool: 'bash', sessionID: 's', callID: 'c' },
      { args: { command: 'ls' }, parts: [] },
    ]
    return {
      call: await isRefused(seams['tool.execute.before'](input, output)),
      prompt: await isRefused(seams['chat.message'](input, output)),
    }
  },
  'pi-extension': async ({ default: load }, home) => {
    const seams: Record<string, Loaded> = {}
    const ctx = { sessionManager: { getSessionId: () => 's' }, cwd: home, hasUI: false }
    void (load as Loaded)({ on: (name: string, act: Loaded) => Object.assign(seams, { [name]: act }) })
    const call = await seams.tool_call?.({ toolName: 'bash', toolCallId: 'c', input: { command: 'ls' } }, ctx)
    const prompt = await seams.input?.({ text: 'hello', source: 'interactive' }, ctx)
    return { call: call?.block === true, prompt: prompt?.action === 'handled' }
  },
}

// biome-ignore lint/suspicious/noExplicitAny: code that agents load has no types
type Loaded = (...given: any[]) => Promise<any>

describe.each(WRITTEN.filter(({ bridge }) => isPlugin(bridge)))('the plugin of $agent', ({ bridge }) => {
  const SAYS_NOTHING = '#!/bin/sh\nexit 0\n'

  it.each([
    ['refuse', null, true],
    ['pass', null, false],
    ['refuse', SAYS_NOTHING, true],
    ['pass', SAYS_NOTHING, true],
    ['refuse', '#!/bin/sh\nexit 1\n', true],
    ['refuse', "#!/bin/sh\ncat >/dev/null; echo '{}'\n", true],
    ['refuse', "#!/bin/sh\ncat >/dev/null; echo '{}'; exit 86\n", false],
  ] as const)(
    'holds to "%s" before a call, and lets prompts through, with %j for hookline',
    async (ifMissing, script, call) => {
      const { home } = await makeWorld()
      const program = join(home, 'hookline')
      if (script !== null) writeFileSync(program, script, { mode: 0o755 })
      const file = join(home, 'plugin.mjs')
      writeFileSync(file, writePlugin(bridge, { program, ifMissing }))
      const drive = DRIVERS[bridge.install.shape]
      if (drive === undefined) throw new TypeError(`nothing drives ${bridge.install.shape}`)
      const plugin = await import(/* @vite-ignore */ pathToFileURL(file).href)
      expect(await drive(plugin, home)).toEqual({ call, prompt: false })
    },
  )
})

describe('the file of Kimi Code', () => {
  const bridge = findBridge('kimi') as Bridge // it is in the list
  const style: EntryStyle = { program: 'hookline', ifMissing: 'refuse', attended: false }
  const LISTS = [
    'hooks = []\n',
    'hooks=[ ]',
    'a = 1\n"hooks" = [ # mine\n]\n[models.x]\nhooks = "other"\n',
    'hooks = [{ event = "Stop", command = "true" }]\n[x]\ny = 1\n',
    'hooks = [\n  { event = "Stop", command = "true" },\n]',
    'text = """\nhooks = [\n"""\n[[hooks]]\nevent = "Stop"\ncommand = "true"\n',
  ]

  it.each(LISTS)('has our hooks and theirs, and is TOML, where it has a list: %j', async (before) => {
    const place: HostPlace = { bridge, scope: 'user', ...(await makeWorld()), env: {} }
    const file = join(place.home, '.kimi-code/config.toml')
    mkdirSync(dirname(file))
    writeFileSync(file, before)
    await install(place, style)
    const [was, is] = [before, readFileSync(file, 'utf8')].map((text) => parseToml(text))
    const theirs = Array.isArray(was?.hooks) ? was.hooks : []
    expect(is).toEqual({ ...was, hooks: expect.arrayContaining(theirs) })
    expect(is?.hooks).toHaveLength(theirs.length + listMappedEvents(bridge).length)
    expect((await readInstalledEntries(place)).map(({ event }) => event)).toEqual(listMappedEvents(bridge))
    await install(place, style)
    expect(parseToml(readFileSync(file, 'utf8'))).toEqual(is)
    for (const edit of await planRemoval(place)) await writeEdit(edit, place)
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  it.each([
    ['hooks = [\n', /line \d+/],
    ['a = \n', /line 1/],
    ['[hooks]\nx = 1\n', /"hooks" is not a list/],
    ['hooks = "x"\n', /"hooks" is not a list/],
    ['# hookline: begin (hookline bridge uninstall kimi takes this out)\n', /without "# hookline: end" behind it/],
  ])('is left as it was where it is not TOML, or no list can be added to: %j', async (text, sentence) => {
    const place: HostPlace = { bridge, scope: 'user', ...(await makeWorld()), env: {} }
    const file = join(place.home, '.kimi-code/config.toml')
    mkdirSync(dirname(file))
    writeFileSync(file, text)
    await expect(withBridge(place, style)).rejects.toThrow(sentence)
    await expect(withBridge(place, style)).rejects.toThrow(/Nothing was written/)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })
})

describe('the launcher', () => {
  const installation = { node: '/gone/v1/bin/node', script: '/gone/hookline.js' }

  it('is a program of this user alone, in a folder of theirs', async () => {
    const { home } = await makeWorld()
    await writeLauncher(home, installation)
    expect(statSync(findLauncherPath(home)).mode & 0o777).toBe(0o700)
    expect(statSync(dirname(findLauncherPath(home))).mode & 0o777).toBe(0o700)
    expect(await readLauncher(home, installation)).toEqual({ is: 'right' })
    expect(await readLauncher(home, { ...installation, node: '/other' })).toEqual({
      is: 'other',
      isWhole: true,
      ...installation,
    })
    chmodSync(findLauncherPath(home), 0o720)
    expect(await readLauncher(home, installation)).toMatchObject({ is: 'doubtful' })
  })

  it.each(['.hookline', '.hookline/bin'])('is not written where others may write: %s', async (folder) => {
    const { home } = await makeWorld()
    mkdirSync(join(home, folder), { recursive: true })
    chmodSync(join(home, folder), 0o777)
    await expect(writeLauncher(home, installation)).rejects.toThrow(/may be written by others.*Nothing was written/)
    rmSync(join(home, folder), { recursive: true })
    symlinkSync('/tmp', join(home, folder))
    await expect(writeLauncher(home, installation)).rejects.toThrow(/is not a folder/)
  })

  it('starts no installation of a project, and none that npx keeps for a while', () => {
    const why = (script: string) => findShortLife({ node: 'node', script }, '/home/me/code/app')
    expect(why('/home/me/code/node_modules/hookline/bin/hookline.js')).toContain('belongs to the project /home/me/code')
    expect(why('/home/me/.npm/_npx/1a/node_modules/hookline/bin/hookline.js')).toContain('npx')
    expect(why('/home/me/.npm-global/lib/node_modules/hookline/bin/hookline.js')).toBeNull()
  })
})
