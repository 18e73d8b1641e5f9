import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findServing } from '../../src/resident/serve.ts'
import { ended, program } from '../support/command.ts'
import { until } from '../support/processes.ts'
import { commands, put } from '../support/project.ts'
import {
  bashEvent,
  call,
  expectWays,
  findCopy,
  makeHome,
  makeServedHome,
  readFigures,
  type ServedHome,
  startCall,
} from './resident.ts'

/** Guard that counts its runs, and refuses. */
const COUNTING = 'cat >/dev/null; echo run >> "$HOME/runs"; echo no >&2; exit 2'
const runs = ({ home }: ServedHome): number =>
  existsSync(join(home, 'runs')) ? readFileSync(join(home, 'runs'), 'utf8').trim().split('\n').length : 0

const servedBy = ({ place }: ServedHome): number => {
  const pid = findServing(place)
  if (pid === null) throw new Error('nobody serves')
  return pid
}

/** True for a process that is gone, or that nobody has asked about since it ended. */
const hasEnded = (pid: number): boolean => !existsSync(`/proc/${pid}/fd`) || readdirSync(`/proc/${pid}/fd`).length === 0

/** The event is refused and the guard has run once more, whichever way was taken. */
function expectRefusedOnce(served: ServedHome, options: Parameters<typeof call>[2] = {}): void {
  const before = runs(served)
  const { stdout } = call(served, bashEvent('ls'), options)
  expect(stdout).toContain('"deny"')
  expect(runs(served)).toBe(before + 1)
}

describe('a client that listens already', () => {
  it('is answered also when its shell has put the wire in the place of stdin', async () => {
    const served = await makeServedHome({ PreToolUse: [commands('"$HOME"/guard.sh')] })
    await put(served.world, 'home/guard.sh', `#!/bin/sh\n${COUNTING}\n`)
    const piped = ['/bin/sh', '-c', 'cat | "$0" "$@"', served.launcher, 'bridge', 'run', 'codex', 'PreToolUse']
    for (let at = 1; at <= 12; at++) expectRefusedOnce(served, { line: piped })
    await expectWays(served, { served: 12 })
  })
})

describe('a call goes the cold way, and its guard runs once', () => {
  const MOMENTS: Readonly<Record<string, (served: ServedHome & { readonly script: string }) => unknown>> = {
    'where the resident was killed': (served) => process.kill(servedBy(served), 'SIGKILL'),
    'where it is stopped': (served) => process.kill(servedBy(served), 'SIGSTOP'),
    'where it fell over': (served) => process.kill(servedBy(served), 'SIGSEGV'),
    'where it was killed, and its parent never asks about its end': async (served) => {
      process.kill(servedBy(served), 'SIGKILL')
      await until('it is gone', () => findServing(served.place) === null)
      const { home, place } = served
      const words = ['-c', '"$@" & exec sleep 60', 'sh', process.execPath, program, 'resident', 'serve']
      spawn('sh', words, { cwd: '/', env: { PATH: process.env.PATH, HOME: home }, stdio: 'ignore' })
      await until('another serves', () => findServing(place) !== null)
      process.kill(servedBy(served), 'SIGKILL')
      await until('it has ended', () => findServing(place) === null)
    },
    'where its number is another process’s now': ({ place }) => writeFileSync(place.engine, `${process.pid} 1\n`),
    'where the file that names it is empty': ({ place }) => writeFileSync(place.engine, ''),
    'where that file is not text': ({ place }) => writeFileSync(place.engine, Buffer.from([0, 255, 10, 0])),
    'where that file is a folder': ({ place }) => {
      rmSync(place.engine)
      mkdirSync(place.engine)
    },
    'where the bell is gone': ({ place }) => rmSync(place.bell),
    'where the bell is a file': ({ place }) => {
      rmSync(place.bell)
      writeFileSync(place.bell, '')
    },
    'where nobody hears the bell': ({ place }) => {
      rmSync(place.bell)
      execFileSync('mkfifo', [place.bell])
    },
    'where there is no slot': ({ place }) => rmSync(place.slots, { recursive: true }),
    'where every slot is claimed': ({ place }) => {
      for (const name of readdirSync(place.slots)) writeFileSync(join(place.slots, name, 'claim'), `${process.pid}\n`)
    },
    'where every slot has a payload already': ({ place }) => {
      for (const name of readdirSync(place.slots)) writeFileSync(join(place.slots, name, 'stdin'), 'old')
    },
    'where wires are files': ({ place }) => {
      for (const name of readdirSync(place.slots)) {
        rmSync(join(place.slots, name, 'wire'))
        writeFileSync(join(place.slots, name, 'wire'), '')
      }
    },
    'where every call was withdrawn already': ({ place }) => {
      for (const name of readdirSync(place.slots)) writeFileSync(join(place.slots, name, 'fate'), 'withdrawn\n')
    },
    'where slots are links to elsewhere': ({ place, world }) => {
      renameSync(place.slots, join(world.root, 'elsewhere'))
      symlinkSync('/nowhere', place.slots)
    },
    'where its folder is a link to one that it does not know': async ({ place, world }) => {
      mkdirSync(join(world.root, 'elsewhere/slots'), { recursive: true })
      renameSync(place.folder, join(world.root, 'moved'))
      symlinkSync(join(world.root, 'elsewhere'), place.folder)
    },
    'where its program was replaced': ({ script }) => {
      renameSync(script, `${script}.old`)
      copyFileSync(`${script}.old`, script)
    },
    'where the folder is gone': ({ place }) => rmSync(place.folder, { recursive: true }),
    'where settings of the user switch it off': ({ home }) =>
      writeFileSync(
        join(home, '.claude/settings.json'),
        JSON.stringify({ hookline: { resident: false }, hooks: { PreToolUse: [commands(COUNTING)] } }),
      ),
  }
  it.each(Object.entries(MOMENTS))('%s', async (_, spoil) => {
    const served = await makeServedHome({ PreToolUse: [commands(COUNTING)] }, { patience: 'usual', isCopied: true })
    const pid = servedBy(served)
    await spoil({ ...served, script: findCopy(served.world) })
    expectRefusedOnce(served)
    try {
      process.kill(pid, 'SIGCONT') // what it sees when it wakes was withdrawn
      process.kill(pid, 'SIGTERM')
    } catch {
      // it was killed
    }
    await until('it has ended', () => hasEnded(pid))
    expect(runs(served)).toBe(1)
  })

  const listCallers = ({ home }: ServedHome): Readonly<Record<string, Parameters<typeof call>[2]>> => ({
    'whose caller has another mask': { through: ['sh', '-c', 'umask 077; exec "$@"', 'sh'] },
    'whose caller has another limit': { through: ['sh', '-c', 'ulimit -n 99; exec "$@"', 'sh'] },
    'whose caller is nice': { through: ['nice', '-n', '5'] },
    'whose caller may not gain privileges': { through: ['setpriv', '--no-new-privs'] },
    'whose caller may do less': { through: ['setpriv', '--bounding-set=-sys_time'] },
    'whose caller is in another group': { through: ['setpriv', '--groups=12345'] },
    'whose caller may run on one processor': { through: ['taskset', '1'] },
    'whose caller has another folder for what is temporary': { env: { TMPDIR: home } },
    'whose caller has another language': { env: { LC_ALL: 'tr_TR.UTF-8' } },
    'whose caller comes home by a link': { env: { HOME: join(home, '../link') } },
    'whose caller has another home for settings': { env: { CLAUDE_CONFIG_DIR: join(home, '.claude') } },
    'whose caller trusts by a variable': { env: { HOOKLINE_TRUST: 'all' } },
    'whose caller has options for Node': { env: { NODE_OPTIONS: '--no-warnings' } },
    'whose caller has a preloaded library': { env: { LD_BIND_NOW: '1' } },
    'whose caller has another time zone': { env: { TZ: 'Asia/Tokyo' } },
    'whose caller has a variable with an odd name': { env: { 'BASH_FUNC_f%%': '() { :; }' } },
    'whose caller has a variable that is not UTF-8': {
      through: ['sh', '-c', 'ODD=$(printf "\\377"); export ODD; exec "$@"', 'sh'],
    },
    'whose caller has a variable of the launcher': { env: { hookline_slot: 'x' } },
    'that has flags which it does not know': {
      args: ['bridge', 'run', 'codex', 'PreToolUse', '--limit', '20'],
    },
  })
  it('whose caller is not as the resident is', async () => {
    const served = await makeServedHome({ PreToolUse: [commands(COUNTING)] })
    const callers = Object.entries(listCallers(served))
    symlinkSync(served.home, join(served.home, '../link'))
    for (const [name, options] of callers) {
      const before = runs(served)
      expect(call(served, bashEvent('ls'), options).stdout, name).toContain('"deny"')
      expect(runs(served), name).toBe(before + 1)
    }
    await expectWays(served, { declined: callers.length })
  })

  it('where a variable says so, and starts none', async () => {
    const served = await makeHome({ PreToolUse: [commands(COUNTING)] })
    expectRefusedOnce(served, { env: { HOOKLINE_RESIDENT: 'off' } })
    expect(existsSync(served.place.folder)).toBe(false)
  })

  it('where the home cannot be written', async () => {
    const served = await makeHome({ PreToolUse: [commands('cat >/dev/null; echo no >&2; exit 2')] })
    const folder = join(served.home, '.hookline')
    writeFileSync(join(folder, 'resident'), 'not a folder')
    expect(call(served, bashEvent('ls')).stdout).toContain('"deny"')
  })
})

describe('a disk that takes nothing', () => {
  /** Calls where the resident waits on a small disk that starts no program, and is full then, and then read-only, as the home is; with no /proc at last. */
  const CALLS = `
place=$HOME/.hookline/resident
mkdir -m 700 "$place" && mount -t tmpfs -o size=400k,mode=700,noexec none "$place" || exit 9
ask() { printf '%s' "$EVENT" | "$0" bridge run codex PreToolUse; }
ask
for look in $(seq 300); do if [ -e "$place/engine" ]; then break; fi; sleep 0.1; done
ask
for look in $(seq 300); do if grep -q '"served":1' "$place/figures.json"; then break; fi; sleep 0.1; done
cp "$place/figures.json" "$HOME/figures.json"
cat /dev/zero >"$place/filler" 2>/dev/null
ask; ask; ask
rm "$place/filler"; ask
mount --bind "$place" "$place" && mount -o remount,ro,bind "$place" || exit 9
ask; ask
read -r pid rest <"$place/engine" && kill -9 "$pid"
ask
"$NODE" "$PROGRAM" doctor >&2
mount -t tmpfs none /proc
ask
mount --bind "$HOME" "$HOME" && mount -o remount,ro,bind "$HOME"
ask
`
  const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0

  it.skipIf(!canMount)('lets every guard run once, by either way', async () => {
    const served = await makeHome({ PreToolUse: [commands(COUNTING)] })
    const line = ['unshare', '--mount', 'sh', '-c', CALLS, served.launcher]
    const env = { EVENT: bashEvent('ls'), NODE: process.execPath, PROGRAM: program }
    const { stdout, stderr } = call(served, '', { line, env })
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('cannot be written to (EROFS): every event starts Node')
    const answers = stdout.trim().split('\n')
    expect(answers.filter((answer) => !answer.includes('"deny"'))).toEqual([])
    expect([answers.length, runs(served)]).toEqual([11, 10]) // a home that is read-only takes no count either
    expect(readFileSync(join(served.home, 'figures.json'), 'utf8')).toContain('"served":1')
  })
})

describe('a call that was taken', () => {
  /** Hook that says that it runs, and goes on when it is let. */
  const HELD = 'cat >/dev/null; echo run >> "$HOME/runs"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done'

  it('is refused, and made no second time, where the resident dies before it answers', async () => {
    const served = await makeServedHome({ PreToolUse: [commands(HELD)] })
    const pid = servedBy(served)
    const answer = startCall(served, bashEvent('ls'))
    await until('the hook runs', () => runs(served) === 1)
    process.kill(pid, 'SIGKILL')
    const { code, stderr, stdout } = await answer
    writeFileSync(join(served.home, 'go'), '')
    expect([code, stdout]).toEqual([127, ''])
    expect(stderr).toContain('ended without an answer')
    expect(runs(served)).toBe(1)
  })

  it('is answered to the end where the resident is told to stop meanwhile', async () => {
    const served = await makeServedHome({ PreToolUse: [commands(`${HELD}; echo no >&2; exit 2`)] })
    const answer = startCall(served, bashEvent('ls'))
    await until('the hook runs', () => runs(served) === 1)
    process.kill(servedBy(served), 'SIGTERM')
    await until('nobody else is served', () => findServing(served.place) === null)
    writeFileSync(join(served.home, 'go'), '')
    expect((await answer).stdout).toContain('"deny"')
  })

  it('is not held up by others that take long', async () => {
    const quick = { matcher: 'Bash', hooks: commands('cat >/dev/null; echo quick >&2; exit 2').hooks }
    const slow = { matcher: 'Write', hooks: commands(HELD).hooks }
    const served = await makeServedHome({ PreToolUse: [quick, slow] })
    const patch = '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch'
    const held = startCall(served, bashEvent('', { tool_name: 'apply_patch', tool_input: { command: patch } }))
    await until('the slow hook runs', () => runs(served) === 1)
    const others = await Promise.all(Array.from({ length: 10 }, () => startCall(served, bashEvent('ls'))))
    expect(others.filter(({ stdout }) => stdout.includes('quick'))).toHaveLength(10)
    writeFileSync(join(served.home, 'go'), '')
    expect((await held).code).toBe(0)
    await expectWays(served, { served: 11 })
  })
})

describe('nobody else reaches the hooks through it', () => {
  const sandboxes: Readonly<Record<string, readonly string[]>> = {
    'a mount namespace': ['unshare', '--mount'],
    'a user namespace': ['unshare', '--user', '--map-root-user'],
    'a process namespace': ['unshare', '--pid', '--fork', '--mount-proc'],
    'a network namespace': ['unshare', '--net'],
    'another root folder': ['chroot', '/'],
    'bubblewrap, read-only': ['bwrap', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    'bubblewrap, with everything': ['bwrap', '--bind', '/', '/', '--dev-bind', '/dev', '/dev'],
  }
  const [possible, missing] = [true, false].map((can) =>
    Object.entries(sandboxes).filter(
      ([name, [file = '', ...words]]) =>
        name !== 'another root folder' && (spawnSync(file, [...words, 'true']).status === 0) === can,
    ),
  )
  it.skipIf(possible?.length === 0)(`from ${possible?.map(([name]) => name).join(', ')}`, async () => {
    const served = await makeServedHome({
      PreToolUse: [
        commands(
          'cat >/dev/null; readlink /proc/self/ns/mnt /proc/self/ns/user /proc/self/ns/net > "$HOME/where"; echo no >&2; exit 2',
        ),
      ],
    })
    for (const [name, through] of possible ?? []) {
      rmSync(join(served.home, 'where'), { force: true })
      call(served, bashEvent('ls'), { through })
      const where = existsSync(join(served.home, 'where')) ? readFileSync(join(served.home, 'where'), 'utf8') : ''
      const own = ['mnt', 'user', 'net'].map((one) => `${readlinkSync(`/proc/self/ns/${one}`)}\n`).join('')
      expect(where, name).not.toBe(own) // the hook ran inside, or could not
    }
    expect(readFigures(served)?.served ?? 0).toBe(0)
    expect(missing).toBeDefined()
  })

  it('by naming another process, a path or no slot at all', async () => {
    const served = await makeServedHome({ PreToolUse: [commands(COUNTING)] })
    const { place } = served
    const other = spawn('sleep', ['60'])
    try {
      const [first = '', second = ''] = readdirSync(place.slots)
      const claims: Readonly<Record<string, string>> = { [first]: `${other.pid}`, [second]: '1' }
      for (const [name, pid] of Object.entries(claims)) {
        writeFileSync(join(place.slots, name, 'stdin'), bashEvent('ls'))
        writeFileSync(join(place.slots, name, 'claim'), pid)
      }
      const lines = [
        first,
        first,
        second,
        second,
        '..',
        '../..',
        '/',
        '',
        'x'.repeat(10_000),
        `${first}/../${second}`,
        '\0\x1b[2J',
      ]
      writeFileSync(place.bell, lines.map((line) => `${line}\n`).join(''), { flag: 'r+' })
      await expectWays(served, { declined: 1 })
      expect(runs(served)).toBe(0)
      expectRefusedOnce(served)
      await expectWays(served, { declined: 1, served: 1 })
    } finally {
      other.kill()
    }
  })

  it('where others may write to its folder', async () => {
    const served = await makeHome({ PreToolUse: [commands(COUNTING)] })
    mkdirSync(served.place.folder)
    chmodSync(served.place.folder, 0o777)
    const env = { HOME: served.home }
    expect(await ended(process.execPath, [program, 'resident', 'serve'], { env })).toMatchObject({ code: 0 })
    expect(findServing(served.place)).toBeNull()
    expectRefusedOnce(served)
  })
})

describe('hookline resident', () => {
  it('says whether it runs and what it did, and ends it with all that it made', async () => {
    const served = await makeServedHome({ PreToolUse: [commands(COUNTING)] })
    const env = { HOME: served.home, HOOKLINE_RESIDENT: '' }
    const ask = (...words: string[]) => ended(process.execPath, [program, 'resident', ...words], { env })
    expectRefusedOnce(served)
    await expectWays(served, { served: 1 })
    expect((await ask('status')).stdout).toMatch(/^It runs as process \d+ since \S+ and has answered 1 calls?\.\n$/)
    expect(JSON.parse((await ask('status', '--json')).stdout)).toMatchObject({ serving: true, figures: { served: 1 } })
    expect(await ask('stop', '--yes')).toMatchObject({ code: 0, stdout: 'It has ended.\n' })
    expect(readdirSync(served.place.slots)).toEqual([])
    expect(existsSync(served.place.bell)).toBe(false)
    expect((await ask('status')).stdout).toMatch(
      /^It does not run: the next call of an agent starts it; the last one, process \d+, ended at \S+: it was stopped\.\n$/,
    )
    expect(await ask('stop', '--yes')).toMatchObject({ code: 0, stdout: 'It does not run.\n' })
    expect(await ask('starts')).toMatchObject({ code: 1, stderr: expect.stringContaining('Did you mean') })
  })

  it('says why calls took the cold way, and why every call does, as bridge status does', async () => {
    const served = await makeServedHome({ PreToolUse: [commands(COUNTING)] })
    const ask = async (more: NodeJS.ProcessEnv, ...words: string[]) => {
      const env = { HOME: served.home, HOOKLINE_RESIDENT: '', ...more }
      return (await ended(process.execPath, [program, ...words], { env })).stdout
    }
    const askAll = async (more: NodeJS.ProcessEnv = {}) => ({
      text: await ask(more, 'resident', 'status'),
      json: JSON.parse(await ask(more, 'resident', 'status', '--json')),
      bridge: JSON.parse(await ask(more, 'bridge', 'status', '--json', '--project', served.project)).resident,
    })
    expectRefusedOnce(served, { env: { TZ: 'Asia/Tokyo' } })
    expectRefusedOnce(served)
    await expectWays(served, { declined: 1, served: 1 })
    const why = '1 call took the cold way: it has another TZ'
    const serving = { state: 'serving', text: expect.stringMatching(`^process .* answered 1 of the calls; ${why}$`) }
    expect(await askAll()).toEqual({
      text: expect.stringMatching(`^It runs as process .* answered 1 call\\.\n${why}\\.\n$`),
      json: { ...serving, serving: true, pid: servedBy(served), figures: expect.objectContaining({ served: 1 }) },
      bridge: serving,
    })
    const off = { state: 'off', text: 'HOOKLINE_RESIDENT says so: every event starts Node' }
    expect(await askAll({ HOOKLINE_RESIDENT: 'off' })).toMatchObject({
      text: expect.stringContaining(`It answers nobody: ${off.text}.\n`),
      json: { ...off, serving: true },
      bridge: off,
    })
    const pid = servedBy(served)
    process.kill(pid, 'SIGSTOP')
    const stopped = {
      state: 'stopped',
      text: expect.stringContaining(`a signal holds process ${pid}: every event starts`),
    }
    expect(await askAll()).toMatchObject({
      text: expect.stringContaining('A signal holds it: every event starts Node until another lets it go on.\n'),
      json: stopped,
      bridge: stopped,
    })
    process.kill(pid, 'SIGKILL')
    await until('it is gone', () => findServing(served.place) === null)
    const killed = {
      state: 'not running',
      text: expect.stringContaining(`the last one, process ${pid}, was killed; ${why}`),
    }
    expect(await askAll()).toMatchObject({ json: { ...killed, serving: false, figures: null }, bridge: killed })
  })

  it('leaves the bell of another that took over while it ended', async () => {
    const held = 'cat >/dev/null; echo run >> "$HOME/runs"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done'
    const served = await makeServedHome({ PreToolUse: [commands(held)] })
    const first = servedBy(served)
    const answer = startCall(served, bashEvent('ls'))
    await until('the hook runs', () => runs(served) === 1)
    process.kill(first, 'SIGTERM')
    await until('nobody else is served', () => findServing(served.place) === null)
    call(served, '{"hookline_probe":"next"}')
    await until('another serves', () => findServing(served.place) !== null)
    writeFileSync(join(served.home, 'go'), '')
    expect((await answer).code).toBe(0)
    await until('the first has ended', () => hasEnded(first))
    expect(existsSync(served.place.bell)).toBe(true)
    call(served, bashEvent('ls'))
    await expectWays(served, { served: 1 })
  })

  it('serves once a home, however many are started', async () => {
    const served = await makeHome({ PreToolUse: [commands(COUNTING)] })
    await Promise.all(Array.from({ length: 6 }, () => startCall(served, bashEvent('ls'))))
    await until('one serves', () => findServing(served.place) !== null)
    expect(runs(served)).toBe(6)
    const before = servedBy(served)
    expect(await ended(process.execPath, [program, 'resident', 'serve'], { env: { HOME: served.home } })).toMatchObject(
      { code: 0 },
    )
    expect(servedBy(served)).toBe(before)
  })
})
