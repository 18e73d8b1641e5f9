import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Bridge, HostScope } from '../../src/bridges/bridge.ts'
import type { HostPlace } from '../../src/bridges/install/installed.ts'
import { findLauncherPath, writeLauncher } from '../../src/bridges/install/launcher.ts'
import { DESKTOP_PATH, describeTrial, openTrials, tryEntries } from '../../src/bridges/install/try-entry.ts'
import { AGENTS, findBridge } from '../../src/bridges/list.ts'
import { VERSION } from '../../src/text/version.ts'
import { ended, hookline, placesOf, program } from '../support/command.ts'
import { until } from '../support/processes.ts'
import { commands, put, type World } from '../support/project.ts'
import { runInShell, SHELLS } from '../support/shells.ts'
import { HOSTS, worldWith } from './host.ts'

const PROBE = '{"hookline_probe":"n1"}'
const ANSWER = `hookline ${VERSION} answers the probe n1`

/** A world with a guard that leaves a mark when it runs, and a home that is one word. */
async function guardedWorld(guard = 'touch ran; echo no >&2; exit 2'): Promise<World> {
  const home = mkdtempSync(join(tmpdir(), 'hookline-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const world = await worldWith({ PreToolUse: [commands(guard)] })
  return { ...world, home }
}

const placeOf = (agent: string, scope: HostScope, { project, home }: World): HostPlace => ({
  ...{ bridge: findBridge(agent) as Bridge, scope, project, home, env: {} }, // it is in the list
})

describe('the launcher', () => {
  it('starts the installation that wrote it, whatever the PATH, in every shell', async () => {
    const world = await guardedWorld()
    await hookline(world, ['bridge', 'install', 'codex', '--yes'])
    for (const shell of SHELLS) {
      const text = `${findLauncherPath(world.home)} bridge run codex PreToolUse || exit 2`
      const { code, stderr } = runInShell(shell, text, { cwd: world.project, input: PROBE, env: { PATH: '/none' } })
      expect([code, stderr.trim()]).toEqual([2, ANSWER])
    }
  })

  it('finds another Node where its own is gone, but none of a project, and none that is too old', async () => {
    const world = await guardedWorld()
    const write = (node: string) => writeLauncher(world.home, { node, script: program })
    const fake = (answer: string) => `#!/bin/sh\n${answer}\n`
    const run = (PATH: string) =>
      runInShell(['/bin/sh', '-c'], `${findLauncherPath(world.home)} bridge run codex PreToolUse`, {
        ...{ cwd: world.project, input: PROBE, env: { PATH } },
      })
    const sibling = join(world.home, 'versions/v22/bin/node')
    mkdirSync(dirname(sibling), { recursive: true })
    copyFileSync(process.execPath, sibling)
    await write(join(world.home, 'versions/v20/bin/node'))
    expect(run('/none')).toMatchObject({ code: 2, stderr: expect.stringContaining(ANSWER) })
    rmSync(sibling)
    await put(world, 'project/node_modules/.bin/node', fake('touch stolen; exit 0'))
    await put(world, 'project/tools/node', fake('touch stolen; exit 0'))
    await put(world, 'project/.claude/x', '')
    writeFileSync(sibling, fake('exit 1'), { mode: 0o755 })
    const PATH = ['project/node_modules/.bin', 'project/tools'].map((one) => join(world.root, one)).join(':')
    expect(run(`tools:${PATH}`).stderr).toMatch(/answers the probe|no other Node 20.19 or newer/) // as this machine has one
    expect(existsSync(join(world.project, 'stolen'))).toBe(false)
  })

  it('fails where the script is gone, is empty or was cut off anywhere', async () => {
    const world = await guardedWorld()
    const copy = join(world.root, 'copy/bin/hookline.js')
    cpSync(dirname(program), dirname(copy), { recursive: true })
    const whole = readFileSync(program)
    const ends = async (script: Buffer | null) => {
      if (script === null) rmSync(copy)
      else writeFileSync(copy, script)
      await writeLauncher(world.home, { node: process.execPath, script: copy })
      const text = `${findLauncherPath(world.home)} bridge run codex PreToolUse`
      const { code, stderr } = runInShell(['/bin/sh', '-c'], text, { cwd: world.project, env: { HOME: world.home } })
      return { code, isSaid: stderr !== '' } // some agents take a refusal without words for none
    }
    const line = whole.indexOf('\n')
    const cuts = [0, 1, line, line + 1, ...Array.from({ length: 8 }, (_, at) => Math.floor((whole.length * at) / 8))]
    for (const cut of cuts) {
      const { code, isSaid } = await ends(whole.subarray(0, cut))
      expect([cut, code === 0, isSaid]).toEqual([cut, false, true])
    }
    expect(await ends(whole)).toEqual({ code: 2, isSaid: true }) // it is whole, and finds the rest of the package gone
    expect(await ends(null)).toEqual({ code: 127, isSaid: true })
  })
})

describe('a call that a host makes while it still starts the hooks of the last one', () => {
  it('is refused by their halt, however slowly they start', async () => {
    const world = await guardedWorld('exit 0')
    const halt = `echo '{"continue": false, "stopReason": "enough"}'`
    await put(world, 'project/.claude/settings.json', { hooks: { PostToolUse: [commands(halt)] } })
    const { kimi } = HOSTS
    if (kimi === undefined) throw new TypeError('there is a bridge to Kimi')
    const ask = (event: string, payload: object) =>
      hookline(world, ['bridge', 'run', 'kimi', event, '--trust'], {
        input: JSON.stringify({ cwd: world.project, ...payload }),
      })
    expect((await ask(kimi.before, kimi.shell('echo one'))).stdout).toBe('')
    await put(world, 'slow.cjs', `setTimeout(() => require(${JSON.stringify(program)}), 1000)`)
    await writeLauncher(world.home, { node: process.execPath, script: join(world.root, 'slow.cjs') })
    const words = ['bridge', 'run', 'kimi', kimi.after, '--trust', ...placesOf(world)]
    const input = JSON.stringify({ cwd: world.project, ...kimi.shell('echo one', { output: 'x' }) })
    const after = ended(findLauncherPath(world.home), words, { input })
    const starting = join(world.home, '.hookline/bridges/kimi/starting')
    await until('the launcher names its process', () => readdirSync(starting).length === 1)
    expect(await ask(kimi.before, kimi.shell('echo two'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('enough'),
    })
    expect((await after).code).toBe(0)
    expect(readdirSync(starting)).toEqual([])
  })
})

describe('an entry that is started as its agent does', () => {
  const SERVED = AGENTS.filter((agent) => findBridge(agent)?.install.files.user !== undefined && agent !== 'vscode')

  it.each(SERVED)('is answered by hookline, and no hook runs: %s', async (agent) => {
    const world = await guardedWorld()
    await hookline(world, ['bridge', 'install', agent, '--yes', '--trust'])
    const trials = await tryEntries(placeOf(agent, 'user', world), { ...process.env, PATH: DESKTOP_PATH })
    expect(trials.length).toBeGreaterThan(0)
    for (const trial of trials) expect(trial.saw).toEqual({ is: 'answer', version: VERSION })
    expect(existsSync(join(world.home, '.hookline/compiled'))).toBe(false)
    expect(existsSync(join(world.project, 'ran'))).toBe(false)
    rmSync(findLauncherPath(world.home))
    const place = placeOf(agent, 'user', world)
    for (const trial of await tryEntries(place, process.env)) {
      expect(trial.saw.is).toBe('refusal')
      expect(describeTrial(place.bridge, trial)).toContain('refuses every guarded call')
    }
  })

  it('is seen to be open where hookline is not on the PATH and the project chose to pass', async () => {
    const world = await guardedWorld()
    for (const agent of ['codex', 'gemini', 'copilot', 'cursor', 'cline']) {
      await hookline(world, ['bridge', 'install', agent, '--yes', '--scope', 'project', '--if-missing', 'pass'])
      const place = placeOf(agent, 'project', world)
      for (const trial of await tryEntries(place, { PATH: '/usr/bin:/bin' })) {
        expect([agent, trial.saw.is]).toEqual([agent, 'nothing'])
        expect(describeTrial(place.bridge, trial)).toContain('every guard is open')
      }
    }
  })

  it('is given up after a few seconds where it does not answer, once for all agents, and nothing of it is left', async () => {
    const world = await guardedWorld()
    const pids = join(world.root, 'pids')
    const agents = ['codex', 'gemini', 'qwen', 'kimi', 'droid', 'cline']
    for (const agent of agents) await hookline(world, ['bridge', 'install', agent, '--yes'])
    writeFileSync(findLauncherPath(world.home), `#!/bin/sh\necho $$ >> '${pids}'\nsleep 300\n`)
    const steps: number[] = []
    const trials = openTrials((done, all) => steps.push(all - done))
    const env = { ...process.env, PATH: DESKTOP_PATH }
    const seen = await Promise.all(
      agents.map(async (agent) => {
        const place = placeOf(agent, 'user', world)
        return (await tryEntries(place, env, trials)).map((trial) => describeTrial(place.bridge, trial))
      }),
    )
    for (const sentence of seen.flat()) expect(sentence).toContain('did not answer within 5 s')
    expect([seen.flat().length, steps.at(-1)]).toEqual([steps.filter((left) => left >= 0).length / 2, 0])
    const started = readFileSync(pids, 'utf8').trim().split('\n').map(Number)
    expect(started.length).toBeLessThan(seen.flat().length) // the rest is known by then
    await until('all of them are gone', () => started.every((pid) => !existsSync(`/proc/${pid}`)))
  })

  it('is heard where it answers and leaves a process that keeps its pipes', async () => {
    const world = await guardedWorld()
    await hookline(world, ['bridge', 'install', 'kimi', '--yes'])
    const launcher = findLauncherPath(world.home)
    writeFileSync(launcher, `#!/bin/sh\nsleep 300 &\n${readFileSync(launcher, 'utf8')}`)
    const [trial] = await tryEntries(placeOf('kimi', 'user', world), { ...process.env, PATH: DESKTOP_PATH })
    expect(trial?.saw).toEqual({ is: 'answer', version: VERSION })
  })

  it('refuses in place of a call, so that a payload of a probe opens nothing', async () => {
    const world = await guardedWorld('echo no >&2; exit 2')
    for (const [agent, host] of Object.entries(HOSTS)) {
      const { code, stderr } = await hookline(world, ['bridge', 'run', agent, host.before, '--trust'], { input: PROBE })
      expect([agent, code, stderr.trim()]).toEqual([agent, 2, ANSWER])
      const payload = JSON.stringify({ cwd: world.project, ...host.shell('ls'), hookline_probe: 'n1' })
      const call = await hookline(world, ['bridge', 'run', agent, host.before, '--trust'], { input: payload })
      expect(`${call.stdout}${call.stderr}`).not.toContain('answers the probe')
    }
  })
})

describe('the launcher of an earlier installation', () => {
  const gone = { node: '/gone/bin/node', script: program }

  it('is written anew by doctor, which starts every entry and says what it saw', async () => {
    const world = await guardedWorld()
    const env = { COLUMNS: '300' }
    await hookline(world, ['bridge', 'install', 'codex', '--yes'])
    rmSync(findLauncherPath(world.home))
    const { stdout } = await hookline(world, ['doctor'], { env })
    expect(stdout).toMatch(/launcher +renewed/)
    expect(stdout).toContain(`user: started as Codex does, hookline ${VERSION} answers.`)
    await hookline(world, ['bridge', 'install', 'kimi', '--yes'])
    const folder = dirname(findLauncherPath(world.home))
    chmodSync(folder, 0o777)
    expect((await hookline(world, ['doctor'], { env })).stdout).toContain('is in a folder that others may write')
  })

  it('is written anew by the next command where it is of this installation or starts nothing, and else is left', async () => {
    const world = await guardedWorld()
    const env = { HOME: world.home }
    const before = async (installation: typeof gone): Promise<string> => {
      await writeLauncher(world.home, installation)
      return readFileSync(findLauncherPath(world.home), 'utf8')
    }
    const text = await before(gone)
    await hookline(world, ['events'], { env })
    expect(readFileSync(findLauncherPath(world.home), 'utf8')).not.toBe(text)
    const other = await put(world, 'other/bin/hookline.js', '')
    const left = await before({ node: process.execPath, script: other })
    await hookline(world, ['events'], { env })
    expect(readFileSync(findLauncherPath(world.home), 'utf8')).toBe(left)
  })
})

describe('the launcher that wrapped hooks read into their shell', () => {
  it('is told of by status where it is gone, cut off, or another file, and written anew by doctor', async () => {
    const world = await guardedWorld()
    const env = { COLUMNS: '300', HOME: world.home }
    await hookline(world, ['wrap', 'install', '--yes'], { env })
    const path = findLauncherPath(world.home)
    const readStatus = async (): Promise<string> => (await hookline(world, ['bridge', 'status'], { env })).stdout
    expect(await readStatus()).not.toContain(path)
    const whole = readFileSync(path, 'utf8')
    for (const text of [whole.slice(0, 3000), whole.slice(0, -3), 'exit 0\n', '#!/bin/sh\nexit 0\n', '']) {
      writeFileSync(path, text)
      expect(await readStatus()).toContain(`${path} is cut off, or is not the file that hookline writes.`)
    }
    writeFileSync(path, 'exit 0\n')
    const { stdout } = await hookline(world, ['doctor'], { env })
    expect(stdout).toMatch(/launcher +renewed/)
    expect(readFileSync(path, 'utf8')).toBe(whole)
    rmSync(path)
    expect(await readStatus()).toContain(`${path} is missing, so wrapped hooks run as if they were not wrapped`)
  })
})

describe('the choice of a project', () => {
  it('is in the report and in what status and doctor saw', async () => {
    const world = await guardedWorld()
    const env = { COLUMNS: '300', PATH: '/usr/bin:/bin' }
    for (const [choice, words] of [
      ['refuse', 'Without hookline Codex refuses every tool call and says why. (project)'],
      ['pass', 'Without hookline Codex goes on as if there were no hooks: every guard is open. (project)'],
    ] as const) {
      const flags = ['--yes', '--scope', 'project', '--if-missing', choice]
      await hookline(world, ['bridge', 'install', 'codex', ...flags])
      expect((await hookline(world, ['bridge', 'report', 'codex'], { env })).stdout).toContain(words)
      const saw = choice === 'pass' ? 'goes on, and every guard is open' : 'refuses every guarded call'
      for (const look of [['bridge', 'status', 'codex'], ['doctor']])
        expect((await hookline(world, look, { env })).stdout).toContain(saw)
    }
  })

  it('is told where another program of that name says nothing: refused, or open', async () => {
    const world = await guardedWorld()
    await put(world, 'bin/hookline', '#!/bin/sh\nexit 0\n')
    const env = { COLUMNS: '300', PATH: `${join(world.root, 'bin')}:/usr/bin:/bin` }
    for (const [choice, saw, strict, state] of [
      ['refuse', 'refuses every guarded call', 0, 'every guarded call is refused'],
      ['pass', 'goes on, and every guard is open', 1, 'guards are open'],
    ] as const) {
      await hookline(world, ['bridge', 'install', 'droid', '--yes', '--scope', 'project', '--if-missing', choice])
      for (const look of [['bridge', 'status', 'droid'], ['doctor']])
        expect((await hookline(world, look, { env })).stdout).toContain(saw)
      const status = await hookline(world, ['bridge', 'status', 'droid'], { env })
      expect(status.stdout).toMatch(new RegExp(`^droid +project: DOES NOT ANSWER, ${state}$`, 'm'))
      const { stdout, code } = await hookline(world, ['bridge', 'report', 'droid', '--strict', '--trust'], { env })
      expect([choice, code, stdout.includes(saw)]).toEqual([choice, strict, choice === 'pass'])
    }
  })
})
