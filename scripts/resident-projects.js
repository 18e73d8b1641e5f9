// Makes calls of an agent from many projects of one user, as in a long day, and looks at the process that answers them: its memory,
// descriptors and children on the way and at the end, and its CPU time while nobody calls:
//   node scripts/resident-projects.js [--projects 200] [--calls 5] [--idle 10]
// Ends with 1 where it grows, holds more than 70 MiB beside its warm interpreters or more than 8 of these, or works while nobody calls.
// Needs a build; Linux only.

import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readCall } from './read-options.js'

const COMMAND = fileURLToPath(new URL('../packages/hookline/bin/hookline.js', import.meta.url))
const MAX_MEMORY_MB = 70
const MAX_INTERPRETERS = 8
/** Descriptors and children more at the end than after the first tenth of the projects. */
const MAX_GROWTH = 12
/** Ticks of a hundredth of a second, of which a collection of garbage may take one. */
const MAX_IDLE_TICKS = 1
const START_TIMEOUT_MS = 30_000
/** Until the last interpreter has started, and the process has given back what nobody needs: V8 looks once more some seconds after it. */
const REST_MS = 20_000

const { readNumber } = readCall(import.meta.url, {
  options: { projects: { type: 'string' }, calls: { type: 'string' }, idle: { type: 'string' } },
})
const projects = readNumber('projects', 200)
const calls = readNumber('calls', 5)
const idleSeconds = readNumber('idle', 10)

const root = mkdtempSync(join(tmpdir(), 'hookline-resident-projects-'))
const home = join(root, 'home')
mkdirSync(join(home, '.claude'), { recursive: true })
writeFileSync(
  join(home, 'guard.mjs'),
  `let text = ''
for await (const chunk of process.stdin) text += chunk
if (JSON.parse(text).tool_input.command.includes('rm ')) process.exitCode = 2
`,
)
const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: `node ${home}/guard.mjs` }] }] }
writeFileSync(join(home, '.claude/settings.json'), JSON.stringify({ hooks }))
const env = { PATH: process.env.PATH, HOME: home }
const launcher = join(home, '.hookline/bin/hookline')
const place = join(home, '.hookline/resident')

/** @param {string} project @param {string} command */
async function makeCall(project, command) {
  const child = spawn(launcher, ['bridge', 'run', 'codex', 'PreToolUse'], { cwd: project, env })
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  child.stderr.resume()
  child.stdin
    .on('error', () => {})
    .end(
      `${JSON.stringify({
        ...{ session_id: project, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } },
        ...{
          tool_use_id: 't',
          turn_id: 'u',
          model: 'm',
          permission_mode: 'default',
          transcript_path: null,
          cwd: project,
        },
      })}\n`,
    )
  await new Promise((resolve) => child.on('close', resolve))
  return said.includes('"deny"')
}

/** @param {string} path */
const readOrNothing = (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // there is no such file
  }
}

const findServing = () => Number(readOrNothing(join(place, 'engine')).split(' ')[0]) || null

/** Interpreters that wait for a call, which other processes of ours have started. */
const listInterpreters = () =>
  readdirSync('/proc').filter(
    (name) =>
      /^\d+$/.test(name) &&
      /node\0.*guard\.mjs\0$/.test(readOrNothing(`/proc/${name}/cmdline`)) &&
      readOrNothing(`/proc/${name}/environ`).includes(`HOME=${home}\0`),
  )

/** Facts of the process that serves. @param {number} pid */
function measure(pid) {
  const stat = readOrNothing(`/proc/${pid}/stat`)
  const [utime, stime] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return {
    memory: Number(/^VmRSS:\s*(\d+)/m.exec(readOrNothing(`/proc/${pid}/status`))?.[1]) / 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    interpreters: listInterpreters().length,
    ticks: (utime ?? 0) + (stime ?? 0),
  }
}

/** @param {string} when @param {ReturnType<typeof measure>} facts */
function tell(when, { memory, descriptors, interpreters }) {
  console.log(
    `${when.padEnd(20)} ${memory.toFixed(1)} MiB, ${descriptors} descriptors, ${interpreters} interpreters wait`,
  )
}

spawnSync(process.execPath, [COMMAND, 'bridge', 'install', 'codex', '--yes'], { cwd: home, env })
await makeCall(home, 'ls')
for (const end = performance.now() + START_TIMEOUT_MS; findServing() === null && performance.now() < end; )
  await pause(20)
const pid = findServing() ?? 0
let open = 0
let early = measure(pid)
for (let at = 0; at < projects; at++) {
  const project = join(root, `project-${at}`)
  mkdirSync(join(project, '.git'), { recursive: true })
  for (let call = 0; call < calls; call++) if (!(await makeCall(project, `rm ${call}`))) open++
  if (at === Math.ceil(projects / 10)) {
    early = measure(pid)
    tell(`${at} projects`, early)
  }
}
tell(`${projects} projects`, measure(pid))
await pause(REST_MS)
const before = measure(pid)
await pause(idleSeconds * 1000)
const last = measure(pid)
tell('then, idle', last)
const { served = 0 } = JSON.parse(readOrNothing(join(place, 'figures.json')).split('\n')[0] || '{}')
const slots = readdirSync(join(place, 'slots')).length
console.log(
  `${projects * calls} calls, ${served} answered by the resident, ${open} open; ${slots} slots; ${(last.ticks - before.ticks) * 10} ms of CPU in ${idleSeconds} idle seconds; load ${loadavg()[0]?.toFixed(1)}`,
)
spawnSync(process.execPath, [COMMAND, 'resident', 'stop', '--yes'], { cwd: home, env })
rmSync(root, { recursive: true, force: true })
const isBounded =
  last.memory <= MAX_MEMORY_MB &&
  last.interpreters <= MAX_INTERPRETERS &&
  last.descriptors - early.descriptors <= MAX_GROWTH
process.exitCode = isBounded && open === 0 && served > 0 && last.ticks - before.ticks <= MAX_IDLE_TICKS ? 0 : 1
