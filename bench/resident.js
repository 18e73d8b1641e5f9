/**
 * Measures the resident engine against its goals R1 to R6: node bench/resident.js [--rounds 20] [--only R1,R4]. Needs a build; Linux
 * only. They are ratios of one run, taken in turns (R7 is scripts/resident-soak.js). Prints a line per goal, with the load of the machine. Ends with
 * 1 where a goal is not kept.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const COMMAND = fileURLToPath(new URL('../packages/hookline/bin/hookline.js', import.meta.url))
/** Milliseconds between two calls of a session: an agent thinks meanwhile, and an interpreter starts. */
const THINKING_MS = 120

/** @param {string} name @param {number} otherwise */
const readNumber = (name, otherwise) =>
  process.argv.includes(name) ? Number(process.argv[process.argv.indexOf(name) + 1]) : otherwise
const rounds = readNumber('--rounds', 20)

const NODE_GUARD = `let text = ''
for await (const chunk of process.stdin) text += chunk
if (JSON.parse(text).tool_input.command.includes('rm ')) process.exitCode = 2
`
const PYTHON_GUARD = `import json, sys
if "rm " in json.load(sys.stdin)["tool_input"]["command"]:
    sys.exit(2)
`

/** A home with hooks, a launcher, and what calls them. @param {Record<string, unknown>} hooks */
function makeHome(hooks) {
  const root = mkdtempSync(join(tmpdir(), 'hookline-bench-'))
  const [home, project] = [join(root, 'home'), join(root, 'project')]
  mkdirSync(join(home, '.claude'), { recursive: true })
  mkdirSync(join(project, '.git'), { recursive: true })
  writeFileSync(join(home, 'guard.mjs'), NODE_GUARD)
  writeFileSync(join(home, 'guard.py'), PYTHON_GUARD)
  writeFileSync(join(home, '.claude/settings.json'), JSON.stringify({ hooks }).replaceAll('HOME', home))
  const env = { PATH: process.env.PATH, HOME: home, CLAUDE_PROJECT_DIR: project }
  /** @param {string} file @param {readonly string[]} args @param {string} input @param {object} more */
  const run = (file, args, input = '', more = {}) =>
    spawnSync(file, args, { cwd: project, env: { ...env, ...more }, input, encoding: 'utf8' })
  const fifo = join(root, 'stdin')
  run('mkfifo', [fifo])
  /** The same with a pipe for stdin, as Codex has: Node and Bun make sockets. @type {typeof run} */
  const runPiped = (file, args, input = '', more = {}) => {
    const opener = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK)
    const [stdin, writer] = [openSync(fifo, constants.O_RDONLY), openSync(fifo, constants.O_WRONLY)]
    closeSync(opener)
    writeSync(writer, input)
    closeSync(writer)
    const place = { cwd: project, env: { ...env, ...more }, encoding: /** @type {const} */ ('utf8') }
    const ended = spawnSync(file, args, { ...place, stdio: [stdin, 'pipe', 'pipe'] })
    closeSync(stdin)
    return ended
  }
  const ask = (/** @type {string[]} */ ...words) => run(process.execPath, [COMMAND, ...words])
  ask('bridge', 'install', 'codex', '--yes')
  const end = () => {
    ask('resident', 'stop', '--yes')
    rmSync(root, { recursive: true, force: true })
  }
  return { root, home, project, env, run, runPiped, ask, end, launcher: join(home, '.hookline/bin/hookline') }
}

/** @typedef {ReturnType<typeof makeHome>} Home */

/** Fields by which a payload is one of Codex; without them it is Claude Code's. */
const OF_CODEX = { turn_id: 'u1', model: 'm' }

const event = (/** @type {string} */ session, /** @type {object} */ more = OF_CODEX) =>
  `${JSON.stringify({
    ...{ session_id: session, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } },
    ...{ tool_use_id: 't1', permission_mode: 'default', transcript_path: '/t.jsonl', cwd: '/', ...more },
  })}\n`

const CALL = ['bridge', 'run', 'codex', 'PreToolUse']
const COLD = { HOOKLINE_RESIDENT: 'off' }
/** @param {Home} home @param {object} more */
const call = (home, more = {}) => home.runPiped(home.launcher, CALL, event('s'), more)

/** Waits until a process serves. @param {Home} home */
async function untilServed(home) {
  call(home)
  for (let look = 0; look < 200; look++) {
    if (JSON.parse(home.ask('resident', 'status', '--json').stdout).serving) return
    await pause(50)
  }
  throw new Error('nobody serves')
}

/** Times functions in turns; the 25th percentile of each. @param {Record<string, () => unknown>} ways @param {number} thinking */
async function timeInTurns(ways, thinking = 0) {
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of Object.entries(ways)) {
      const began = performance.now()
      run()
      times[name]?.push(performance.now() - began)
      await pause(thinking)
    }
  return Object.fromEntries(
    Object.entries(times).map(([name, all]) => [name, all.sort((a, b) => a - b)[Math.floor(all.length / 4)] ?? 0]),
  )
}

let missed = 0
/** @param {string} goal @param {string} what @param {number} ratio @param {number} limit @param {string} figures */
function tellRatio(goal, what, ratio, limit, figures) {
  if (ratio > limit) missed++
  const load = loadavg()[0]?.toFixed(1)
  console.log(`${goal}  ${what.padEnd(46)} ${ratio.toFixed(2)}  (goal ${limit})  ${figures}  load ${load}`)
}

/** @param {number} one @param {number} other */
const inMs = (one, other) => `${one.toFixed(1)} / ${other.toFixed(1)} ms`

/** The least that a client in sh can do: hand over what is on stdin, wait for an answer, and end with it. */
const LEAST_CLIENT = `exec 3<>"$1/wire" 5<&0
[ -p /proc/self/fd/0 ] || dd bs=262144 count=1 of="$1/stdin" 2>/dev/null
echo $$ 1<>"$1/bell"
read -r code <&3
exit "$code"
`

/** The least that can be behind it: it looks at nobody, decides nothing and keeps nothing. */
const LEAST_RESIDENT = `const fs = require('node:fs')
const [folder] = process.argv.slice(1)
const [bell, wire] = ['bell', 'wire'].map((name) => fs.openSync(folder + '/' + name, fs.constants.O_RDWR | fs.constants.O_NONBLOCK))
const stdin = folder + '/stdin'
new (require('node:net').Socket)({ fd: bell, readable: true, writable: false }).on('data', (pid) => {
  const file = fs.existsSync(stdin) ? stdin : '/proc/' + String(pid).trim() + '/fd/5'
  const from = fs.openSync(file, fs.constants.O_NONBLOCK)
  JSON.parse(fs.readFileSync(from, 'utf8'))
  fs.closeSync(from)
  fs.rmSync(stdin, { force: true })
  fs.writeSync(wire, '0\\n')
})
fs.writeSync(1, 'it waits')
`

/** Starts the least that can be behind a client. @param {Home} home */
async function startLeast({ root, run }) {
  const folder = join(root, 'least')
  mkdirSync(folder)
  run('mkfifo', [join(folder, 'bell'), join(folder, 'wire')])
  const client = join(folder, 'client')
  writeFileSync(client, LEAST_CLIENT)
  const resident = spawn(process.execPath, ['-e', LEAST_RESIDENT, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(resident.stdout, 'data')
  return { words: [client, folder], end: () => resident.kill() }
}

async function measureNoHook() {
  const home = makeHome({})
  await untilServed(home)
  const least = await startLeast(home)
  const {
    node = 1,
    served = 0,
    socket = 0,
    leastServed = 0,
    leastSocket = 0,
  } = await timeInTurns({
    node: () => home.runPiped(process.execPath, ['-e', '0'], event('s')),
    served: () => call(home),
    socket: () => home.run(home.launcher, CALL, event('s')),
    leastServed: () => home.runPiped('/bin/sh', least.words, event('s')),
    leastSocket: () => home.run('/bin/sh', least.words, event('s')),
  })
  const format = (/** @type {number} */ time) => (time / node).toFixed(2)
  tellRatio('R1', 'bridge run without a hook, over node -e 0', served / node, 0.15, inMs(served, node))
  console.log(`    through a socket, as agents of Node and Bun have it: ${format(socket)}`)
  console.log(
    `    the least that a client in sh takes: ${format(leastServed)}, through a socket ${format(leastSocket)}`,
  )
  least.end()
  home.end()
}

/** @param {string} goal @param {string} command @param {number} limit */
async function measureGuard(goal, command, limit) {
  const home = makeHome({ PreToolUse: [{ hooks: [{ type: 'command', command }] }] })
  await untilServed(home)
  await pause(500)
  const { cold = 1, served = 0 } = await timeInTurns(
    { served: () => call(home), cold: () => call(home, COLD) },
    THINKING_MS,
  )
  tellRatio(
    goal,
    `${command.split(' ')[0]} guard through bridge run, over cold`,
    served / cold,
    limit,
    inMs(served, cold),
  )
  home.end()
}

async function measureWrapped() {
  const home = makeHome({ PreToolUse: [{ hooks: [{ type: 'command', command: 'node HOME/guard.mjs' }] }] })
  const bare = `node ${home.home}/guard.mjs`
  home.ask('wrap', 'install', '--scope', 'user', '--yes')
  const entry = JSON.parse(readFileSync(join(home.home, '.claude/settings.json'), 'utf8')).hooks.PreToolUse[0].hooks[0]
    .command
  const claude = { CLAUDECODE: '1' }
  const run = (/** @type {string} */ text) => home.run('/bin/sh', ['-c', text], event('s', {}), claude)
  await untilServed(home)
  for (let first = 0; first < 3; first++) {
    run(entry)
    await pause(500)
  }
  const { wrapped = 0, alone = 1 } = await timeInTurns(
    { wrapped: () => run(entry), alone: () => run(bare) },
    THINKING_MS,
  )
  tellRatio('R4', 'wrapped Node guard, over the bare one', wrapped / alone, 0.35, inMs(wrapped, alone))
  const { figures } = JSON.parse(home.ask('resident', 'status', '--json').stdout)
  console.log(
    `    of ${rounds} wrapped calls and 3 first ones ${figures.served} were answered, ${figures.alone} ran alone`,
  )
  home.end()
}

async function measureFirstCall() {
  const home = makeHome({})
  /** @type {{ first: number[], cold: number[] }} */
  const times = { first: [], cold: [] }
  for (let round = 0; round < rounds; round++) {
    for (const [name, more] of /** @type {const} */ ([
      ['cold', COLD],
      ['first', {}],
    ])) {
      const began = performance.now()
      call(home, more)
      times[name].push(performance.now() - began)
    }
    await untilServed(home)
    home.ask('resident', 'stop', '--yes')
  }
  const [first = 0, cold = 1] = [times.first, times.cold].map(
    (all) => all.sort((a, b) => a - b)[Math.floor(all.length / 4)],
  )
  tellRatio('R5', 'the call that starts it, over the cold way', first / cold, 1.1, inMs(first, cold))
  home.end()
}

/** CPU of all children of this process that have ended, in milliseconds, with all that they have waited for. */
function readChildrenCpu() {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ')[1]?.split(' ') ?? []
  return fields.slice(13, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
}

const CALLS_OF_A_SESSION = 200

/**
 * CPU of a session, in milliseconds: of its calls, and of the resident from its start to its end, with all interpreters that it
 * started. The resident is a child of this process: of one that a client starts nobody here would learn what it used.
 * @param {Home} home @param {boolean} isServed
 */
async function useCpu(home, isServed) {
  const before = readChildrenCpu()
  const words = [COMMAND, 'resident', 'serve']
  const resident = isServed ? spawn(process.execPath, words, { cwd: '/', env: home.env, stdio: 'ignore' }) : null
  const place = join(home.home, '.hookline/resident/engine')
  for (let look = 0; isServed && !existsSync(place); look++) {
    if (look > 400) throw new Error('nobody serves')
    await pause(25)
  }
  for (let at = 0; at < CALLS_OF_A_SESSION; at++) call(home, isServed ? {} : COLD)
  if (resident !== null) {
    const { figures } = JSON.parse(home.ask('resident', 'status', '--json').stdout)
    if (figures.served < CALLS_OF_A_SESSION) throw new Error(`only ${figures.served} calls were served`)
    resident.kill()
    await once(resident, 'exit')
  }
  return readChildrenCpu() - before
}

/** CPU of the clock that a client sets off, which outlives it, in milliseconds. @param {Home} home */
function useCpuOfClock({ run }) {
  const [before, count] = [readChildrenCpu(), 200]
  for (let at = 0; at < count; at++) run('/bin/sh', ['-c', '{ sleep 0 && echo late; } >/dev/null & wait'])
  const both = readChildrenCpu() - before
  for (let at = 0; at < count; at++) run('/bin/sh', ['-c', ':'])
  return (2 * both - (readChildrenCpu() - before)) / count
}

async function measureCpu() {
  const home = makeHome({ PreToolUse: [{ hooks: [{ type: 'command', command: 'node HOME/guard.mjs' }] }] })
  const cold = await useCpu(home, false)
  const clocks = useCpuOfClock(home) * CALLS_OF_A_SESSION
  const served = (await useCpu(home, true)) + clocks
  tellRatio('R6', 'CPU of a session of 200 calls, over cold', served / cold, 0.5, inMs(served, cold))
  console.log(`    with the start and the end of the resident, and ${clocks.toFixed(0)} ms of clocks of its clients`)
  home.end()
}

const MEASURES = {
  R1: measureNoHook,
  R2: () => measureGuard('R2', 'node HOME/guard.mjs', 0.2),
  R3: () => measureGuard('R3', '/usr/bin/python3 HOME/guard.py', 0.25),
  R4: measureWrapped,
  R5: measureFirstCall,
  R6: measureCpu,
}
const only = process.argv[process.argv.indexOf('--only') + 1]?.split(',')
for (const [goal, measure] of Object.entries(MEASURES))
  if (!process.argv.includes('--only') || only?.includes(goal)) await measure()
process.exitCode = missed === 0 ? 0 : 1
