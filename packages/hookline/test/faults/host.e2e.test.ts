import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { DispatchRecord } from '../../src/index.ts'
import { until } from '../support/processes.ts'
import { bashCall, commands, makeWorld, type World } from '../support/project.ts'

const BUILT = pathToFileURL(join(import.meta.dirname, '../../dist/index.js')).href
const NOBODY = 65534

/** What every program below starts with: the built engine on a world, and a way to use up descriptors. */
const prelude = ({ project, home, managed }: World): string => `
  import { closeSync, openSync, readdirSync, writeFileSync, writeSync } from 'node:fs'
  import { openEngine } from ${JSON.stringify(BUILT)}
  const world = ${JSON.stringify({ project, home, managed, trust: 'accepted' })}
  const bashCall = ${JSON.stringify(bashCall)}
  const say = (value) => writeSync(1, JSON.stringify(value) + '\\n')
  const useUp = (spare = 0) => {
    const taken = []
    try { for (;;) taken.push(openSync('/dev/null')) } catch (error) { if (error.code !== 'EMFILE') throw error }
    for (const one of taken.splice(0, spare)) closeSync(one)
    return () => taken.splice(0).forEach((one) => closeSync(one))
  }
`

/** Runs a program on the built engine with at most so many descriptors; the JSON lines it says. */
async function runWith(world: World, { descriptors }: { descriptors: number }, program: string): Promise<unknown[]> {
  const child = start(['sh', '-c', `ulimit -n ${descriptors}; exec "$@"`, 'sh', ...node(world, program)], {})
  const [said, complaints, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.on('exit', resolve)),
  ])
  expect({ code, complaints }).toEqual({ code: 0, complaints: '' })
  return said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const node = (world: World, program: string): string[] => [
  process.execPath,
  '--input-type=module',
  '-e',
  `${prelude(world)}${program}`,
]

function start(
  [file = '', ...args]: string[],
  options: { uid?: number; gid?: number },
): ChildProcessWithoutNullStreams {
  const child = spawn(file, args, {
    timeout: 40_000,
    killSignal: 'SIGKILL',
    ...options,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

describe.skipIf(process.platform === 'win32')('a host without descriptors', () => {
  it('reliability 65: survives an event that finds no descriptor left, and says what was missing', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': {
        hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'true', timeout: 1 }] }] },
      },
    })

    const [{ hooks, decision }] = (await runWith(
      world,
      { descriptors: 64 },
      `const engine = await openEngine(world)
       const free = useUp()
       const record = await engine.dispatch(bashCall)
       free()
       say(record)
       await engine.close()`,
    )) as [DispatchRecord]

    expect(hooks).toMatchObject([{ verdict: 'ran', outcome: 'non_blocking_error', exitCode: null, signal: null }])
    expect(decision).toMatchObject({ blocked: false, messages: [{ to: 'user' }] })
    expect(decision.messages[0]?.text).toMatch(/could not be started.*(EMFILE|descriptor|open files)/)
  })

  it('reliability 65: blocks for a guard that finds no descriptor left where its scope fails closed', async () => {
    const world = await makeWorld({
      'managed.json': { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'true', timeout: 1 }] }] } },
    })

    const [{ hooks, decision }] = (await runWith(
      world,
      { descriptors: 64 },
      `const engine = await openEngine({ ...world, failClosed: ['managed'] })
       const free = useUp()
       const record = await engine.dispatch(bashCall)
       free()
       say(record)
       await engine.close()`,
    )) as [DispatchRecord]

    expect(decision.blocked).toBe(true)
    expect(hooks[0]?.failed).toContain('could not be started')
  })

  it('reliability 65: starts a hook as soon as there are descriptors again', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { PreToolUse: [commands('echo ran')] } },
    })

    const [{ hooks }] = (await runWith(
      world,
      { descriptors: 64 },
      `const engine = await openEngine(world)
       const free = useUp()
       setTimeout(free, 500)
       say(await engine.dispatch(bashCall))
       await engine.close()`,
    )) as [DispatchRecord]

    expect(hooks).toMatchObject([{ outcome: 'success', exitCode: 0, stdoutBytes: 4 }])
  })

  it('reliability 65: tries until the deadline of the hook, and no longer', async () => {
    const hook = { type: 'command', command: 'true', timeout: 1 }
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { PreToolUse: [{ hooks: [hook] }] } } })

    const [{ hooks }] = (await runWith(
      world,
      { descriptors: 64 },
      `const engine = await openEngine(world)
       const free = useUp()
       const record = await engine.dispatch(bashCall)
       free()
       say(record)
       await engine.close()`,
    )) as [DispatchRecord]

    expect(hooks[0]?.outcome).toBe('non_blocking_error')
    expect(hooks[0]?.durationMs).toBeGreaterThan(500)
    expect(hooks[0]?.durationMs).toBeLessThan(10_000)
  })

  it('reliability 65: runs all of many hooks with descriptors for a few', async () => {
    const hooks = Array.from({ length: 24 }, (_, at) => ({
      type: 'command',
      command: `sleep 0.05; echo ${at}`,
      timeout: 30,
    }))
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { PreToolUse: [{ hooks }] } } })

    const [record] = (await runWith(
      world,
      { descriptors: 64 },
      `const engine = await openEngine(world)
       useUp(14)
       say(await engine.dispatch(bashCall))
       await engine.close()`,
    )) as [DispatchRecord]

    expect(record.hooks.filter(({ outcome }) => outcome === 'success')).toHaveLength(24)
  })

  it('reliability 65: runs the hooks of an event that hands out files for variables, without a file if need be', async () => {
    const hook = { type: 'command', command: 'echo hello', timeout: 1 }
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { SessionStart: [{ hooks: [hook] }] } } })

    const said = await runWith(
      world,
      { descriptors: 64 },
      `const engine = await openEngine(world)
       const free = useUp()
       setTimeout(free, 300)
       const record = await engine.dispatch({ hook_event_name: 'SessionStart', source: 'startup' }).catch((error) => ({ rejected: String(error) }))
       say(record)
       await engine.close()`,
    )

    expect(said).toMatchObject([{ decision: { context: ['hello'] } }])
  })

  it('reliability 65: does not open without its policy when the policy finds no descriptor', async () => {
    const world = await makeWorld({ 'managed.json': { allowManagedHooksOnly: true } })

    const said = await runWith(
      world,
      { descriptors: 64 },
      `await (await openEngine(world)).close()
       const free = useUp()
       const outcome = await openEngine(world).then(() => 'opened', (error) => error.name + ': ' + error.message)
       free()
       say(outcome)`,
    )

    expect(said[0]).toMatch(/^HooklineError: .*managed.* nothing is run/)
  })

  it('reliability 65: shows all of more components than there are descriptors for acceptance', async () => {
    const skills = Array.from({ length: 300 }, (_, at) => [
      `project/.claude/skills/s${at}/SKILL.md`,
      '---\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: "true"\n---\n',
    ])
    const world = await makeWorld(Object.fromEntries(skills))

    const said = await runWith(
      world,
      { descriptors: 64 },
      `const engine = await openEngine({ ...world, trust: 'stored' })
       say(Object.keys(engine.trust.request.files).length)
       await engine.close()`,
    )

    expect(said).toEqual([300])
  })
})

describe.skipIf(process.platform !== 'linux')('a host that runs out of descriptors', () => {
  it('reliability 65: loses no descriptor on a hook that could not be started, however few are free', async () => {
    const hook = { type: 'command', command: 'true', timeout: 0.2 }
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { PreToolUse: [{ hooks: [hook] }] } } })

    const said = await runWith(
      world,
      { descriptors: 64 },
      `const engine = await openEngine(world)
     const open = () => readdirSync('/proc/self/fd').length
     const settled = async () => { // what is destroyed closes a turn later
       const deadline = Date.now() + 2_000
       while (open() > before && Date.now() < deadline) await new Promise(setImmediate)
       return open()
     }
     await engine.dispatch(bashCall) // the first start of a process takes descriptors for good
     const before = open()
     for (let spare = 4; spare < 14; spare++) {
       const free = useUp(spare)
       await engine.dispatch(bashCall)
       free()
       say({ spare, lost: Math.max(0, await settled() - before) })
     }
     await engine.close()`,
    )

    expect(said).toEqual(Array.from({ length: 10 }, (_, at) => ({ spare: 4 + at, lost: 0 })))
  })
})

describe.skipIf(process.platform !== 'linux')('a host that may start no process', () => {
  async function withForbiddenFork(hook: object, release: 'while it tries' | 'never'): Promise<DispatchRecord> {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { PreToolUse: [{ hooks: [hook] }] } } })
    const uid = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {} // the limit does not bind root
    if ('uid' in uid) giveTo(world, NOBODY)
    const program = `
      const engine = await openEngine({ ...world, debug: { categories: ['hooks'], write: (line) => line.includes('Executing hook command') && say('trying') } })
      say('ready')
      await new Promise((resolve) => process.stdin.once('data', resolve))
      say(await engine.dispatch(bashCall))
      await engine.close()
      process.exit()`
    const child = start(node(world, program), uid)
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
    })
    await until('the engine is open', () => said.includes('ready'))
    const before = limitsOf(child, ['--output=SOFT', '--noheadings', '--raw', '--nproc'], uid).trim()
    limitsOf(child, ['--nproc=1:'], uid)
    child.stdin.write('go\n')
    await until('the hook is to start', () => said.includes('trying'))
    if (release === 'while it tries') limitsOf(child, [`--nproc=${before}:`], uid)
    await until('the event is over', () => said.includes('"version"'))
    return JSON.parse(said.trim().split('\n').at(-1) ?? '')
  }

  /** Only who owns a process may touch its limits. */
  const limitsOf = ({ pid }: ChildProcessWithoutNullStreams, args: string[], uid: object): string =>
    execFileSync('prlimit', ['--pid', String(pid), ...args], { encoding: 'utf8', ...uid })

  function giveTo(world: World, uid: number): void {
    chmodSync(world.root, 0o755)
    for (const path of [world.root, world.project, world.home]) chownSync(path, uid, uid)
  }

  it('reliability 66: survives an event whose hooks cannot be forked, and says so', async () => {
    const { hooks, decision } = await withForbiddenFork({ type: 'command', command: 'true', timeout: 1 }, 'never')

    expect(hooks).toMatchObject([{ outcome: 'non_blocking_error', exitCode: null, signal: null }])
    expect(decision.blocked).toBe(false)
    expect(decision.messages[0]?.text).toMatch(/could not be started.*(EAGAIN|processes)/)
  })

  it('reliability 66: starts a hook as soon as processes are allowed again', async () => {
    const { hooks } = await withForbiddenFork({ type: 'command', command: 'echo ran' }, 'while it tries')

    expect(hooks).toMatchObject([{ outcome: 'success', exitCode: 0, stdoutBytes: 4 }])
  })
})

describe.skipIf(process.platform === 'win32')('a host whose output nobody reads', () => {
  it('reliability 76: goes on when stdout and stderr of the host are closed', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': {
        hooks: { Stop: [commands('echo out; echo err >&2; exit 3', 'yes | head -c 300000', 'kill -9 $$')], Stopp: [] },
      },
    })
    const result = join(world.root, 'result.json')
    const child = start(
      node(
        world,
        `const engine = await openEngine(world)
         const record = await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
         await engine.close()
         writeFileSync(${JSON.stringify(result)}, JSON.stringify(record))`,
      ),
      {},
    )
    child.stdout.destroy()
    child.stderr.destroy()
    const code = await new Promise((resolve) => child.on('exit', resolve))

    expect({ code, written: existsSync(result) }).toEqual({ code: 0, written: true })
    const { hooks } = JSON.parse(readFileSync(result, 'utf8')) as DispatchRecord
    expect(hooks.map(({ outcome }) => outcome)).toEqual(['non_blocking_error', 'success', 'non_blocking_error'])
  })
})
