import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findLauncherPath, writeLauncher } from '../../src/bridges/install/launcher.ts'
import { type WrapperWay, wrapCommand } from '../../src/protocol/wrapped-command.ts'
import { chooseWayOfShell } from '../support/both-ways.ts'
import { ended, hookline, program } from '../support/command.ts'
import { commands, makeWorld, put, type World } from '../support/project.ts'
import { REVEALING_COMMANDS } from '../support/revealing-commands.ts'

interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

interface Call {
  readonly input?: Buffer | string
  readonly env?: NodeJS.ProcessEnv
  readonly path?: string
}

/** Runs shell text as Claude Code does; `hookline` is on its PATH, unless said otherwise. */
async function inShell(world: World, text: string, { input = payload(), env = {}, path }: Call = {}): Promise<Ended> {
  if (path !== undefined) rmSync(findLauncherPath(world.home), { force: true })
  else if (!existsSync(findLauncherPath(world.home))) await writeLauncher(world.home, INSTALLATION).catch(() => {}) // not in every home
  const way = await chooseWayOfShell(world, text)
  const child = spawn('/bin/sh', ['-c', text], {
    cwd: world.project,
    env: { PATH: path ?? pathOf(world), HOME: world.home, ...way, ...env },
  })
  child.stdin.on('error', () => {}) // a command may end without reading
  child.stdin.end(input)
  const out = { stdout: '', stderr: '' }
  child.stdout.setEncoding('latin1').on('data', (chunk) => (out.stdout += chunk))
  child.stderr.setEncoding('latin1').on('data', (chunk) => (out.stderr += chunk))
  const [code, signal] = await once(child, 'close')
  return { code, signal, ...out }
}

/** A PATH with `hookline` on it. */
function pathOf(world: World): string {
  const bin = join(world.root, 'bin')
  if (!existsSync(bin)) {
    mkdirSync(bin)
    symlinkSync(program, join(bin, 'hookline'))
    symlinkSync(process.execPath, join(bin, 'node'))
  }
  return `${bin}:/usr/bin:/bin`
}

function payload(more: object = {}): string {
  const usual = { session_id: 's', transcript_path: '/t.jsonl', cwd: '/p', permission_mode: 'default' }
  const call = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't1' }
  return `${JSON.stringify({ ...usual, ...call, ...more })}\n`
}

const prompted = (prompt: string): string =>
  payload({ hook_event_name: 'UserPromptSubmit', prompt, tool_name: undefined, tool_input: undefined })

/** The ways in which entries come to us. */
const WAYS = ['launcher', 'path'] as const
const INSTALLATION = { node: process.execPath, script: program }

const tapped = (
  command: string,
  flags: readonly string[] = ['--as', 'user:PreToolUse:0:0'],
  way: WrapperWay = 'launcher',
): string => wrapCommand({ command, flags }, 'tap', way)

const RECORDER = '~/.hookline/bin/hookline tap record >/dev/null 2>&1 || true'
const RECORDER_OF_PATH = 'hookline tap record >/dev/null 2>&1 || true'

const logOf = (world: World): string => join(world.home, '.hookline/tap/hooks.jsonl')
// biome-ignore lint/suspicious/noExplicitAny: lines of JSON, of which tests look at parts
const linesOf = (world: World): any[] =>
  existsSync(logOf(world))
    ? readFileSync(logOf(world), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []

/** Whether a disk can be made here that is full. */
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

const UNDER_CLAUDE = { CLAUDECODE: '1', CLAUDE_PROJECT_DIR: '/p' }

/** What runs with a variable in its environment. */
function processesWith(variable: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(variable)
    } catch {
      return false // it has ended, or is not ours
    }
  })
}

describe('a tapped hook', () => {
  it.each(REVEALING_COMMANDS)('is the command itself, by either way: %j', async (command) => {
    const world = await makeWorld()
    const [plain, ...recorded] = await Promise.all(
      [command, ...WAYS.map((way) => tapped(command, undefined, way))].map((text) => inShell(world, text)),
    )
    expect(recorded).toEqual([plain, plain])
    const line = { hook: { id: 'user:PreToolUse:0:0', command, exitCode: plain?.code } }
    expect(linesOf(world)).toMatchObject([line, line])
  })

  it('passes on any bytes and any exit code, also of an input that is not an event', async () => {
    const world = await makeWorld()
    const passes = async (bytes: Uint8Array, code: number): Promise<void> => {
      for (const input of [Buffer.from(bytes), Buffer.concat([Buffer.from(payload()), bytes])]) {
        const ended = await inShell(world, tapped(`cat; exit ${code}`), { input })
        expect(ended.code).toBe(code)
        expect(Buffer.from(ended.stdout, 'latin1').equals(input)).toBe(true)
      }
    }
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.nat(255), passes), { numRuns: 3 })
    await passes(Buffer.alloc(3_000_000, 'x'), 2)
  })

  it('gives signals to the command, ends as that ends, and records that it was stopped', async () => {
    const world = await makeWorld()
    const ends = async (command: string, signal: NodeJS.Signals): Promise<unknown[]> => {
      const env = { PATH: pathOf(world), HOME: world.home }
      const child = spawn(process.execPath, [program, 'tap', '--', command], { env })
      child.stdin.end(payload())
      await once(child.stdout, 'data')
      child.kill(signal)
      return once(child, 'close')
    }
    expect(await ends("trap 'exit 9' TERM; echo ready; while :; do sleep 0.05; done", 'SIGTERM')).toEqual([9, null])
    expect(await ends('echo ready; exec sleep 60', 'SIGTERM')).toEqual([null, 'SIGTERM'])
    expect(linesOf(world).map(({ hook }) => [hook.stopped, hook.exitCode, hook.signal])).toEqual([
      [true, 9, null],
      [true, null, 'SIGTERM'],
    ])
  })

  it('ends with its command, and what a process in the background writes still arrives', async () => {
    const world = await makeWorld()
    const env = { PATH: pathOf(world), HOME: world.home }
    const go = join(world.root, 'go')
    const command = `(while [ ! -e '${go}' ]; do sleep 0.05; done; echo late; echo later >&2) & echo now; exit 5`
    const child = spawn(process.execPath, [program, 'tap', '--', command], { env })
    let said = ''
    child.stdout.on('data', (chunk) => (said += chunk))
    child.stderr.on('data', (chunk) => (said += chunk))
    const closed = once(child, 'close')
    child.stdin.end(payload())
    expect(await once(child, 'exit')).toEqual([5, null])
    writeFileSync(go, '')
    await closed
    expect(said.split('\n').sort()).toEqual(['', 'late', 'later', 'now'])
  })

  it('tells the command when the client reads no more', async () => {
    const world = await makeWorld()
    const env = { PATH: pathOf(world), HOME: world.home }
    const child = spawn(process.execPath, [program, 'tap', '--', 'yes; echo "$?" >&2'], { env })
    child.stdin.end(payload())
    await once(child.stdout, 'data')
    child.stdout.destroy()
    const [said] = await once(child.stderr, 'data')
    expect(String(said)).toMatch(/^(?:141|1)\n$|Broken pipe|Connection reset/)
    await once(child, 'close')
  })

  it('waits for a client that reads slowly without using the processor', async () => {
    const world = await makeWorld()
    const env = { PATH: pathOf(world), HOME: world.home }
    const child = spawn(process.execPath, [program, 'tap', '--', 'head -c 300000 /dev/zero; echo done >&2'], { env })
    child.stdin.end(payload())
    await once(child.stderr, 'data')
    const used = (): number =>
      readFileSync(`/proc/${child.pid}/stat`, 'utf8')
        .split(' ')
        .slice(13, 15)
        .map(Number)
        .reduce((a, b) => a + b)
    const before = used()
    for (let other = 0; other < 4; other++) await inShell(world, tapped('exit 0')) // meanwhile one that spins would use much more
    expect(used() - before).toBeLessThan(10)
    let bytes = 0
    child.stdout.on('data', (chunk) => (bytes += chunk.length))
    await once(child, 'close')
    expect(bytes).toBe(300_000)
  })

  it('passes on what is longer than a pipe holds, both ways and at once, also where the command does not read it', async () => {
    const world = await makeWorld()
    const input = payload({ tool_input: { command: 'x'.repeat(300_000) } })
    const long = 'head -c 300000 /dev/zero & head -c 300000 /dev/zero >&2; wait'
    for (const command of [long, 'cat >&2', 'exec <&-; echo closed; exit 2', 'head -c 5; exit 3']) {
      const [plain, ...others] = [command, tapped(command), wrapCommand({ command, flags: [] })]
      const ended = await Promise.all(
        [plain, ...others].map((text) => inShell(world, text, { input, env: UNDER_CLAUDE })),
      )
      for (const one of ended) expect(one).toEqual(ended[0])
    }
  })

  it('starts once the payload is there, where the client leaves open a stdin that does not wait', async () => {
    const world = await makeWorld()
    const env = { PATH: pathOf(world), HOME: world.home }
    const unwaiting = `node -e 'process.stdin.resume(); process.kill(process.pid, "SIGKILL")'; echo ready`
    const text = `${unwaiting}; exec hookline tap -- 'read -r first; echo "$\{#first}"'`
    const child = spawn('/bin/sh', ['-c', text], { env })
    await once(child.stdout, 'data')
    const whole = payload({ tool_input: { command: 'x'.repeat(1_000_000) } })
    child.stdin.write(whole.slice(0, -1000), () => child.stdin.write(whole.slice(-1000)))
    const [said] = await once(child.stdout, 'data')
    expect(String(said)).toBe(`${whole.length - 1}\n`)
    await once(child, 'exit')
    child.stdin.destroy()
  })

  it('leaves nothing behind when its client is killed', async () => {
    const world = await makeWorld()
    const endless = ['echo ready; cat', 'echo ready; yes', 'yes & echo ready; exit 0']
    const sign = `HOOKLINE_TEST_SIGN=${world.root}`
    const killed = async (text: string): Promise<void> => {
      const client = `const { spawn } = require('node:child_process')
        const hook = spawn('/bin/sh', ['-c', process.argv[1]])
        hook.stdin.write(process.argv[2])
        hook.stdout.once('data', () => process.stdout.write('ready'))
        hook.stdout.on('data', () => {})`
      const env = { PATH: pathOf(world), HOME: world.home, HOOKLINE_RESIDENT: 'off', HOOKLINE_TEST_SIGN: world.root }
      const child = spawn(process.execPath, ['-e', client, text, payload()], { env })
      await once(child.stdout, 'data')
      child.kill('SIGKILL')
      await once(child, 'close')
    }
    await writeLauncher(world.home, INSTALLATION)
    const waiting = `echo ready; ${RECORDER_OF_PATH.replace('hookline', 'sed s/^/not-json/ | hookline')}`
    await Promise.all([waiting, ...endless.map((command) => tapped(command))].map(killed))
    await expect.poll(() => processesWith(sign), { timeout: 20_000 }).toEqual([])
    expect(
      linesOf(world)
        .map(({ hook }) => hook.command)
        .sort(),
    ).toEqual([...endless].sort())
  })

  it('runs where there is no hookline, no home to write to, and no room on the disk', async () => {
    const world = await makeWorld()
    const command = 'cat; echo no >&2; exit 2'
    const plain = await inShell(world, command)
    expect(await inShell(world, tapped(command), { path: '/usr/bin:/bin' })).toEqual(plain)
    for (const home of ['/dev/null', '/dev/full'])
      expect(await inShell(world, tapped(command), { env: { HOME: home } })).toEqual(plain)
    mkdirSync(join(world.home, '.hookline/tap/hooks.jsonl'), { recursive: true })
    expect(await inShell(world, tapped(command))).toEqual(plain)
    if (!canMount) return
    const SETUP = `mount -t tmpfs -o size=16k none '${world.home}'; head -c 99999 /dev/zero >'${world.home}/x' 2>/dev/null; cd '${world.project}'; exec sh -c "$TEXT"`
    const onFullDisk = (TEXT: string) => inShell(world, 'exec unshare -rm sh -c "$SETUP"', { env: { SETUP, TEXT } })
    expect(await onFullDisk(tapped(command))).toEqual(plain)
    expect(await onFullDisk(RECORDER)).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
    expect((await onFullDisk('echo x >~/y')).code).not.toBe(0)
  })

  it('runs its command while the package is being replaced', async () => {
    const world = await makeWorld()
    const copy = join(world.root, 'half/bin')
    mkdirSync(copy, { recursive: true })
    for (const name of ['hookline.js', 'package.json'])
      writeFileSync(join(copy, name), readFileSync(join(program, '..', name)), { mode: 0o755 })
    symlinkSync(join(copy, 'hookline.js'), join(copy, 'hookline'))
    symlinkSync(process.execPath, join(copy, 'node'))
    const ended = await inShell(world, tapped('cat >/dev/null; echo no >&2; exit 2'), { path: `${copy}:/usr/bin:/bin` })
    expect([ended.code, ended.stderr]).toEqual([2, 'no\n'])
  })
})

describe('the recorder', () => {
  it('says nothing and succeeds, whatever it is given, with hookline or without', async () => {
    const world = await makeWorld()
    const silent = { code: 0, signal: null, stdout: '', stderr: '' }
    for (const input of [payload(), '', 'no json', '[]', '{"hook_event_name": 5}', Buffer.from([255, 0, 1])])
      expect(await inShell(world, RECORDER, { input })).toEqual(silent)
    expect(await inShell(world, RECORDER, { path: '/usr/bin:/bin' })).toEqual(silent)
    expect(await inShell(world, RECORDER, { env: { HOME: '/dev/null' } })).toEqual(silent)
    expect(linesOf(world)).toMatchObject([{ tap: 1, hook: null, input: { hook_event_name: 'PreToolUse' } }])
  })

  it('writes for its owner alone, and moves a full log aside', async () => {
    const world = await makeWorld()
    await inShell(world, RECORDER)
    expect(statSync(logOf(world)).mode & 0o777).toBe(0o600)
    expect(statSync(join(logOf(world), '..')).mode & 0o777).toBe(0o700)
    writeFileSync(logOf(world), `${'x'.repeat(10 * 1024 * 1024)}\n`)
    chmodSync(logOf(world), 0o644)
    await inShell(world, RECORDER)
    expect(linesOf(world)).toHaveLength(1)
    expect(readdirSync(join(logOf(world), '..')).sort()).toEqual(['hooks.jsonl', 'hooks.jsonl.1'])
  })

  it('keeps secrets out, and of a prompt no more than length and digest', async () => {
    const world = await makeWorld()
    const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
    await inShell(world, RECORDER, { input: payload({ tool_input: { command: `curl -u me:hunter22 x; ${secret}` } }) })
    await inShell(world, RECORDER, {
      input: payload({ tool_input: { command: 'echo pass-from-env' } }),
      env: { DB_PASSWORD: 'pass-from-env' },
    })
    await inShell(world, RECORDER, { input: prompted('please paint the shed green') })
    await inShell(world, tapped('cat >/dev/null; echo "no: $SAID" >&2; exit 2'), {
      input: prompted('please paint the shed green'),
      env: { SAID: 'please paint the shed green' },
    })
    const text = readFileSync(logOf(world), 'utf8')
    for (const gone of [secret, 'hunter22', 'pass-from-env', 'shed green']) expect(text).not.toContain(gone)
    expect(linesOf(world)[2].input.prompt).toMatch(/^\[not kept: 27 characters, digest [0-9a-f]{24}\]$/)
    await inShell(world, RECORDER.replace('record', 'record --prompts'), { input: prompted('please paint the shed') })
    expect(linesOf(world).at(-1).input.prompt).toBe('please paint the shed')
  })

  it('cuts long texts, and no secret in two', async () => {
    const world = await makeWorld()
    const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
    const content = `${'a '.repeat(4060)}${secret} ${'b '.repeat(5000)}`
    await inShell(world, RECORDER, { input: payload({ tool_input: { content }, tool_use_id: 'after' }) })
    const [line] = linesOf(world)
    expect(line.cut).toBe(true)
    expect(JSON.stringify(line).length).toBeLessThan(10_000)
    expect(JSON.stringify(line)).not.toContain('ghp_')
    expect(line.input.hook_event_name).toBe('PreToolUse')
  })

  it('leaves events alone that Hookline itself fires', async () => {
    const world = await makeWorld()
    await inShell(world, RECORDER, { env: { HOOKLINE_DEPTH: '1' } })
    expect(linesOf(world)).toEqual([])
  })
})

describe('hookline tap install', () => {
  const settings = {
    model: 'x',
    hooks: {
      PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './guard.sh "$HOME"', timeout: 7 }] }],
      WorktreeCreate: [commands('./make-worktree.sh')],
      Stop: [{ hooks: [{ type: 'prompt', prompt: 'done?' }] }],
    },
  }
  const fileOf = (world: World): string => join(world.home, '.claude/settings.json')
  const hooksIn = (world: World): Record<string, { hooks: { command: string }[] }[]> =>
    JSON.parse(readFileSync(fileOf(world), 'utf8')).hooks

  it('adds a silent hook to every event where that changes nothing, and goes without a trace', async () => {
    const world = await makeWorld({ 'home/.claude/settings.json': settings })
    const before = readFileSync(fileOf(world), 'utf8')
    expect((await hookline(world, ['tap', 'install', '--yes'])).code).toBe(0)
    const { WorktreeCreate, PreToolUse, ...others } = hooksIn(world)
    expect(Object.keys(others)).toHaveLength(31 - 1)
    expect(Object.keys(others)).not.toContain('WorktreeRemove')
    expect(WorktreeCreate).toEqual(settings.hooks.WorktreeCreate)
    expect(PreToolUse).toEqual([...settings.hooks.PreToolUse, { hooks: [{ type: 'command', command: RECORDER }] }])
    expect(others.FileChanged).toEqual([{ hooks: [{ type: 'command', command: RECORDER }] }])
    expect((await hookline(world, ['tap', 'install', '--yes'])).stdout).toContain('nothing was written')
    expect((await hookline(world, ['tap', 'uninstall', '--yes'])).code).toBe(0)
    expect(readFileSync(fileOf(world), 'utf8')).toBe(before)
    expect((await hookline(world, ['tap', 'uninstall', '--yes'])).stdout).toContain('nothing was written')
  })

  it('wraps all hooks of the file, or those that are named, and takes the wrappers out again', async () => {
    const world = await makeWorld({ 'home/.claude/settings.json': settings })
    const before = readFileSync(fileOf(world), 'utf8')
    const { stdout } = await hookline(world, ['tap', 'install', '--wrap', 'all', '--json'])
    expect(JSON.parse(stdout).asides).toEqual([expect.stringContaining('Stop:0:0: a hook of type prompt')])
    const { PreToolUse = [], WorktreeCreate = [] } = hooksIn(world)
    const command = './guard.sh "$HOME"'
    const flags = ['--as', 'user:PreToolUse:0:0', '--matcher', 'Bash']
    expect(PreToolUse[0]?.hooks[0]?.command).toBe(tapped(command, flags))
    expect(WorktreeCreate[0]?.hooks[0]?.command).toBe(tapped('./make-worktree.sh', ['--as', 'user:WorktreeCreate:0:0']))
    await hookline(world, ['tap', 'uninstall', '--yes'])
    expect(readFileSync(fileOf(world), 'utf8')).toBe(before)
    const listed = JSON.parse((await hookline(world, ['list', '--json', '--profile', 'current'])).stdout).hooks
    await hookline(world, ['tap', 'install', '--event', 'Stop', '--wrap', listed[0].key, '--yes'])
    expect(hooksIn(world).WorktreeCreate).toEqual(settings.hooks.WorktreeCreate)
    expect(hooksIn(world).PreToolUse?.[0]?.hooks[0]?.command).toBe(tapped(command, flags))
  })

  it('takes out what it added whatever was edited since', async () => {
    const world = await makeWorld({ 'home/.claude/settings.json': settings })
    await hookline(world, ['tap', 'install', '--wrap', 'all', '--event', 'Stop', '--event', 'PreToolUse', '--yes'])
    await hookline(world, ['tap', 'install', '--wrap', 'all', '--yes'])
    const own = { type: 'command', command: 'echo mine' }
    const edited = JSON.parse(readFileSync(fileOf(world), 'utf8'))
    edited.hooks.PreToolUse[0].hooks[0].command += ' --strict'
    edited.hooks.PreToolUse.reverse()
    edited.hooks.SessionEnd[0].hooks.unshift(own)
    edited.hooks.Notification[0].matcher = 'idle_prompt'
    edited.hooks.Notification[0].hooks[0].timeout = 3
    await put(world, 'home/.claude/settings.json', edited)
    const { stdout } = await hookline(world, ['tap', 'uninstall', '--json'])
    expect(JSON.parse(stdout).asides).toEqual([expect.stringContaining('edited after it was wrapped')])
    const [[, , stop], { PreToolUse, ...hooks }] = [Object.values(settings.hooks), hooksIn(world)]
    expect(PreToolUse).toMatchObject([{ hooks: [{ command: './guard.sh "$HOME" --strict' }] }])
    expect(hooks).toEqual({
      ...{ WorktreeCreate: settings.hooks.WorktreeCreate, Stop: stop },
      ...{ SessionEnd: [{ hooks: [own] }] },
    })
  })

  it('warns in a project, where others get it too, and refuses what it cannot do', async () => {
    const world = await makeWorld({ 'home/.claude/settings.json': settings })
    expect((await hookline(world, ['tap', 'install', '--scope', 'project', '--yes'])).stdout).toContain(
      'Others who use this project get these entries too.',
    )
    expect((await hookline(world, ['tap', 'uninstall', '--scope', 'project', '--yes'])).stdout).toContain(
      'Removed .claude/settings.json.',
    )
    expect(readdirSync(world.project)).toEqual([])
    expect(readdirSync(join(world.home, '.hookline/tap'))).toEqual([])
    for (const words of [
      ['tap', 'uninstall'],
      ['wrap', 'install'],
      ['wrap', 'uninstall'],
    ])
      expect((await hookline(world, [...words, '--scope', 'local', '--yes'])).stdout).toContain('nothing was written')
    expect(readdirSync(world.project)).toEqual([])
    const refused = async (...words: string[]) => (await hookline(world, ['tap', 'install', '--yes', ...words])).stderr
    expect(await refused('--event', 'WorktreeCreate')).toContain('replaces what Claude Code does itself')
    expect(await refused('--event', 'Nothing')).toContain('"Nothing" is not an event')
    expect(await refused('--wrap', 'project:Stop:0:0')).toContain('add --scope project')
    expect(await refused('--wrap', 'user:Stop:5:0')).toContain(
      'is not the key or the id of a hook in the user settings',
    )
    expect((await hookline(world, ['tap', 'instal'])).stderr).toContain('hookline tap -- COMMAND')
  })

  it('is seen through by all that reads hooks, also around a hook that is wrapped for other agents', async () => {
    const inner = wrapCommand({ command: 'echo guarded', flags: ['--event', 'Stop'] })
    const world = await makeWorld({ 'home/.claude/settings.json': { hooks: { Stop: [commands(inner)] } } })
    const before = readFileSync(fileOf(world), 'utf8')
    await hookline(world, ['tap', 'install', '--wrap', 'all', '--event', 'Stop', '--yes'])
    expect((await hookline(world, ['list'])).stdout).toContain('(wrapped) echo guarded')
    expect((await hookline(world, ['fire', 'Stop', '--json'])).stdout).toContain('"stdoutBytes":8')
    expect(linesOf(world)).toEqual([])
    await hookline(world, ['tap', 'uninstall', '--yes'])
    expect(readFileSync(fileOf(world), 'utf8')).toBe(before)
  })
})

describe('what was tapped', () => {
  const deny = {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'not here',
    },
  }

  async function session(): Promise<World> {
    const world = await makeWorld({ 'home/.claude/settings.json': {} })
    const guard = tapped(`cat >/dev/null; echo '${JSON.stringify(deny)}'`)
    const quiet = tapped('cat >/dev/null', ['--as', 'user:PreToolUse:1:0'])
    await Promise.all([RECORDER, guard, quiet].map((text) => inShell(world, text)))
    await inShell(world, RECORDER, { input: payload({ hook_event_name: 'Stop', tool_name: undefined }) })
    await inShell(world, RECORDER, { input: prompted('what is this') })
    return world
  }

  it('is one line an event in log, with the answers read as the client reads them', async () => {
    const world = await session()
    const { stdout } = await hookline(world, ['log'])
    expect(stdout).toMatch(/denied +Bash +ls +cat .*\d+ [m…].*\n +not here/)
    expect(stdout).toMatch(/- +Stop +seen by hookline tap/)
    expect(stdout.trim().split('\n')).toHaveLength(5)
    const lines = (await hookline(world, ['log', '--json'])).stdout.trim().split('\n')
    expect(JSON.parse(lines[0] ?? '').record).toMatchObject({ host: { client: 'claude-code' }, profile: 'current' })
    expect((await hookline(world, ['log', '--blocked'])).stdout.trim().split('\n')).toHaveLength(2)
  })

  it('adds up in stats, becomes a case, and is replayed', async () => {
    const world = await session()
    const { hooks, events } = JSON.parse((await hookline(world, ['stats', '--json'])).stdout)
    expect(events).toBe(3)
    expect(hooks).toContainEqual(expect.objectContaining({ id: 'user:PreToolUse:0:0', ran: 1, blocked: 1 }))
    const cases = (await hookline(world, ['log', '--to-test'])).stdout
    expect(cases).toContain('permission: deny')
    expect(cases).not.toContain('UserPromptSubmit')
    const replayed = (await hookline(world, ['replay', logOf(world), '--json', '--trust', '--profile', 'current']))
      .stdout
    const found = replayed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(found.filter(({ event }) => event !== undefined)).toMatchObject([
      { event: 'PreToolUse', before: { was: 'refused', by: 'hook' } },
      { event: 'Stop', before: { was: 'unknown' } },
    ])
  })

  it('without its hooks says how they are recorded too, wherever they are looked for', async () => {
    const world = await makeWorld({ 'home/.claude/settings.json': {} })
    const installed = (await hookline(world, ['tap', 'install', '--event', 'PreToolUse', '--yes'])).stdout
    await inShell(world, RECORDER)
    const { stdout } = await hookline(world, ['stats'])
    const { code, stderr } = await hookline(world, ['log', '--to-test'])
    expect(code).toBe(1)
    for (const text of [installed, stdout, stderr])
      expect(text.replaceAll(/\s+/g, ' ')).toContain('hookline tap install --wrap all')
    const bare = await ended(process.execPath, [program], { env: { HOME: world.home } })
    expect(bare.stdout.replaceAll(/\s+/g, ' ')).toContain('makes one. hookline tap records all events.')
  })

  it('tells why whether a hook fired, and when last', async () => {
    const guard = { matcher: 'Bash', hooks: [{ type: 'command', command: 'cat >/dev/null' }] }
    const world = await makeWorld({ 'home/.claude/settings.json': { hooks: { PreToolUse: [guard] } } })
    await hookline(world, ['tap', 'install', '--wrap', 'all', '--event', 'PreToolUse', '--yes'])
    const [entry] = JSON.parse(readFileSync(join(world.home, '.claude/settings.json'), 'utf8')).hooks.PreToolUse
    await inShell(world, entry.hooks[0].command, { input: payload({ cwd: world.project }) })
    const { recorded } = JSON.parse((await hookline(world, ['why', 'PreToolUse', '--json'])).stdout)
    expect(recorded.event).toEqual(expect.any(String))
    expect(Object.values(recorded.hooks)).toEqual([recorded.event])
  })
})
