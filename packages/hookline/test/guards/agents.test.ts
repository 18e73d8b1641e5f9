import { existsSync } from 'node:fs'
import { chmod, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BridgeAnswer } from '../../src/bridges/answer/answer.ts'
import type { HostScope } from '../../src/bridges/bridge.ts'
import { toGuardBridge } from '../../src/bridges/install/guard-entries.ts'
import { planRemoval } from '../../src/bridges/install/install.ts'
import { findHostFile, listEventFiles, readInstalledEntries } from '../../src/bridges/install/installed.ts'
import { AGENTS, findBridge, findWrittenBridge } from '../../src/bridges/list.ts'
import { runBridge } from '../../src/bridges/run.ts'
import { runWrapped } from '../../src/bridges/wrap.ts'
import { makeGuardsOnly } from '../../src/cli/input/guard-call.ts'
import { judgeHere, openSurroundings } from '../../src/guards/surroundings.ts'
import { asRead, FATES } from '../bridges/fates.ts'
import { HOSTS } from '../bridges/host.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import { makeWorld, put, type World } from '../support/project.ts'

/** Environment of a user's own terminal: no agent around it. */
const OWN = { CLAUDECODE: '', AI_AGENT: '', HOOKLINE_AGENT: '', HOOKLINE_RESIDENT: 'off' }

/** Commands and files by the answer of the guards, none of which is ever run. */
const COMMANDS = [
  'npm test',
  'git status',
  'rm -rf dist',
  'npm run reset',
  'rm -rf ~/Documents',
  'cat ~/.ssh/id_rsa',
  'git push --force origin main',
  'sudo apt-get install jq',
  'rm -rf "$BUILD"/*',
]
const FILES = ['src/index.ts', '~/.bashrc', '~/.claude/settings.json']

async function makeGuarded(): Promise<World> {
  const world = await makeWorld({
    'project/package.json': { scripts: { reset: 'rm -rf ~/Documents', test: 'vitest run' } },
    'project/.git/HEAD': 'ref: refs/heads/work\n',
  })
  await put(world, 'home/Documents/notes.txt', 'years of notes\n')
  await put(world, 'home/.ssh/id_rsa', 'made up\n')
  return world
}

interface Asked {
  readonly agent: string
  readonly event: string
  readonly payload: object
}

/** The two ways in which an agent comes to the guards: by their own entry, and by `hookline guard` in a file that it loads. */
const WAYS: Readonly<Record<string, (world: World, asked: Asked) => Promise<BridgeAnswer>>> = {
  'an entry of the guards': ({ home, project }, { agent, event, payload }) =>
    runBridge({
      bridge: findBridgeOf(agent),
      hostEvent: event,
      text: JSON.stringify(payload),
      env: { PATH: process.env.PATH },
      attended: false,
      nativeTranscript: false,
      limit: null,
      handOver: null,
      engine: { home, project },
      only: makeGuardsOnly(home, {}),
    }),
  'hookline guard': ({ home }, { agent, payload }) => {
    const { isCutShort: _, ...hook } = makeGuardsOnly(home, {})
    return runWrapped(
      { ...hook, text: JSON.stringify(payload), env: { PATH: process.env.PATH }, home },
      findBridgeOf(agent),
    )
  },
}

/** Payloads of agents that call hooks of Claude Code's settings in another form than those of their own files. */
const LOADING: Readonly<Record<string, Pick<(typeof HOSTS)[string], 'before' | 'shell' | 'write'>>> = {
  copilot: {
    before: 'PreToolUse',
    shell: (command, more) => makeCopilotCall('Bash', { command }, more),
    write: (path, file_text, more) => makeCopilotCall('Write', { path, file_text }, more),
  },
}

function makeCopilotCall(tool_name: string, tool_input: object, { cwd = '' } = {}): object {
  const timestamp = '2026-11-14T10:00:00.000Z'
  return { hook_event_name: 'PreToolUse', session_id: 's1', timestamp, cwd, tool_name, tool_input }
}

function findBridgeOf(agent: string) {
  const bridge = findBridge(agent)
  if (bridge === null) throw new TypeError(`no bridge ${agent}`)
  return bridge
}

/** Fates that an answer of the guards may have in an agent: a question is a refusal where nobody can be asked. */
const FATES_BY_ANSWER = { pass: ['runs'], ask: ['asks', 'refused'], deny: ['refused'] } as const

/** Verdicts of the guards themselves on all calls of the lists, which are the same for all agents. */
async function judgeAll(world: World) {
  const here = await openSurroundings({ folder: world.project, home: world.home, now: Date.now() })
  const commands = COMMANDS.map((command) => judgeHere(here, { tool: 'Bash', input: { command } }).answer)
  const files = FILES.map((name) => {
    const file_path = name.replace('~', world.home)
    return judgeHere(here, { tool: 'Write', input: { file_path, content: 'x' } }).answer
  })
  return { commands, files }
}

describe('the guards in other agents', () => {
  it('have calls of every answer to be asked about', async () => {
    const { commands, files } = await judgeAll(await makeGuarded())
    expect(new Set(commands)).toEqual(new Set(['pass', 'ask', 'deny']))
    expect(new Set(files)).toEqual(new Set(['pass', 'deny']))
  })

  describe.each(AGENTS)('%s', (agent) => {
    it.each(Object.keys(WAYS))('says the same as the guards do by themselves, by %s', async (way) => {
      const world = await makeGuarded()
      const { commands, files } = await judgeAll(world)
      const host = way === 'hookline guard' ? { ...HOSTS[agent], ...LOADING[agent] } : HOSTS[agent]
      const [run, fate] = [WAYS[way], FATES[agent]]
      if (!host?.shell || !host.write || !host.before || !run || !fate) throw new TypeError(`no payloads of ${agent}`)
      const seen = async (event: string, payload: object, answer: keyof typeof FATES_BY_ANSWER) => {
        const read = asRead(await run(world, { agent, event, payload }))
        return { payload, right: (FATES_BY_ANSWER[answer] as readonly string[]).includes(fate(read)), read }
      }
      for (const [at, command] of COMMANDS.entries()) {
        const payload = host.shell(command, { cwd: world.project })
        const { right, read } = await seen(host.before, payload, commands[at] ?? 'pass')
        expect({ command, right, read }).toMatchObject({ command, right: true })
      }
      for (const [at, name] of FILES.entries()) {
        const payload = host.write(name.replace('~', world.home), 'x', { cwd: world.project })
        const { right, read } = await seen(host.writes ?? host.before, payload, files[at] ?? 'pass')
        expect({ name, right, read }).toMatchObject({ name, right: true })
      }
    })

    it('refuses what cannot be read, and says whose fault it is', async () => {
      const world = await makeGuarded()
      const host = HOSTS[agent]
      const fate = FATES[agent]
      for (const text of ['', 'not json', '{"a":', '[]', '{}']) {
        const answer = asRead(
          await runBridge({
            ...{ bridge: findBridgeOf(agent), hostEvent: host?.before ?? '', text, env: { PATH: process.env.PATH } },
            ...{ attended: false, nativeTranscript: false, limit: null, handOver: null },
            ...{ engine: { home: world.home, project: world.project }, only: makeGuardsOnly(world.home, {}) },
          }),
        )
        expect({ text, fate: fate?.(answer) }).toEqual({ text, fate: 'refused' })
        expect(answer.stdout + answer.stderr).toMatch(/[Hh]ookline|guard/)
      }
    })
  })
})

const WRITTEN = AGENTS.filter((agent) => findBridge(agent)?.install.through === undefined)

describe.each(WRITTEN)('hookline guard add --agent %s', (agent) => {
  const bridge = toGuardBridge(findBridgeOf(agent))
  const scopes = Object.keys(bridge.install.files) as HostScope[]

  it.each(scopes)('writes entries of the guards alone, and takes all of it out again (%s)', async (scope) => {
    const world = await makeGuarded()
    const place = { bridge, scope, project: world.project, home: world.home, env: {} }
    const words = ['--agent', agent, '--scope', scope, ...(scope === 'project' ? ['--if-missing', 'refuse'] : [])]
    const added = await hooklineInProcess(world, ['guard', 'add', ...words, '--yes', '--no-resident'], { env: OWN })
    expect(added).toMatchObject({ code: 0 })
    const entries = await readInstalledEntries(place)
    expect(entries.map(({ event }) => event)).toEqual(
      Object.keys(bridge.events).filter((event) => bridge.events[event]?.as === 'PreToolUse'),
    )
    expect(entries.every(({ command }) => command.includes('--guards'))).toBe(true)
    // Entries of the bridge are others: neither is taken for the other.
    expect(await readInstalledEntries({ ...place, bridge: findBridgeOf(agent) })).toEqual([])
    const again = await hooklineInProcess(world, ['guard', 'add', ...words, '--yes', '--no-resident'], { env: OWN })
    expect(again.stdout).toContain('nothing was written')
    const listed = await hooklineInProcess(world, ['guard', 'list', '--json'], { env: OWN })
    expect(JSON.parse(listed.stdout).places).toContainEqual(expect.objectContaining({ agent, scope }))
    const unasked = await hooklineInProcess(world, ['guard', 'remove', ...words.slice(0, 4)], { env: OWN })
    expect(unasked.code).toBe(1)
    expect((await readInstalledEntries(place)).length).toBe(entries.length)
    const shown = await hooklineInProcess(world, ['guard', 'remove', ...words.slice(0, 4), '--dry-run'], { env: OWN })
    expect(shown).toMatchObject({ code: 0 })
    for (const edit of await planRemoval(place)) expect(edit.after).toBeNull()
  })

  it('stands aside where the bridge of the agent runs all hooks', async () => {
    const world = await makeGuarded()
    const scope = scopes[0] ?? 'user'
    const words = [agent, '--scope', scope, ...(scope === 'project' ? ['--if-missing', 'refuse'] : [])]
    await hooklineInProcess(world, ['bridge', 'install', ...words, '--yes', '--no-resident'], { env: OWN })
    const added = await hooklineInProcess(world, ['guard', 'add', '--agent', agent, '--yes'], { env: OWN })
    expect(added.stdout).toContain('by its bridge')
    expect(await readInstalledEntries({ bridge, scope, project: world.project, home: world.home, env: {} })).toEqual([])
  })
})

describe('hookline guard list', () => {
  it('says what keeps Claude Code from running it', async () => {
    const world = await makeGuarded()
    const env = { ...OWN, PATH: '/usr/bin:/bin' }
    const added = await hooklineInProcess(world, ['guard', 'add', '--agent', 'claude-code', '--yes'], { env })
    expect(added.stdout).toContain('Claude Code does not run it here: there is no program hookline on PATH.')
    const findPlaces = async () =>
      JSON.parse((await hooklineInProcess(world, ['guard', 'list', '--json'], { env })).stdout).places
    const notes = ['there is no program hookline on PATH']
    expect(await findPlaces()).toMatchObject([{ agent: 'claude-code', state: 'does not run', notes }])
    await put(world, 'bin/hookline', '#!/bin/sh\n')
    await chmod(join(world.root, 'bin/hookline'), 0o755)
    env.PATH = `${join(world.root, 'bin')}:/usr/bin:/bin`
    expect(await findPlaces()).toMatchObject([{ agent: 'claude-code', state: 'ready', notes: [] }])
    await put(world, 'home/.claude/settings.json', '{ "disableAllHooks": true }')
    expect(await findPlaces()).toMatchObject([{ agent: 'claude-code', state: 'does not run' }])
  })
})

describe('hookline guard add', () => {
  it('writes for the agents whose folders are in the project, and names others of the user', async () => {
    const world = await makeGuarded()
    await put(world, 'project/.gemini/settings.json', '{\n  "theme": "x"\n}\n')
    await put(world, 'home/.qwen/settings.json', '{}\n')
    const { code, stdout } = await hooklineInProcess(world, ['guard', 'add', '--yes', '--if-missing', 'pass'], {
      env: { ...OWN, PATH: dirname(process.execPath) },
    })
    expect(code).toBe(0)
    expect(stdout).toContain('qwen')
    expect(await readFile(join(world.project, '.gemini/settings.json'), 'utf8')).toContain('--guards')
    expect(await readFile(join(world.project, '.claude/settings.json'), 'utf8')).toContain('hookline guard')
    expect(await readFile(join(world.home, '.qwen/settings.json'), 'utf8')).toBe('{}\n')
  })

  it('asks what becomes of calls without hookline before it writes a file of a project', async () => {
    const world = await makeGuarded()
    const { code, stderr } = await hooklineInProcess(world, ['guard', 'add', '--agent', 'gemini', '--yes'], {
      env: OWN,
    })
    expect(code).toBe(1)
    expect(stderr).toContain('--if-missing')
    const file = findHostFile({ bridge: findBridgeOf('gemini'), scope: 'project', ...world, env: {} })
    expect(existsSync(file ?? '')).toBe(false)
  })

  it('writes the file that VS Code reads where it is named', async () => {
    const world = await makeGuarded()
    const words = ['guard', 'add', '--agent', 'vscode', '--if-missing', 'refuse', '--yes']
    expect(await hooklineInProcess(world, words, { env: OWN })).toMatchObject({ code: 0 })
    const place = { bridge: toGuardBridge(findWrittenBridge(findBridgeOf('vscode'))), scope: 'project' as const }
    const [file] = listEventFiles({ ...place, ...world, env: {} })
    expect(await readFile(file?.file ?? '', 'utf8')).toContain('--guards')
  })
})
