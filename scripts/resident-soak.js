// Makes calls of an agent from 20 processes at a time while the resident engine is killed (SIGKILL) and stopped (SIGSTOP) among them:
//   node scripts/resident-soak.js [--calls 5000] [--harms 200]
// Every call has a guard that refuses it and writes down which call it saw. Says how many calls were let through, how many guards ran
// twice, and what is left of processes, pipes and files; ends with 1 where any is. Needs a build; Linux only.

import { spawn, spawnSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readCall } from './read-options.js'

const COMMAND = fileURLToPath(new URL('../packages/hookline/bin/hookline.js', import.meta.url))
const AT_A_TIME = 20
/** Milliseconds for which the resident is stopped: longer than a client waits for it. */
const STOPPED_MS = 400
const END_TIMEOUT_MS = 30_000
/** Milliseconds for which more calls are made where none begins to serve that could be harmed. */
const HARM_TIMEOUT_MS = 60_000

const { readNumber } = readCall(import.meta.url, {
  options: { calls: { type: 'string' }, harms: { type: 'string' } },
})
const calls = readNumber('calls', 5000)
const harms = readNumber('harms', 200)

const GUARD = 'read -r line; echo "$ONE" >> "$HOME/runs"; echo no >&2; exit 2'

const root = mkdtempSync(join(tmpdir(), 'hookline-resident-soak-'))
const [home, project, temp] = [join(root, 'home'), join(root, 'project'), join(root, 'temp')]
for (const folder of [join(home, '.claude'), join(project, '.git'), temp]) mkdirSync(folder, { recursive: true })
writeFileSync(
  join(home, '.claude/settings.json'),
  JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: GUARD }] }] } }),
)
const env = { PATH: process.env.PATH, HOME: home, TMPDIR: temp }
const place = join(home, '.hookline/resident')
const launcher = join(home, '.hookline/bin/hookline')

/** @param {string[]} words */
const ask = (...words) => spawnSync(process.execPath, [COMMAND, ...words], { cwd: project, env, encoding: 'utf8' })

/** @param {string} id */
const makeEvent = (id) =>
  `${JSON.stringify({
    ...{ session_id: id, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } },
    ...{ tool_use_id: 't', turn_id: 'u', model: 'm', permission_mode: 'default', transcript_path: null, cwd: project },
  })}\n`

/** The process that serves; null: none does. */
function findServing() {
  try {
    const [pid = '', began] = readFileSync(join(place, 'engine'), 'latin1').trim().split(' ')
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const facts = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return facts[19] === began && facts[0] !== 'Z' ? Number(pid) : null
  } catch {
    return null // there is no such file or process
  }
}

/** Resolves once a resident serves, which a call has started. */
async function awaitServing() {
  for (const end = performance.now() + END_TIMEOUT_MS; findServing() === null && performance.now() < end; )
    await pause(20)
}

/** One call; resolves with what became of it. @param {string} id @returns {Promise<'refused' | 'told' | 'open'>} */
async function makeCall(id) {
  const child = spawn(launcher, ['bridge', 'run', 'codex', 'PreToolUse'], { cwd: project, env: { ...env, ONE: id } })
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  child.stderr.resume()
  child.stdin.on('error', () => {}).end(makeEvent(id))
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (said.includes('"deny"')) return 'refused'
  return code === 127 ? 'told' : 'open' // the entry in the agent's file makes a refusal of 127
}

/** @type {Record<'refused' | 'told' | 'open', string[]>} */
const ends = { refused: [], told: [], open: [] }
let made = 0
let ended = 0
let done = 0
let lastSeen = performance.now()

/** True while a resident that is still to be harmed may come. */
const isHarming = () => done < harms && (made < calls || performance.now() - lastSeen < HARM_TIMEOUT_MS)

/** Makes the calls, and more where a resident began to serve too late to be harmed among them. */
async function makeCalls() {
  while (made < calls || isHarming()) {
    const id = `call-${made++}`
    ends[await makeCall(id)].push(id)
    ended++
  }
}

/** Kills and stops the process that serves, in turns, evenly among the calls. */
async function harm() {
  while (isHarming()) {
    await pause(5)
    const pid = findServing()
    if (pid === null) continue
    lastSeen = performance.now()
    if (ended < (done * calls) / (harms + 1)) continue
    try {
      process.kill(pid, done % 2 === 0 ? 'SIGKILL' : 'SIGSTOP')
      if (done++ % 2 === 0) continue
      await pause(STOPPED_MS)
      process.kill(pid, 'SIGCONT')
    } catch {
      // it has ended by itself
    }
  }
}

/** Processes that were started for this home. */
const listProcesses = () =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'latin1').includes(`HOME=${home}\0`)
    } catch {
      return false // gone, or another user's
    }
  })

/** What is left where clients and resident meet, and of temporary folders. */
function listLeft() {
  const pipes = readdirSync(place, { recursive: true, encoding: 'utf8' }).filter((name) =>
    lstatSync(join(place, name)).isFIFO(),
  )
  const slots = readdirSync(join(place, 'slots'))
  const files = readdirSync(place).filter((name) => !['slots', 'figures.json'].includes(name))
  return { pipes, files: [...slots, ...files, ...readdirSync(temp)] }
}

const began = performance.now()
ask('bridge', 'install', 'codex', '--yes')
await makeCall('first')
await awaitServing()
await Promise.all([harm(), ...Array.from({ length: AT_A_TIME }, makeCalls)])
const seconds = (performance.now() - began) / 1000
await makeCall('last') // the last kill may have left none, or one that begins to serve only after it was told to stop
await awaitServing()
// a call starts its resident up to a second after it: one may come once the other was told to stop
for (const end = performance.now() + END_TIMEOUT_MS; listProcesses().length > 0 && performance.now() < end; ) {
  ask('resident', 'stop', '--yes')
  await pause(100)
}
const processes = listProcesses()
const { pipes, files } = listLeft()
const runs = readFileSync(join(home, 'runs'), 'utf8').trim().split('\n')
const twice = runs.length - new Set(runs).size
const unasked = ends.refused.filter((id) => !runs.includes(id))
console.log(
  [
    `${made} calls from ${AT_A_TIME} processes at a time, ${done} kills and stops of the resident, ${seconds.toFixed(0)} s, load ${loadavg()[0]?.toFixed(1)}`,
    `${ends.refused.length} refused by the guard, ${ends.told.length} refused since their resident died, ${ends.open.length} open`,
    `${twice} guards ran twice, ${unasked.length} refused calls did not run theirs`,
    `left: ${processes.length} processes, ${pipes.length} pipes, ${files.length} files${files.length > 0 ? `: ${files.slice(0, 5).join(', ')}` : ''}`,
  ].join('\n'),
)
for (const pid of processes) {
  try {
    process.kill(Number(pid), 'SIGKILL')
  } catch {
    // it has ended meanwhile
  }
}
rmSync(root, { recursive: true, force: true })
process.exitCode =
  ends.open.length + twice + unasked.length + processes.length + pipes.length + files.length > 0 || done < harms ? 1 : 0
