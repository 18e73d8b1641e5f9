import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findLauncherPath, writeLauncher } from '../../src/bridges/install/launcher.ts'
import { makeWrapping } from '../../src/cli/edit/edit-wrappers.ts'
import { addWrappers, removeWrappers } from '../../src/config/wrapped-hooks.ts'
import { wrapCommand } from '../../src/protocol/wrapped-command.ts'
import { chooseWayOfShell } from '../support/both-ways.ts'
import { hookline, program } from '../support/command.ts'
import { commands, makeWorld, openOn, put, type World } from '../support/project.ts'
import { REVEALING_COMMANDS } from '../support/revealing-commands.ts'

const COMMAND = { hooks: [{ type: 'command', command: 'true' }] }

const wrapped = (text: string): string => addWrappers(text, makeWrapping())
const unwrapped = (text: string): string => removeWrappers(text, makeWrapping())

interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** The ways in which entries come to us. */
const WAYS = ['launcher', 'path'] as const
const INSTALLATION = { node: process.execPath, script: program }

/** Runs shell text as an agent does; `hookline` is on its PATH, unless said otherwise. */
async function inShell(
  world: World,
  text: string,
  { input = Buffer.alloc(0), env = {}, path }: { input?: Buffer | string; env?: NodeJS.ProcessEnv; path?: string } = {},
): Promise<Ended> {
  if (path !== undefined) rmSync(findLauncherPath(world.home), { force: true })
  else if (!existsSync(findLauncherPath(world.home))) await writeLauncher(world.home, INSTALLATION)
  const bin = join(world.root, 'bin')
  if (!existsSync(bin)) {
    mkdirSync(bin)
    symlinkSync(program, join(bin, 'hookline'))
    symlinkSync(process.execPath, join(bin, 'node'))
  }
  const way = await chooseWayOfShell(world, text)
  const child = spawn('/bin/sh', ['-c', text], {
    cwd: world.project,
    env: { PATH: path ?? `${bin}:${process.env.PATH}`, HOME: world.home, ...way, ...env },
  })
  child.stdout.setEncoding('latin1')
  child.stderr.setEncoding('latin1')
  child.stdin.on('error', () => {}) // a command may end without reading
  child.stdin.end(input)
  const out = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (out.stdout += chunk))
  child.stderr.on('data', (chunk) => (out.stderr += chunk))
  const [code, signal] = await once(child, 'close')
  return { code, signal, ...out }
}

const claudePayload = (more: object = {}): string =>
  `${JSON.stringify({
    ...{ session_id: 's', transcript_path: '/t.jsonl', cwd: '/p', permission_mode: 'default' },
    ...{ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_1' },
    ...more,
  })}\n`
// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings write it
const PROJECT = '${CLAUDE_PROJECT_DIR}'
/** What entries with `args` run. */
const PROGRAMS: [string, ...string[]][] = [
  ['printf', '%s|', 'a b', "it's", '$HOME', '`id`', '--', '--exec', '', `x${PROJECT}/y`, '\n'],
  ['/usr/bin/env', 'sh', '-c', 'cat; exit 2'],
  ['cat'],
  ['no such program'],
]
const UNDER_CLAUDE = { CLAUDECODE: '1', CLAUDE_PROJECT_DIR: '/p' }

describe('a wrapped hook under Claude Code', () => {
  it.each(REVEALING_COMMANDS)('is the command itself, by either way: %j', async (command) => {
    const world = await makeWorld()
    const input = claudePayload()
    const flags = ['--event', 'PreToolUse', '--matcher', 'Never']
    const [plain, ...wrapped] = await Promise.all(
      [command, ...WAYS.map((way) => wrapCommand({ command, flags }, 'wrap', way))].map((one) =>
        inShell(world, one, { input, env: UNDER_CLAUDE }),
      ),
    )
    expect(wrapped).toEqual([plain, plain])
  })

  it('passes on any bytes and any exit code', async () => {
    const world = await makeWorld()
    const passes = async (bytes: Uint8Array, code: number): Promise<void> => {
      const input = Buffer.concat([Buffer.from(claudePayload()), bytes])
      const text = wrapCommand({ command: `cat; exit ${code}`, flags: [] })
      const ended = await inShell(world, text, { input, env: UNDER_CLAUDE })
      expect(ended.code).toBe(code)
      expect(Buffer.from(ended.stdout, 'latin1').equals(input)).toBe(true)
    }
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.nat(255), passes), { numRuns: 6 })
    await passes(Buffer.alloc(3_000_000, 'x'), 2)
  })

  it.each([[['instal']], [['--', '']], [['--matcher', 'Bash', './guard.sh']]])(
    'refuses a call without a command behind --: %j',
    async (words) => {
      const { code, stderr } = await hookline(await makeWorld(), ['wrap', ...words])
      expect([code, stderr]).toEqual([2, expect.stringContaining('hookline wrap -- COMMAND')])
    },
  )

  it('starts when the payload is there, also where the agent leaves stdin open, and streams the rest', async () => {
    const world = await makeWorld()
    const env = { ...process.env, HOME: world.home, ...UNDER_CLAUDE }
    const child = spawn(process.execPath, [program, 'wrap', '--', 'read first; echo "got $first"; cat'], { env })
    child.stdin.write(claudePayload())
    const [first] = await once(child.stdout, 'data')
    expect(String(first)).toContain('got {"session_id":"s"')
    child.stdin.end('and more')
    const [more] = await once(child.stdout, 'data')
    expect(String(more)).toBe('and more')
    expect(await once(child, 'close')).toEqual([0, null])
  })

  it('gives signals to the command, and ends as that ends', async () => {
    const world = await makeWorld()
    const env = { ...process.env, HOME: world.home, ...UNDER_CLAUDE }
    const ends = async (command: string, signal: NodeJS.Signals): Promise<unknown[]> => {
      const child = spawn(process.execPath, [program, 'wrap', '--', command], { env })
      child.stdin.end(claudePayload())
      await once(child.stdout, 'data')
      child.kill(signal)
      return once(child, 'close')
    }
    expect(await ends("trap 'exit 9' TERM; echo ready; while :; do sleep 0.05; done", 'SIGTERM')).toEqual([9, null])
    expect(await ends('echo ready; exec sleep 60', 'SIGTERM')).toEqual([null, 'SIGTERM'])
    expect(await ends('echo ready; exec sleep 60', 'SIGINT')).toEqual([null, 'SIGINT'])
  })

  it('runs a program and its arguments without a shell', async () => {
    const { stdout } = await inShell(await makeWorld(), "hookline wrap -- printf '%s|' 'a b' --help '$HOME'", {
      input: claudePayload(),
      env: UNDER_CLAUDE,
    })
    expect(stdout).toBe('a b|--help|$HOME|')
  })

  it.each(PROGRAMS)('is the program itself, where the entry has args: %j', async (file, ...args) => {
    const world = await makeWorld()
    const env = { CLAUDECODE: '1', CLAUDE_PROJECT_DIR: world.project }
    const text = wrapCommand({ command: file, args, flags: ['--event', 'PreToolUse'] })
    const input = claudePayload()
    const filled = [file, ...args].map((word) => word.replaceAll(PROJECT, world.project))
    const alone = spawnSync(filled[0] ?? '', filled.slice(1), { input, encoding: 'latin1', cwd: world.project })
    const ended = { code: alone.status ?? 127, signal: alone.signal, stdout: alone.stdout ?? '' }
    for (const path of [undefined, '/usr/bin:/bin'])
      expect(await inShell(world, text, { input, env, ...(path && { path }) })).toMatchObject(ended)
  })

  it('passes over flags of later versions: a mistake in the call would open what the hook guards', async () => {
    const text = "hookline wrap --new --newer x --event Stop -- 'echo no >&2; exit 2'"
    const { code, stderr } = await inShell(await makeWorld(), text, { input: claudePayload(), env: UNDER_CLAUDE })
    expect([code, stderr]).toEqual([2, 'no\n'])
  })
})

describe('a wrapped hook where there is no hookline', () => {
  it('is the command itself, whatever that is', async () => {
    const world = await makeWorld()
    for (const command of REVEALING_COMMANDS) {
      const path = '/usr/bin:/bin'
      const ends = (text: string) => inShell(world, text, { input: claudePayload(), env: UNDER_CLAUDE, path })
      expect(await ends(wrapCommand({ command, flags: ['--matcher', "it's"] }))).toEqual(await ends(command))
    }
  })
})

describe('a wrapped hook in another agent', () => {
  const copilot = { COPILOT_CLI: '1' }
  const call = (command: string): string =>
    JSON.stringify({
      ...{ hook_event_name: 'PreToolUse', session_id: 's1', timestamp: '2026-11-16T03:15:01.889Z' },
      ...{ tool_name: 'Bash', tool_input: { command, description: 'x' } },
    })

  it('answers in the form of that agent', async () => {
    const world = await makeWorld()
    const guard = wrapCommand({
      command: 'grep -q forbidden && { echo no >&2; exit 2; }; exit 1',
      flags: ['--event', 'PreToolUse'],
    })
    const refused = await inShell(world, guard, { input: call('forbidden'), env: copilot })
    expect([refused.code, JSON.parse(refused.stdout)]).toEqual([
      0,
      { permissionDecision: 'deny', permissionDecisionReason: 'no' },
    ])
    expect(await inShell(world, guard, { input: call('ls'), env: copilot })).toMatchObject({ code: 0 })
  })

  it('has the name of the agent, where it is told that', async () => {
    const world = await makeWorld()
    const text = "hookline wrap --agent gemini --event PreToolUse -- 'exit 2'"
    const payload = {
      hook_event_name: 'BeforeTool',
      session_id: 's',
      tool_name: 'run_shell_command',
      tool_input: { command: 'ls' },
    }
    const { stdout } = await inShell(world, text, { input: JSON.stringify(payload) })
    expect(JSON.parse(stdout)).toMatchObject({ decision: 'deny' })
  })

  it('does not keep the agent waiting that goes on by itself', async () => {
    const world = await makeWorld()
    const done = join(world.project, 'done')
    const text = `hookline wrap --event PreToolUse --async -- 'while [ ! -e go ]; do sleep 0.05; done; touch "${done}"'`
    expect(await inShell(world, text, { input: call('ls'), env: copilot })).toMatchObject({ code: 0, stdout: '' })
    expect(existsSync(done)).toBe(false)
    await put(world, 'project/go', '')
    await expect.poll(() => existsSync(done), { timeout: 20_000 }).toBe(true)
  })

  it('gets what an unknown agent sends, and says so once', async () => {
    const world = await makeWorld()
    const input = '{"event":"tool","session_id":"s"}'
    const text = wrapCommand({ command: 'cat; exit 3', flags: [] })
    const [first, second] = [await inShell(world, text, { input }), await inShell(world, text, { input })]
    expect(first).toMatchObject({ code: 3, stdout: input, stderr: expect.stringContaining('does not know') })
    expect(second).toEqual({ code: 3, signal: null, stdout: input, stderr: '' })
  })
})

describe('hookline wrap install', () => {
  const command = "node \"$CLAUDE_PROJECT_DIR/guard.js\" 'it''s'"
  const settings = {
    hooks: {
      PreToolUse: [
        { matcher: 'Bash', hooks: [{ type: 'command', command, timeout: 7, if: 'Bash(git *)' }] },
        { matcher: '*', hooks: [{ type: 'command', command: 'node', args: ['guard.js'] }] },
      ],
      Stop: [
        {
          hooks: [
            { type: 'prompt', prompt: 'done?' },
            { type: 'command', command: 'true', async: true },
          ],
        },
      ],
    },
  }

  it.each([
    ['an empty "matcher"', { matcher: '', hooks: [{ type: 'command', command: 'true' }] }],
    ['an http hook without https', { matcher: 'Bash', hooks: [{ type: 'http', url: 'http://127.0.0.1:1/x' }] }],
    ['one of type prompt', { hooks: [{ type: 'prompt', prompt: 'ok?' }] }],
    ['calls no hook of this file whose matcher is "mcp__files__wipe"', { matcher: 'mcp__files__wipe', ...COMMAND }],
    ['calls no hook of this file whose matcher is "mcp__.*"', { matcher: 'mcp__.*', ...COMMAND }],
  ])('says which hooks an agent that loads the file does not call, each time: %s', async (words, group) => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { PreToolUse: [group] } } })
    for (let times = 0; times < 2; times++)
      expect((await hookline(world, ['wrap', 'install', '--yes'])).stdout.replaceAll(/\s+/g, ' ')).toContain(words)
  })

  it('says nothing of a matcher that an agent may match by a name of its own', async () => {
    const settings = { hooks: { PreToolUse: [{ matcher: 'mcp__files__wipe|files-wipe', ...COMMAND }] } }
    const world = await makeWorld({ 'project/.claude/settings.json': settings })
    expect((await hookline(world, ['wrap', 'install', '--yes'])).stdout).not.toContain('calls no hook')
  })

  it('wraps the commands of a file, tells what it left out, and goes without a trace', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': settings })
    const file = join(world.project, '.claude/settings.json')
    const before = readFileSync(file, 'utf8')
    const { code, stdout } = await hookline(world, ['wrap', 'install', '--json'])
    expect(code).toBe(0)
    const said = JSON.parse(stdout)
    expect(said).toMatchObject({ written: true, hooks: 3 })
    expect(said.asides).toEqual([expect.stringContaining('Stop:0:0')])
    expect(said.advice.join('\n')).toContain('Copilot ignores all hooks of this file')
    const { PreToolUse, Stop } = JSON.parse(readFileSync(file, 'utf8')).hooks
    const flags = ['--event', 'PreToolUse', '--matcher', 'Bash', '--if', 'Bash(git *)', '--timeout', '7']
    expect(PreToolUse[0].hooks[0].command).toBe(wrapCommand({ command, flags }))
    expect(PreToolUse[1].hooks).toEqual([
      {
        type: 'command',
        command: wrapCommand({ command: 'node', args: ['guard.js'], flags: ['--event', 'PreToolUse'] }),
        _args: ['guard.js'],
      },
    ])
    expect(Stop[0].hooks[1].command).toBe(wrapCommand({ command: 'true', flags: ['--event', 'Stop', '--async'] }))
    expect((await hookline(world, ['wrap', 'install'])).stdout).toContain('wrapped already')
    expect((await hookline(world, ['wrap', 'uninstall'])).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect((await hookline(world, ['wrap', 'uninstall'])).stdout).toContain('No hook is wrapped here')
  })

  it('follows a matcher that was changed, and wraps nothing twice', () => {
    const text = JSON.stringify(settings)
    const changed = wrapped(text).replace('"matcher":"Bash"', '"matcher":"Bash|Edit"')
    expect(wrapped(changed)).toContain("--matcher 'Bash|Edit' --if")
    expect(unwrapped(wrapped(changed))).toBe(text.replace('"matcher":"Bash"', '"matcher":"Bash|Edit"'))
  })

  it('leaves any file as it was, to the byte', () => {
    const escaped = (text: string): string =>
      [...text].map((letter) => (letter === 'a' ? '\\u0061' : JSON.stringify(letter).slice(1, -1))).join('')
    const plain = (text: string): string => JSON.stringify(text).slice(1, -1)
    const args = '"args":[ "x y" , "\\u0061",\n]'
    const entry = fc
      .tuple(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.constantFrom(
          ...['', ',"timeout":5', ',"async":true', ',"shell":"bash"', `,${args}`, ',"args" : []', ',"args":"x"'],
          ...[',"shell":"powershell"', `,"shell":"powershell",${args}`, `,"_args":1,${args}`, ',"_args":["x"]'],
        ),
        fc.constantFrom('', `${args}, `),
        fc.constantFrom(escaped, plain),
      )
      .map(([text, more, before, write]) => {
        const first = more.includes('args') ? '' : before
        return `{${first}"type":"command", /* a */ "command" :\t"${write(text)}"${more}}`
      })
    const group = fc
      .tuple(fc.constantFrom('', '"matcher":"Bash",', '"matcher":"it\'s",'), fc.array(entry, { maxLength: 3 }))
      .map(([matcher, hooks]) => `{${matcher}"hooks":[${hooks.join(',\n // b\n')},]}`)
    const file = fc
      .array(group, { maxLength: 3 })
      .map((groups) => `\uFEFF{ "hooks": {"PreToolUse": [${groups.join(',')}]}, "x": 1 }\r\n`)
    fc.assert(
      fc.property(file, (text) => {
        const once = wrapped(text)
        expect(wrapped(once)).toBe(once)
        expect(unwrapped(once)).toBe(text)
      }),
      { numRuns: 60 },
    )
  })

  it('leaves what was edited since, in the command or beside it', () => {
    const whole = wrapped(JSON.stringify(settings))
    const other = unwrapped(whole.replace('"_args":["guard.js"]', '"_args":["other.js"]'))
    expect(other).toContain('"command":"exec node guard.js","_args":["other.js"]')
    expect(unwrapped(whole.replace('exec node guard.js"', 'exec node new.js"'))).toContain(
      '"command":"exec node new.js"',
    )
  })

  it('asks for trust again, and shows what runs', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { Stop: [commands('true')] } } })
    const engine = await openOn(world, { trust: 'stored' })
    const { digest } = engine.trust.request
    await put(world, 'project/.claude/settings.json', {
      hooks: { Stop: [commands(wrapCommand({ command: 'true', flags: ['--event', 'Stop'] }))] },
    })
    const wrapped = await openOn(world, { trust: 'stored' })
    expect(wrapped.trust.request.digest).not.toBe(digest)
    expect(wrapped.trust.request.asks).toMatchObject([{ kind: 'hook', runs: '(wrapped) true' }])
  })
})

describe('a wrapped hook in Hookline itself', () => {
  it.each([{ command: 'echo ran > ran' }, { command: 'touch', args: ['ran', `${PROJECT}/and this`] }])(
    'runs without a second process, as one hook with its plain twin, and says that it is wrapped: %j',
    async (hook) => {
      const { command, args } = hook
      const wrapped = wrapCommand({ ...hook, flags: ['--event', 'Stop'] })
      const entries = [
        { type: 'command', command: wrapped, ...(args === undefined ? {} : { _args: args }) },
        { type: 'command', ...hook },
      ]
      const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { Stop: [{ hooks: entries }] } } })
      const fire = ['fire', 'Stop', '--json', '--trust', '--profile', 'current']
      await put(world, 'bin/hookline', '#!/bin/sh\ntouch called')
      const { stdout } = await hookline(world, fire, { env: { PATH: `${world.root}/bin:/usr/bin:/bin` } })
      const { hooks } = JSON.parse(stdout)
      expect(hooks).toMatchObject([hook, hook])
      expect(hooks.map(({ verdict }: { verdict: string }) => verdict).sort()).toEqual(['duplicate', 'ran'])
      expect(hooks[0].wrapped).toBe(true)
      expect(['ran', 'called'].map((name) => existsSync(join(world.project, name)))).toEqual([true, false])
      if (args !== undefined) {
        expect(existsSync(join(world.project, 'and this'))).toBe(true)
        expect((await hookline(world, ['validate'])).stdout).not.toContain('_args')
      }
      if (args !== undefined) expect((await hookline(world, ['validate'])).stdout).not.toContain('_args')
      for (const look of [['list'], ['explain', 'Stop'], ['trust']]) {
        const { stdout } = await hookline(world, look)
        expect(stdout, look.join(' ')).toContain(`(wrapped) ${command}`)
        expect(stdout, look.join(' ')).not.toContain('_args')
        for (const word of args ?? []) expect(stdout.replaceAll(/\s+/g, ' '), look.join(' ')).toContain(word)
      }
    },
  )
})
