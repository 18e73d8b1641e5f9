import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isUnverified } from '../../src/bridges/bridge.ts'
import { AGENTS, findBridge } from '../../src/bridges/list.ts'
import { hookline, inTerminal } from '../support/command.ts'
import { commands, makeWorld, put, type World } from '../support/project.ts'
import { HOSTS, worldWith } from './host.ts'

const guarded = (): Promise<World> => worldWith({ PreToolUse: [commands('echo no >&2; exit 2')] })
const PROGRAMS = join(import.meta.dirname, '../../../../node_modules/.bin')
const JSON_FILE = { format: 'json', mark: 'T' }
const UNVERIFIED = AGENTS.filter((agent) => {
  const bridge = findBridge(agent)
  return bridge !== null && isUnverified(bridge)
})

describe('an agent in which the bridge was never run', () => {
  it('is one of those that are said to be', () => {
    expect(UNVERIFIED).toEqual(['vscode', 'cline', 'windsurf', 'kiro', 'grok', 'antigravity'])
  })

  it.each(UNVERIFIED)('is said to be so before anything is written: %s', async (agent) => {
    const choice = findBridge(agent)?.install.files.user === undefined ? ['--if-missing', 'refuse'] : []
    const args = ['bridge', 'install', agent, '--dry-run', '--trust', ...choice]
    const { stdout } = await hookline(await guarded(), args, { env: { COLUMNS: '200' } })
    expect(stdout).toMatch(/^[\w ]+ is unverified: .*before you rely on them/)
  })

  it('is said to be so in status and in report', async () => {
    const world = await guarded()
    const env = { COLUMNS: '200' }
    await hookline(world, ['bridge', 'install', 'kiro', '--yes', '--if-missing', 'refuse'])
    expect((await hookline(world, ['bridge', 'status', 'kiro'])).stdout).toContain('project: ready (unverified)')
    const status = JSON.parse((await hookline(world, ['bridge', 'status', '--json'])).stdout)
    const named = status.agents.flatMap((one: { agent: string; unverified: boolean }) =>
      one.unverified ? [one.agent] : [],
    )
    expect(named).toEqual(UNVERIFIED)
    for (const flags of [[], ['--markdown']]) {
      const { stdout } = await hookline(world, ['bridge', 'report', ...flags, '--trust'], { env })
      expect(stdout.match(/ is unverified: /g)).toHaveLength(UNVERIFIED.length)
    }
  })
})

describe('the hooks of a project that Copilot loads by itself', () => {
  const settings = (...hooks: object[]) => ({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks }] } })
  const program = { type: 'command', command: 'node', args: ['guard.js'] }
  const statusIn = async (world: World) => {
    const env = { PATH: `${PROGRAMS}:${process.env.PATH}` } // as a user has it who installed it
    const { stdout } = await hookline(world, ['bridge', 'status', 'copilot', '--json'], { env })
    const { trusted, agents } = JSON.parse(stdout)
    return { trusted, ...agents[0] }
  }

  it('are offered to be wrapped and trusted when the bridge is installed at a terminal', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': settings(program) })
    const { stdout } = await inTerminal(world, ['bridge', 'install', 'copilot'], 'y\ny\ny\n')
    expect(stdout.match(/Write this to/g)).toHaveLength(2)
    expect(stdout).toContain('Trust these hooks? They run with your permissions.')
    expect(await statusIn(world)).toMatchObject({ trusted: true, doubled: false, installed: { user: 'ready' } })
    const again = await inTerminal(world, ['bridge', 'install', 'copilot'], '')
    expect(again.stdout).not.toMatch(/wrap install|Write this|Let these run/)
  })

  it('are told of where nothing was asked: in install, status and report', async () => {
    const powershell = { type: 'command', command: 'Write-Host', shell: 'powershell' }
    const world = await makeWorld({ 'project/.claude/settings.local.json': settings(program, powershell) })
    const env = { COLUMNS: '200' }
    const { stdout } = await hookline(world, ['bridge', 'install', 'copilot', '--yes', '--trust'], { env })
    expect(stdout).toContain('run twice: run "hookline wrap install --scope local"')
    expect(await statusIn(world)).toMatchObject({
      doubled: true,
      notes: [
        expect.stringContaining(
          'as they are: each runs twice, one with "args" runs without them, and one that fails refuses the call.',
        ),
        expect.stringContaining('a hook of .claude by itself as well: run "hookline wrap install --scope local"'),
        expect.stringContaining('cannot be wrapped: local:PreToolUse:0:1'),
        expect.stringContaining('answers'),
        expect.stringContaining('desktop'), // the home of this world has a blank in its path
      ],
    })
    const status = await hookline(world, ['bridge', 'status', 'copilot'])
    expect(status.stdout).toContain('user: ready, doubled')
    const report = await hookline(world, ['bridge', 'report', 'copilot', '--trust'], { env })
    expect(report.stdout).toContain('by itself, as it is, and without its "args", and refuses')
    expect(report.stdout).toContain('where it fails: it cannot be wrapped')
  })

  it('are not loaded where one of them is of a type that Copilot does not have', async () => {
    const prompt = { type: 'prompt', prompt: 'fine?' }
    const world = await makeWorld({ 'project/.claude/settings.json': settings(program, prompt) })
    await hookline(world, ['bridge', 'install', 'copilot', '--yes'])
    expect(await statusIn(world)).toMatchObject({
      doubled: false,
      notes: [
        expect.stringContaining('since it has one of type prompt: the bridge serves them'),
        expect.stringContaining('answers'),
        expect.stringContaining('desktop'),
      ],
    })
  })
})

describe('the files of Copilot', () => {
  it('are called by VS Code too, which is answered in its own form', async () => {
    const world = await guarded()
    const payload = { cwd: world.project, ...HOSTS.vscode?.shell('ls', { cwd: world.project }) }
    const { stdout, code } = await hookline(world, ['bridge', 'run', 'copilot', 'preToolUse', '--trust'], {
      input: JSON.stringify(payload),
    })
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: 'no',
        },
      },
    ])
  })

  it('are written once for Copilot CLI and VS Code, and removed once', async () => {
    const world = await guarded()
    await hookline(world, ['bridge', 'install', 'copilot'])
    const file = join(world.home, '.copilot/hooks/hookline.json')
    const text = readFileSync(file, 'utf8')
    const { stdout } = await hookline(world, ['bridge', 'install', 'copilot', '--for', 'vscode'])
    expect(stdout).toContain('nothing was written')
    expect(stdout).toContain('chat.hookFilesLocations')
    expect(readFileSync(file, 'utf8')).toBe(text)
    await hookline(world, ['bridge', 'uninstall', 'vscode'])
    expect(existsSync(file)).toBe(false)
  })

  it('come with what installs Hookline for the cloud agent, to the byte and back', async () => {
    const world = await guarded()
    const setup = join(world.project, '.github/workflows/copilot-setup-steps.yml')
    const hooks = join(world.project, '.github/hooks/hookline.json')
    const first = await hookline(world, ['bridge', 'install', 'copilot', '--for', 'cloud', '--if-missing', 'refuse'], {
      env: { COLUMNS: '200' },
    })
    expect(first.stdout).toMatch(/^This was never run in the cloud agent/)
    expect(first.stdout).toMatch(/HOOKLINE_TRUST to [0-9a-f]+ /)
    expect(readFileSync(setup, 'utf8')).toMatch(/npm install --global \.\/hookline-\d[\d.]*\.tgz/)
    expect(readFileSync(hooks, 'utf8')).toContain('hookline bridge run copilot preToolUse')
    await hookline(world, ['bridge', 'uninstall', 'copilot', '--for', 'cloud'])
    expect([existsSync(setup), existsSync(hooks)]).toEqual([false, false])
  })

  it('leave a setup of the cloud agent alone that is not ours, and say what to add', async () => {
    const world = await guarded()
    const theirs = 'jobs:\n  copilot-setup-steps:\n    runs-on: ubuntu-latest\n'
    const setup = await put(world, 'project/.github/workflows/copilot-setup-steps.yml', theirs)
    const { stdout } = await hookline(
      world,
      ['bridge', 'install', 'copilot', '--for', 'cloud', '--if-missing', 'refuse'],
      {
        env: { COLUMNS: '200' },
      },
    )
    expect(stdout).toContain('stays as it is: add a step')
    expect((await hookline(world, ['bridge', 'status', 'copilot'], { env: { COLUMNS: '200' } })).stdout).toContain(
      'The cloud agent has no hookline',
    )
    await hookline(world, ['bridge', 'uninstall', 'copilot', '--for', 'cloud'])
    expect(readFileSync(setup, 'utf8')).toBe(theirs)
  })

  it.each([
    [['install', 'codex', '--for', 'cloud'], '--for says who reads the files of copilot'],
    [['install', 'copilot', '--for', 'emacs'], '--for must be cli, vscode or cloud'],
    [['install', 'copilot', '--for', 'cloud', '--scope', 'user'], 'The cloud agent reads files of the project'],
  ])('are for known readers alone: %j', async (args, message) => {
    const { code, stderr } = await hookline(await guarded(), ['bridge', ...args])
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
  })
})

describe('an agent by a table of the user', () => {
  it('is begun with a shipped one, installed, and refuses', async () => {
    const world = await guarded()
    const { stdout: table } = await hookline(world, ['bridge', 'table', 'kimi'])
    const mine = { ...JSON.parse(table), name: 'mine', title: 'Mine' }
    mine.install = { ...mine.install, files: { user: '.mine/hooks.json' }, shape: 'claude', reads: JSON_FILE }
    await put(world, 'home/.hookline/agents/mine.json', mine)
    await hookline(world, ['bridge', 'install', 'mine'])
    expect(readFileSync(join(world.home, '.mine/hooks.json'), 'utf8')).toContain('hookline bridge run mine PreToolUse')
    expect((await hookline(world, ['bridge', 'status'])).stdout).toContain('mine')
    const input = JSON.stringify({ cwd: world.project, ...HOSTS.kimi?.shell('ls') })
    const run = ['bridge', 'run', 'mine', 'PreToolUse', '--trust']
    expect(await hookline(world, run, { input })).toMatchObject({ code: 2, stderr: 'no\n' })
    await put(world, 'home/.hookline/agents/mine.json', { ...mine, tools: 'none' })
    const broken = await hookline(world, run, { input })
    expect([broken.code, broken.stderr]).toEqual([2, expect.stringContaining('mine.json: tools: must be an array.')])
    expect((await hookline(world, ['bridge', 'status'])).code).toBe(0)
  })
})
