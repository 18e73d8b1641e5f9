import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findServing } from '../../src/resident/serve.ts'
import { ended, hookline, program } from '../support/command.ts'
import { processesWith, until } from '../support/processes.ts'
import { commands, put } from '../support/project.ts'
import {
  bashEvent,
  type CallOptions,
  call,
  expectWays,
  makeHome,
  makeServedHome,
  readFigures,
  type ServedHome,
  startCall,
} from './resident.ts'

/** Guard that writes down what it was given, and refuses what says "rm". */
const DUMPING =
  'cat > "$DUMP.in"; { pwd; tool; env -0 | grep -zv "^CLAUDE_PID=" | sort -z; } > "$DUMP" 2>&1; if grep -q "rm " "$DUMP.in"; then echo no >&2; exit 2; fi'

/** Guard that counts its runs, and refuses. */
const COUNTING = 'cat >/dev/null; echo "$ONE" >> "$HOME/runs"; echo no >&2; exit 2'
const listRuns = ({ home }: ServedHome): string[] =>
  existsSync(join(home, 'runs')) ? readFileSync(join(home, 'runs'), 'utf8').trim().split('\n') : []

/** Words of a call whose shell does something before. */
const after = (text: string): CallOptions => ({ through: ['sh', '-c', `${text}; exec "$@"`, 'sh'] })

/** Words of a call with redirections. */
const redirected = ({ launcher }: ServedHome, to: string): CallOptions => ({
  line: ['/bin/sh', '-c', `exec "$0" bridge run codex PreToolUse ${to}`, launcher],
})

/** End of a call by a way, with all that the guard was given. */
function seeCall(served: ServedHome, way: 'cold' | 'warm', input: string | Buffer, options: CallOptions): unknown {
  const dump = join(served.world.root, 'dump')
  for (const path of [dump, `${dump}.in`]) rmSync(path, { force: true })
  const env = { ...options.env, DUMP: dump, HOOKLINE_RESIDENT: way === 'cold' ? 'off' : 'on' }
  const end = call(served, input, { ...options, env })
  const read = (path: string): string => (existsSync(path) ? readFileSync(path, 'latin1') : 'nothing')
  const seen = [dump, `${dump}.in`].map((path) => read(path).replace(/\0HOOKLINE_RESIDENT=\w+/, ''))
  return JSON.parse(JSON.stringify({ end, seen }).replaceAll(/\b(?:cold|warm)-session\b|hookline-[\w.-]+/g, 'x'))
}

/** Both ways give the same to the agent and to the guard. */
function expectSame(served: ServedHome, name: string, make: (id: string) => string | Buffer, options: CallOptions) {
  const [cold, warm] = (['cold', 'warm'] as const).map((way) => seeCall(served, way, make(`${way}-session`), options))
  expect({ name, ...Object(warm) }).toEqual({ name, ...Object(cold) })
}

const usual = (id: string): string => bashEvent('rm x', { session_id: id })

describe('a call is answered as by a process of its own', () => {
  const MANY = Object.fromEntries(Array.from({ length: 4096 }, (_, at) => [`MANY_${at}`, `${at}`]))
  const listCalls = (served: ServedHome): Readonly<Record<string, CallOptions>> => ({
    'whose stdin is closed': redirected(served, '<&-'),
    'that reads from nowhere': redirected(served, '</dev/null'),
    'whose stdout is closed': redirected(served, '>&-'),
    'that writes to nowhere': redirected(served, '>/dev/null'),
    'whose outputs are one': redirected(served, '2>&1'),
    'with line ends in a variable': { env: { ODD: 'a\nb\n\n' } },
    'with a variable that is not UTF-8': after('ODD=$(printf "\\377x"); export ODD'),
    'with 4,096 variables': { env: MANY },
    'with a variable of 100 kB': { env: { LONG: 'x'.repeat(100_000) } },
    'in a folder that is gone': after('mkdir "$HOME/gone"; cd "$HOME/gone"; rmdir "$HOME/gone"'),
    'in a folder with a line end in its name': { cwd: join(served.world.root, 'odd\nfolder') },
    'with another program first on its PATH': { env: { PATH: `${served.world.root}/bin:${process.env.PATH}` } },
  })
  const PAYLOADS: Readonly<Record<string, (id: string) => string | Buffer>> = {
    'with NUL bytes': (id) => usual(id).replace('rm x', 'rm \0x'),
    'in another encoding': (id) => Buffer.from(usual(id).replace('rm x', 'rm \xff\xe9'), 'latin1'),
    'of 17 MB': (id) => usual(id).replace('rm x', `rm ${'x'.repeat(17_000_000)}`),
    'cut off': (id) => usual(id).slice(0, -4),
    'with something behind': (id) => `${usual(id)}\n{}`,
  }
  it('whatever is odd about its caller or its payload', async () => {
    const served = await makeServedHome({ PreToolUse: [commands(DUMPING)] })
    await put(served.world, 'bin/tool', '#!/bin/sh\necho of the PATH\n')
    await put(served.world, 'project/.claude/settings.json', { hookline: { resident: false } }) // a project has no say
    mkdirSync(join(served.world.root, 'odd\nfolder'))
    for (const [name, options] of Object.entries(listCalls(served))) expectSame(served, name, usual, options)
    for (const [name, make] of Object.entries(PAYLOADS)) expectSame(served, name, make, {})
    expect(readFigures(served)?.served).toBeGreaterThanOrEqual(10)
  })

  it('whatever was changed since the last one', async () => {
    const served = await makeServedHome({ PreToolUse: [commands('"$HOME"/guard.sh')] })
    const { world, home, place } = served
    const guard = (says: string): Promise<string> =>
      put(world, 'home/guard.sh', `#!/bin/sh\ncat >/dev/null; tool ${says} >&2; exit 2\n`)
    const settings = (text: string): Promise<string> =>
      put(world, 'home/.claude/settings.json', { hooks: { PreToolUse: [commands(text)] } })
    const env = { PATH: `${world.root}/bin:${process.env.PATH}` }
    const date = (path: string, year: number): void => utimesSync(path, new Date(year, 1), new Date(year, 1))
    const digest = async () => JSON.parse((await hookline(world, ['trust', '--json'])).stdout).digest
    let at = 0
    const expectSaid = (name: string, says: string): void => {
      const session_id = `changed-${at++}` // a session keeps the guards that it began with
      const answer = call(served, bashEvent('ls', { session_id }), { env })
      expect([name, answer.stdout.includes('deny'), answer.stdout.includes(says)]).toEqual([name, says !== '', true])
    }
    await put(world, 'bin/tool', '#!/bin/sh\necho "one $1"\n')
    await guard('a')
    expectSaid('first', 'one a')
    await put(world, 'bin/tool', '#!/bin/sh\necho "two $1"\n')
    expectSaid('a program that a hook runs', 'two a')
    const { mtime, size } = statSync(await guard('b'))
    const changed = await guard('c')
    utimesSync(changed, mtime, mtime)
    expect(statSync(changed).size).toBe(size)
    expectSaid('a script, with its size and its time as before', 'two c')
    date(await settings('echo older >&2; exit 2'), 1999)
    expectSaid('settings, by older ones', 'older')
    date(await settings('echo newer >&2; exit 2'), 2099)
    expectSaid('settings, by ones of the future', 'newer')
    for (const path of [place.engine, place.bell, place.folder]) date(path, 2099)
    expectSaid('the clock, set back', 'newer')
    await put(world, 'project/.claude/settings.json', { hooks: { PreToolUse: [commands('echo project >&2; exit 2')] } })
    await settings('exit 0')
    expectSaid('the project, which is not trusted', '')
    expect((await hookline(world, ['trust', 'accept', '--yes', await digest()])).code).toBe(0)
    expectSaid('its trust, given', 'project')
    expect((await hookline(world, ['trust', 'revoke'])).code).toBe(0)
    expectSaid('its trust, taken back', '')
    rmSync(join(world.project, '.claude'), { recursive: true })
    rmSync(join(home, '.claude'), { recursive: true })
    expectSaid('settings, which are gone', '')
    await expectWays(served, { served: at })
  })

  it('whose agent has gone meanwhile', async () => {
    const served = await makeServedHome({ PreToolUse: [commands(COUNTING)] })
    const codes: (number | null)[] = []
    for (const HOOKLINE_RESIDENT of ['off', 'on']) {
      const env = { PATH: process.env.PATH, HOME: served.home, ONE: HOOKLINE_RESIDENT, HOOKLINE_RESIDENT }
      const child = spawn(served.launcher, ['bridge', 'run', 'codex', 'PreToolUse'], { cwd: served.project, env })
      child.stdout.destroy()
      await once(child.stdout, 'close')
      child.stdin.end(bashEvent('ls'))
      const [code] = await once(child, 'exit')
      codes.push(code)
    }
    expect(codes[1]).toBe(codes[0])
    expect(listRuns(served)).toEqual(['off', 'on'])
  })
})

describe('every call is answered once', () => {
  /** Makes calls at a time; each is refused, and its guard has run once. */
  async function expectRefusedOnceEach(served: ServedHome, count: number, during: () => unknown): Promise<void> {
    const ids = Array.from({ length: count }, (_, at) => `call-${at}`)
    const ends = Promise.all(ids.map((ONE) => startCall(served, bashEvent('ls'), { env: { ONE } })))
    await during()
    expect((await ends).filter(({ stdout }) => !stdout.includes('"deny"'))).toEqual([])
    expect(listRuns(served).sort()).toEqual([...ids].sort())
  }

  /** Signals a process that may be over by now: hooks that wait start a short one again and again. */
  function signalRunning(pid: number, signal: NodeJS.Signals): void {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }

  const servedBy = ({ place }: ServedHome): number => {
    const pid = findServing(place)
    if (pid === null) throw new Error('nobody serves')
    return pid
  }

  it('where 20 come before anybody serves, and one process serves then', async () => {
    const served = await makeHome({ PreToolUse: [commands(COUNTING)] }, { patience: 'usual' })
    await expectRefusedOnceEach(served, 20, () => {})
    await until('one serves', () => findServing(served.place) !== null)
    const serving = (): number[] => processesWith(`HOME=${served.home}`).filter(isResident)
    await until('no other is left', () => serving().length === 1)
    expect(serving()).toEqual([servedBy(served)])
  })

  it('where the resident is told to stop among them', async () => {
    const served = await makeServedHome({ PreToolUse: [commands(COUNTING)] }, { patience: 'usual' })
    await expectRefusedOnceEach(served, 20, async () => {
      await until('some were answered', () => listRuns(served).length > 0)
      process.kill(servedBy(served), 'SIGTERM')
    })
  })

  it('where signals rain on the resident', async () => {
    const served = await makeServedHome({ PreToolUse: [commands(COUNTING)] }, { patience: 'usual' })
    const pid = servedBy(served)
    await expectRefusedOnceEach(served, 10, () => {
      for (let at = 0; at < 500; at++)
        for (const signal of ['SIGWINCH', 'SIGSTOP', 'SIGCONT', 'SIGPIPE', 'SIGURG'] as const) process.kill(pid, signal)
    })
    expect(servedBy(served)).toBe(pid)
  })

  it('where the machine sleeps while its hook runs', async () => {
    const held = 'cat >/dev/null; echo "$ONE" >> "$HOME/runs"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done; exit 2'
    const served = await makeServedHome({ PreToolUse: [commands(`${held}`)] }, { patience: 'usual' })
    await expectRefusedOnceEach(served, 3, async () => {
      await until('the hooks run', () => listRuns(served).length === 3)
      const all = processesWith(`HOME=${served.home}`, { residents: true })
      for (const signal of ['SIGSTOP', 'SIGCONT'] as const) for (const pid of all) signalRunning(pid, signal)
      writeFileSync(join(served.home, 'go'), '')
    })
  })

  it('by a process whose outputs are closed, the one of six that began to serve at once', async () => {
    const served = await makeHome({ PreToolUse: [commands(COUNTING)] })
    const env = { HOME: served.home, PATH: process.env.PATH }
    const words = ['-c', 'exec "$0" "$1" resident serve <&- >&- 2>&-', process.execPath, program]
    for (let at = 0; at < 6; at++) spawn('sh', words, { env, cwd: '/', stdio: 'ignore' })
    await until('one serves', () => findServing(served.place) !== null)
    await until('the others have ended', () => processesWith(`HOME=${served.home}`).filter(isResident).length === 1)
    await expectRefusedOnceEach(served, 5, () => {})
    await expectWays(served, { served: 5 })
    expect((await ended(process.execPath, [program, 'resident', 'stop', '--yes'], { env })).code).toBe(0)
  })
})

const isResident = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('\0resident\0serve\0')
  } catch {
    return false // it has ended
  }
}
