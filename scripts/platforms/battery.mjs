/**
 * The process battery: an installed Hookline starts, reads and ends hooks, on whatever runtime runs this file. It stands beside
 * `node_modules` and imports the package as its users do. Ends with the line `N passed, N failed, N skipped`.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

const HERE = dirname(fileURLToPath(import.meta.url))
const COMMAND = join(HERE, 'node_modules', 'hookline', 'bin', 'hookline.js')
const { openEngine } = await import('hookline')
const IS_WINDOWS = process.platform === 'win32'
/** What the runtime is called with before a file. */
const RUN = 'Deno' in globalThis ? ['run', '-A'] : []
const TOKEN = `battery-${process.pid}-${Date.now()}`
process.env.HOOKLINE_TEST_TOKEN = TOKEN
const LAUNCHERS = process.platform === 'linux' ? ['auto', 'pool', 'direct'] : ['auto']
const BATTERY_TIMEOUT_MS = 20_000
/** Seconds in which a hook surely has started another process. */
const DEADLINE = IS_WINDOWS ? 15 : 10

/** The programs of the hooks, by the first word that they are given. */
const HOOK = `
import { spawn } from 'node:child_process'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
const [mode, file] = process.argv.slice(2)
const deny = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' } })
const stay = () => setInterval(() => {}, 1000)
const leave = (path) => { writeFileSync(path + '.new', String(process.pid)); renameSync(path + '.new', path) }
const grow = (stdio, detached = false) => spawn(process.execPath, [process.argv[1], 'stay', file], { stdio, detached })
const modes = {
  exit: () => { process.stderr.write('no'); process.exitCode = 2 },
  json: () => process.stdout.write(deny),
  crlf: () => process.stdout.write('\\ufeff' + JSON.stringify(JSON.parse(deny), null, 2).replaceAll('\\n', '\\r\\n') + '\\r\\n'),
  utf16: () => process.stdout.write(Buffer.from(deny, 'utf16le')),
  stay: () => { leave(file); stay() },
  tree: () => { grow('inherit'); stay() },
  left: () => { grow(['ignore', 'inherit', 'inherit'], true).on('spawn', () => setTimeout(() => process.exit(0), 300)) },
  flood: () => { process.stdout.write('x'.repeat(3_000_000), () => { process.stderr.write('no'); process.exitCode = 2 }) },
  count: () => { process.stderr.write(String(JSON.parse(readFileSync(0, 'utf8')).tool_input.command.length)); process.exitCode = 2 },
  late: () => { process.stdout.write('{"async":true,"asyncTimeout":60000}\\n'); setTimeout(() => process.stdout.write('{"systemMessage":"done"}'), 500) },
  words: () => { process.stderr.write(JSON.stringify(process.argv.slice(3))); process.exitCode = 2 },
  path: () => { process.stderr.write(Object.keys(process.env).filter((name) => /^path$/i.test(name)).join()); process.exitCode = 2 },
}
await modes[mode]()
`

const call = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'one' }
const worlds = []

/** A project with hooks, and a home. */
function world(hooks, files = {}) {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), 'hookline battery-')))
  worlds.push(root)
  const [project, home] = [join(root, 'project'), join(root, 'home')]
  mkdirSync(join(project, '.claude'), { recursive: true })
  mkdirSync(home)
  const settings = { hooks: { PreToolUse: [{ hooks }] } }
  writeFileSync(join(project, '.claude', 'settings.json'), JSON.stringify(settings))
  writeFileSync(join(project, 'hook.mjs'), HOOK)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text)
  return { root, project, home, managed: join(root, 'managed.json'), pid: join(root, 'pid') }
}

/** A hook that is run by Node in one of the modes. */
const hook = (mode, more = {}) => ({ type: 'command', command: `node hook.mjs ${mode}`, ...more })
const treeHook = (mode, more) => hook(`${mode} ../pid`, more)

async function fire(place, { options = {}, event = call, signal } = {}) {
  const { project, home, managed } = place
  const engine = await openEngine({ project, home, managed, trust: 'accepted', ...options })
  try {
    return await engine.dispatch(event, signal === undefined ? undefined : { signal })
  } finally {
    await engine.close()
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
  return !existsSync(`/proc/${pid}/stat`) || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
}

async function until(what, holds, withinMs = BATTERY_TIMEOUT_MS) {
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(50)) if (holds()) return
  throw new Error(`not within ${withinMs} ms: ${what}`)
}

function same(actual, expected) {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (one !== other) throw new Error(`expected ${other}, got ${one}`)
}

const refusal = ({ decision }) => [decision.blocked, decision.reason ?? '']

/** Starts a host of its own, which fires and waits. */
function hostOf(place, { launcher = 'auto', times = 1, meanwhile = '' } = {}) {
  const { project, home, managed } = place
  const file = join(place.root, 'host.mjs')
  const options = JSON.stringify({ project, home, managed, trust: 'accepted', launcher })
  const door = pathToFileURL(join(HERE, 'node_modules', 'hookline', 'dist', 'index.js')).href
  writeFileSync(
    file,
    `import { openEngine } from ${JSON.stringify(door)}
const engine = await openEngine(${options})
for (let left = ${times}; left > 0; left--) {
  const fired = engine.dispatch(${JSON.stringify(call)})
  ${meanwhile}
  const { decision } = await fired
  console.log(decision.blocked)
}
await engine.close()`,
  )
  const child = spawn(process.execPath, [...RUN, file], { stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', (text) => {
      said[name] += text
    })
  const ended = new Promise((resolve) => child.on('close', (code) => resolve({ code, ...said })))
  return { child, ended }
}

/** The commands that take the policy from where they are told. */
const UNDER_POLICY = ['fire', 'session', 'test', 'replay', 'validate']

/** Runs the command. */
function hookline(place, ...args) {
  const policy = UNDER_POLICY.includes(args[0]) ? ['--managed', place.managed] : []
  const places = ['--project', place.project, '--home', place.home, ...policy]
  const { status, stdout, stderr } = spawnSync(process.execPath, [...RUN, COMMAND, ...args, ...places], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { status, stdout, stderr }
}

function accept(place) {
  const { digest } = JSON.parse(hookline(place, 'trust', '--json').stdout)
  same(hookline(place, 'trust', 'accept', '--yes', digest).status, 0)
}

class Skip extends Error {}

const CHECKS = {
  'a hook that exits with 2 refuses': async () => same(refusal(await fire(world([hook('exit')]))), [true, 'no']),
  'a denial in JSON denies': async () => same(refusal(await fire(world([hook('json')]))), [true, 'no']),
  'a denial in UTF-16 without a mark denies': async () =>
    same(refusal(await fire(world([hook('utf16')]))), [true, 'no']),
  'a command with double quotes is run as it is written': async () => {
    const text = `node -e "process.stderr.write('six ' + 6*7);process.exit(2)"`
    same(refusal(await fire(world([{ type: 'command', command: text }]))), [true, 'six 42'])
  },
  'a hook reads all of a large event': async () => {
    const event = { ...call, tool_input: { command: 'é'.repeat(2_000_000) } }
    same(refusal(await fire(world([hook('count')]), { event })), [true, '2000000'])
  },
  'a hook that reads nothing of a large event is heard': async () => {
    const event = { ...call, tool_input: { command: 'x'.repeat(5_000_000) } }
    same(refusal(await fire(world([hook('exit')]), { event })), [true, 'no'])
  },
  'a hook that writes without measure is cut, and heard': async () => {
    const { decision, hooks } = await fire(world([hook('flood')]))
    same([...refusal({ decision }), hooks[0].stdoutBytes], [true, 'no', 3_000_000])
  },
  'eight hooks at once all answer': async () => {
    const { hooks } = await fire(world(Array.from({ length: 8 }, (_, at) => hook(`exit ${at}`))))
    same(
      hooks.map(({ exitCode }) => exitCode),
      Array(8).fill(2),
    )
  },
  'a hook past its deadline ends with all that it started': async () => {
    const place = world([treeHook('tree', { timeout: DEADLINE })])
    const { hooks } = await fire(place)
    same([hooks[0].outcome, hooks[0].timedOut], ['cancelled', true])
    if (hooks[0].durationMs > (DEADLINE + 6) * 1000) throw new Error(`it took ${hooks[0].durationMs} ms`)
    const pid = Number(readFileSync(place.pid, 'utf8'))
    await until('what it started has ended', () => !isAlive(pid))
  },
  'a hook that the host gives up on ends with all that it started': async () => {
    const place = world([treeHook('tree')])
    const leaving = new AbortController()
    const fired = fire(place, { signal: leaving.signal })
    await until('the hook runs', () => existsSync(place.pid))
    leaving.abort()
    same((await fired).hooks[0].outcome, 'cancelled')
    const pid = Number(readFileSync(place.pid, 'utf8'))
    await until('what it started has ended', () => !isAlive(pid))
  },
  'a hook that exits is done although what it started holds its output, which is left alone': async () => {
    const place = world([treeHook('left', { timeout: 30 })])
    const started = Date.now()
    const { hooks } = await fire(place)
    same([hooks[0].outcome, hooks[0].exitCode], ['success', 0])
    if (Date.now() - started > 15_000) throw new Error('it was waited for')
    await until('it tells its number', () => existsSync(place.pid))
    const pid = Number(readFileSync(place.pid, 'utf8'))
    if (!isAlive(pid)) throw new Error('it was ended')
    process.kill(pid, 'SIGKILL')
  },
  'a hook in the background is heard later': async () => {
    const place = world([hook('late')])
    const { project, home, managed } = place
    const engine = await openEngine({ project, home, managed, trust: 'accepted' })
    const { hooks } = await engine.dispatch(call)
    same(hooks[0].verdict, 'backgrounded')
    const delivered = await engine.drain()
    await engine.close()
    if (!JSON.stringify(delivered).includes('done')) throw new Error(JSON.stringify(delivered))
  },
  'a program with arguments gets them letter for letter': async () => {
    const words = ['a b', 'c"d', "e'f", '$HOME', '%PATH%', 'x&y|z', 'é中🙂', 'end\\']
    const place = world([{ type: 'command', command: 'node', args: ['hook.mjs', 'words', ...words] }])
    writeFileSync(
      join(place.project, '.claude', 'settings.json'),
      JSON.stringify({
        hookline: { profile: 'current' },
        hooks: JSON.parse(readFileSync(join(place.project, '.claude', 'settings.json'), 'utf8')).hooks,
      }),
    )
    same(refusal(await fire(place)), [true, JSON.stringify(words)])
  },
  ...Object.fromEntries(
    LAUNCHERS.map((launcher) => [
      `a host ends by itself, says nothing and leaves nothing behind, with the launcher ${launcher}`,
      async () => {
        const { code, stdout, stderr } = await hostOf(world([hook('exit')]), { launcher, times: 3 }).ended
        same({ code, stdout, stderr }, { code: 0, stdout: 'true\n'.repeat(3), stderr: '' })
        if (existsSync('/proc/self')) await until('nothing is left', () => carriers().length === 0)
      },
    ]),
  ),
  'a host that is too busy to see a deadline in time says nothing of it': async () => {
    const place = world([hook('stay ../pid', { timeout: 0.2 })])
    const meanwhile = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)'
    const { code, stdout, stderr } = await hostOf(place, { times: 2, meanwhile }).ended
    same({ code, stdout, stderr }, { code: 0, stdout: 'false\n'.repeat(2), stderr: '' })
  },
  'settings and answers whose lines end in CRLF are read, with a mark before them': async () => {
    const place = world([hook('crlf')])
    const file = join(place.project, '.claude', 'settings.json')
    const text = JSON.stringify(JSON.parse(readFileSync(file, 'utf8')), null, 2).replaceAll('\n', '\r\n')
    writeFileSync(file, `\ufeff${text}\r\n`)
    same(refusal(await fire(place)), [true, 'no'])
  },
  'the settings of the user are in the home folder of the system': async () => {
    const place = world([])
    mkdirSync(join(place.home, '.claude'))
    const settings = { hooks: { PreToolUse: [{ hooks: [hook('exit')] }] } }
    writeFileSync(join(place.home, '.claude', 'settings.json'), JSON.stringify(settings))
    const args = ['fire', 'PreToolUse', 'tool_name=Bash', '--project', place.project, '--managed', place.managed]
    const env = { ...process.env, HOME: place.home, USERPROFILE: place.home }
    const { status, stdout } = spawnSync(process.execPath, [...RUN, COMMAND, ...args, '--json'], {
      env,
      encoding: 'utf8',
    })
    same([status, JSON.parse(stdout).hooks[0].id], [2, 'user:PreToolUse:0:0'])
  },
  'the hooks of a host that is killed end': async () => {
    if (IS_WINDOWS && !hasJobs()) throw new Skip('only with koffi')
    const place = world([treeHook('tree')])
    const { child } = hostOf(place)
    await until('the hook runs', () => existsSync(place.pid))
    await sleep(1000)
    child.kill('SIGKILL')
    const pid = Number(readFileSync(place.pid, 'utf8'))
    await until('it has ended', () => !isAlive(pid))
  },
  'trust holds for what was seen, and is gone after a change': async () => {
    const place = world([hook('exit')])
    same(hookline(place, 'fire', 'PreToolUse', 'tool_name=Bash').status, 1)
    accept(place)
    same(hookline(place, 'fire', 'PreToolUse', 'tool_name=Bash').status, 2)
    if (IS_WINDOWS) {
      const other = { ...place, project: place.project.toUpperCase() }
      same(hookline(other, 'fire', 'PreToolUse', 'tool_name=Bash').status, 2)
      same(
        hookline({ ...place, project: place.project.replaceAll('\\', '/') }, 'fire', 'PreToolUse', 'tool_name=Bash')
          .status,
        2,
      )
    }
    writeFileSync(
      join(place.project, '.claude', 'settings.json'),
      JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook('json')] }] } }),
    )
    same(hookline(place, 'fire', 'PreToolUse', 'tool_name=Bash').status, 1)
  },
  'four commands that edit one file at once lose nothing': async () => {
    const place = world([])
    const places = ['--project', place.project, '--home', place.home]
    const one = (at) =>
      new Promise((resolve) => {
        const child = spawn(
          process.execPath,
          [...RUN, COMMAND, 'add', 'Stop', '--command', `echo ${at}`, '--yes', ...places],
          { stdio: ['ignore', 'pipe', 'pipe'] },
        )
        let said = ''
        child.stderr.on('data', (text) => {
          said += text
        })
        child.on('close', (code) => resolve({ code, said }))
      })
    same(
      (await Promise.all([0, 1, 2, 3].map(one))).filter(({ code }) => code !== 0),
      [],
    )
    const text = readFileSync(join(place.project, '.claude', 'settings.json'), 'utf8')
    same(
      [0, 1, 2, 3].filter((at) => !text.includes(`echo ${at}`)),
      [],
    )
  },
}

/** Windows alone. */
const WINDOWS_CHECKS = {
  'hooks have the search path under its name there': async () => {
    const reason = (await fire(world([hook('path')]), { options: { env: spelled(process.env) } })).decision.reason
    if (reason.toLowerCase() !== 'path') throw new Error(reason)
  },
  'a taskkill.exe and a bash.exe in the project are not started': async () => {
    const place = world([treeHook('tree', { timeout: DEADLINE })])
    const other = readFileSync(join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'hostname.exe'))
    for (const name of ['taskkill', 'bash', 'cmd', 'git']) writeFileSync(join(place.project, `${name}.exe`), other)
    await fire(place)
    const pid = Number(readFileSync(place.pid, 'utf8'))
    await until('what it started has ended', () => !isAlive(pid))
  },
  'a working directory that is too long for Windows is named, or does not matter': async () => {
    const place = world([hook('exit')])
    const cwd = join(place.project, ...Array(6).fill('long'.repeat(10)))
    mkdirSync(cwd, { recursive: true })
    const { hooks, decision } = await fire(place, { event: { ...call, cwd } })
    if (decision.blocked) return // Wine starts programs there
    same(hooks[0].outcome, 'non_blocking_error')
    if (!JSON.stringify(decision).includes('is too long')) throw new Error(JSON.stringify(decision))
  },
  'a batch file is started as a program, with its arguments': async () => {
    const guard = '@echo off\r\necho ["%~1"] ["%~2"] >&2\r\nexit /b 2\r\n'
    const place = world([{ type: 'command', command: './guard.cmd', args: ['a b', 'x & y'] }], { 'guard.cmd': guard })
    asCurrent(place)
    const { decision } = await fire(place)
    same([decision.blocked, decision.reason.trim()], [true, '["a b"] ["x & y"]'])
  },
  'a batch file is not given what could become a command': async () => {
    const place = world([{ type: 'command', command: './guard.cmd', args: ['%PATH%'] }], { 'guard.cmd': 'exit /b 2' })
    asCurrent(place)
    const { hooks, decision } = await fire(place)
    same([decision.blocked, hooks[0].outcome], [false, 'non_blocking_error'])
  },
  'without Git Bash a command is read by cmd, and one for a POSIX shell is refused with a sentence': async () => {
    const place = world([
      { type: 'command', command: 'if exist hook.mjs (>&2 echo no& exit 2)' },
      { type: 'command', command: '"$CLAUDE_PROJECT_DIR"/guard.sh' },
    ])
    const before = process.env.CLAUDE_CODE_GIT_BASH_PATH
    process.env.CLAUDE_CODE_GIT_BASH_PATH = 'none'
    try {
      const { hooks, decision } = await fire(place)
      same([decision.blocked, decision.reason.trim()], [true, 'no'])
      if (!JSON.stringify({ hooks, decision }).includes('needs Git Bash')) throw new Error(JSON.stringify(decision))
      const found = hookline(place, 'validate', '--json')
      if (!found.stdout.includes('needs Git Bash')) throw new Error(found.stdout)
    } finally {
      if (before === undefined) delete process.env.CLAUDE_CODE_GIT_BASH_PATH
      else process.env.CLAUDE_CODE_GIT_BASH_PATH = before
    }
  },
  'a trust store that another program has open for a moment is written all the same': async () => {
    const place = world([hook('exit')])
    accept(place)
    const store = join(place.home, '.hookline', 'trust.json')
    const held = `const fs = require('fs')
const [store, folder] = ${JSON.stringify([store, dirname(store)])}
const [file, before] = [fs.openSync(store, 'r'), fs.readdirSync(folder).length]
console.log(1)
const looking = setInterval(() => {
  if (fs.readdirSync(folder).length === before) return // nothing is being written
  clearInterval(looking)
  setTimeout(() => fs.closeSync(file), 200)
}, 10)`
    const holder = spawn(process.execPath, ['-e', held], { stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise((resolve) => holder.stdout.once('data', resolve))
    const { status, stderr } = hookline(place, 'trust', 'revoke')
    same([status, stderr], [0, ''])
    holder.kill()
  },
  'doctor says which shell reads commands and how processes are ended': async () => {
    const { stdout } = hookline(world([hook('exit')]), 'doctor')
    for (const word of ['Git Bash', 'processes']) if (!stdout.includes(word)) throw new Error(stdout)
    if (/chmod/.test(stdout)) throw new Error(stdout)
  },
}

function asCurrent(place) {
  const file = join(place.project, '.claude', 'settings.json')
  writeFileSync(file, JSON.stringify({ hookline: { profile: 'current' }, ...JSON.parse(readFileSync(file, 'utf8')) }))
}

function spelled(env) {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [/^path$/i.test(name) ? 'Path' : name, value]))
}

function hasJobs() {
  return existsSync(join(HERE, 'node_modules', 'koffi'))
}

/** Processes that carry the token of this battery, besides this one and what it watches. */
function carriers() {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false
    try {
      return (
        readFileSync(`/proc/${pid}/environ`, 'latin1').includes(TOKEN) &&
        isAlive(Number(pid)) &&
        /hook\.mjs|hookline-/.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1'))
      )
    } catch {
      return false // gone
    }
  })
}

const only = new RegExp(process.argv[2] ?? '')
const counts = { passed: 0, failed: 0, skipped: 0 }
for (const [name, check] of Object.entries({ ...CHECKS, ...(IS_WINDOWS ? WINDOWS_CHECKS : {}) })) {
  if (!only.test(name)) continue
  try {
    await Promise.race([
      check(),
      sleep(120_000, null, { ref: false }).then(() => {
        throw new Error('not finished after two minutes')
      }),
    ])
    counts.passed++
  } catch (error) {
    counts[error instanceof Skip ? 'skipped' : 'failed']++
    console.log(`${error instanceof Skip ? 'skip' : 'FAIL'} ${name}  ${error.message}`)
  }
}
for (const root of worlds) {
  try {
    rmSync(root, { recursive: true, force: true, maxRetries: 10 })
  } catch (error) {
    console.log(`${root} is left behind: ${error.code}`)
  }
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exit(counts.failed === 0 ? 0 : 1)
