import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { processesWith, until } from '../support/processes.ts'
import { bashCall, commands, makeWorld, openOn, type World } from '../support/project.ts'
import { openFor } from './fire.ts'

const HOST = fileURLToPath(new URL('fixtures/waiting-host.ts', import.meta.url))

/** Starts a host on a project with these hooks, in a process that can be killed. */
async function startHost(hooks: object, launcher = 'pool', files: Record<string, string> = {}) {
  const world = await makeWorld({ 'project/.claude/settings.json': { hooks }, ...files })
  const program = join(world.root, 'host.mjs')
  const options = { bundle: true, platform: 'node', format: 'esm', logLevel: 'error' } as const
  await build({ ...options, mainFields: ['module', 'main'], entryPoints: [HOST], outfile: program })
  const token = randomUUID()
  const host = spawn(process.execPath, [program, world.root], {
    env: {
      ...process.env,
      HOOKLINE_LAUNCHER: launcher,
      HOOKLINE_WARM: 'auto',
      HOOKLINE_TEST_TOKEN: token,
      TMPDIR: world.root,
    },
    stdio: 'ignore',
  })
  onTestFinished(() => void host.kill('SIGKILL'))
  return { world, token, host }
}

/** Whoever carries the token, but for the host; with the shells, and who watches over them. */
function startedBy(host: { pid?: number | undefined }, token: string): number[] {
  const children = readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readFileSync(`/proc/${pid}/status`, 'utf8').includes(`\nPPid:\t${host.pid}\n`)
    } catch {
      return false // gone
    }
  })
  return [...new Set([...children.map(Number), ...processesWith(token, { residents: true })])].filter(
    (pid) => pid !== host.pid,
  )
}

const isGuard = (pid: number): boolean => commandOf(pid).includes('hookline-orphan-guard')

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // gone
  }
}

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`)

describe.skipIf(process.platform !== 'linux')('a host that is killed', () => {
  it.each([
    ['resident shells', 'pool'],
    ['the host itself', 'direct'],
  ])('reliability 73: leaves no hook that %s started, nor a shell, nor a file', async (_, launcher) => {
    const own = `timeout 300 sh -c "trap '' TERM; sleep 62; true"` // in a group of its own
    const hooks = { PreToolUse: [commands(`trap '' TERM; echo > ready; sleep 60; true`, 'sleep 61; true', own)] }
    const { world, token, host } = await startHost(hooks, launcher)
    await until('the hooks run', () => existsSync(join(world.project, 'ready')))
    await until('all hooks run', () => processesWith(token).length >= 7)
    await until('somebody watches', () => startedBy(host, token).some(isGuard))
    const started = startedBy(host, token)

    host.kill('SIGKILL')

    await until('nobody is left', () => started.every((pid) => !isAlive(pid)) && processesWith(token).length === 0)
    expect(readdirSync(world.root).filter((name) => name.startsWith('hookline-'))).toEqual([])
  })

  it.each(['pool', 'direct'])(
    'reliability 73: leaves no interpreter that waits for its event, launcher %s',
    async (launcher) => {
      const hooks = { Stop: [commands('node stop.cjs')], PreToolUse: [commands('sleep 61; true')] }
      const files = { 'project/stop.cjs': `require('fs').writeFileSync('ready', '')` }
      const { world, token, host } = await startHost(hooks, launcher, files)
      await until('the first hook has run', () => existsSync(join(world.project, 'ready')))
      const isWaiting = (pid: number): boolean =>
        commandOf(pid).includes('stop.cjs') && commandOf(pid).startsWith('node')
      await until('its next interpreter waits', () => processesWith(token).some(isWaiting))
      await until('somebody watches', () => startedBy(host, token).some(isGuard))
      const started = startedBy(host, token)

      host.kill('SIGKILL')

      await until('none is left', () => started.every((pid) => !isAlive(pid)) && processesWith(token).length === 0)
    },
  )

  it('reliability 73: leaves alone whom a hook left behind on purpose', async () => {
    const { world, token, host } = await startHost({
      Stop: [commands('sleep 30 >/dev/null 2>&1 & echo $! > daemon; setsid true')],
      PreToolUse: [commands('echo > ready; sleep 61; true')],
    })
    await until('the second hook runs', () => existsSync(join(world.project, 'ready')))
    const daemon = Number(readFileSync(join(world.project, 'daemon'), 'utf8'))
    const started = startedBy(host, token).filter((pid) => pid !== daemon)
    onTestFinished(() => void process.kill(daemon, 'SIGKILL'))

    host.kill('SIGKILL')

    await until('the others are gone', () => started.every((pid) => !isAlive(pid)))
    expect(isAlive(daemon)).toBe(true)
  })
})

describe.skipIf(process.platform !== 'linux')('the temp folder of a host that is killed', () => {
  /** An engine that makes a temp folder of its own. */
  const useEngine = async (world: World): Promise<void> => {
    const engine = await openOn(world)
    await engine.dispatch({ hook_event_name: 'SessionStart', source: 'startup' })
    await engine.close()
  }

  it('goes with the next engine, with the variables of its env files', async () => {
    const { world, host } = await startHost({
      SessionStart: [commands('echo export TOKEN=secret >> "$CLAUDE_ENV_FILE"')],
      PreToolUse: [commands('echo > ready; sleep 60')],
    })
    const temp = (): string[] => readdirSync(world.root).filter((name) => name.startsWith('hookline-'))
    await until('the hook runs', () => existsSync(join(world.project, 'ready')))
    expect(temp()).toHaveLength(1)
    vi.stubEnv('TMPDIR', world.root)
    onTestFinished(() => void vi.unstubAllEnvs())
    await useEngine(world)
    expect(temp()).toHaveLength(1) // it is alive
    const exited = once(host, 'exit')
    host.kill('SIGKILL')
    await exited

    await useEngine(world)

    expect(temp()).toEqual([])
  })
})

describe.skipIf(process.platform !== 'linux')('a resident shell that dies', () => {
  const residents = (token: string): number[] => {
    const hooks = processesWith(token)
    return processesWith(token, { residents: true }).filter((pid) => !hooks.includes(pid))
  }

  it('reliability 74: takes its hook along, which has failed and decides nothing', async () => {
    const { engine, world, token } = await openFor('PreToolUse', ['echo > ready; sleep 60; exit 2'], {
      launcher: 'pool',
    })
    const dispatched = engine.dispatch(bashCall)
    await until('the hook runs', () => existsSync(join(world.project, 'ready')))
    for (const pid of residents(token)) process.kill(pid, 'SIGKILL')

    const { hooks, decision } = await dispatched

    expect(hooks).toMatchObject([{ outcome: 'non_blocking_error', signal: 'SIGKILL', exitCode: null }])
    expect(decision).toMatchObject({ blocked: false, permission: null })
    await until('nobody is left', () => processesWith(token, { residents: true }).length === 0)
  })

  it.each([
    ['is replaced for the next hook', 'SIGKILL'],
    ['goes on for the next hook when it was stopped', 'SIGSTOP'],
  ] as const)('reliability 74: %s', async (_, signal) => {
    const { engine, token } = await openFor('PreToolUse', ['echo no >&2; exit 2'], { launcher: 'pool' })
    await engine.dispatch(bashCall)
    for (const pid of residents(token)) process.kill(pid, signal)

    for (let left = 3; left > 0; left--) {
      expect((await engine.dispatch(bashCall)).decision).toMatchObject({ blocked: true, reason: 'no' })
    }
  })
})
