/**
 * A person at the terminal who does everything for some minutes: memory must not grow, and no process may be left.
 * `--minutes N` or `--seconds N` say how long. It needs the build and tmux; Linux only.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openTerminal } from '../scripts/tmux-terminal.js'

const { minutes, seconds } = parseArgs({
  options: { minutes: { type: 'string' }, seconds: { type: 'string' } },
}).values
const lengthMs = seconds === undefined ? Number(minutes ?? 2) * 60_000 : Number(seconds) * 1000
if (!(lengthMs > 0)) throw new Error('--minutes and --seconds are numbers above 0')

/** Rounds before memory is looked at for the first time: programs are loaded, and pools filled, in the first ones. */
const WARM_UP_ROUNDS = 10
/** What the resident memory may have grown by at the end, in MiB: pages that the collector has not given back. */
const MOST_GROWTH = 64

const program = fileURLToPath(new URL('../packages/agent/bin/hookline-agent.js', import.meta.url))
const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-terminal-soak-')))
const project = join(root, 'project')
const token = `HOOKLINE_TERMINAL_SOAK=${root}`
const hook = (/** @type {string} */ command) => [{ hooks: [{ type: 'command', command }] }]
const hooks = {
  SessionStart: hook('echo hello'),
  UserPromptSubmit: hook('true'),
  PreToolUse: hook('if grep -q forbidden; then echo no >&2; exit 2; fi'),
  PostToolUse: hook('echo seen'),
  Stop: hook('true'),
}
mkdirSync(join(project, '.claude'), { recursive: true })
writeFileSync(
  join(project, '.claude/settings.json'),
  JSON.stringify({ hooks, statusLine: { type: 'command', command: 'echo well' } }),
)

const { PATH } = process.env
const terminal = await openTerminal({
  command: [
    process.execPath,
    '--max-old-space-size=200',
    program,
    '--home',
    join(root, 'home'),
    '--trust',
    '--allowed-tools',
    'Bash',
  ],
  cwd: project,
  env: { PATH, HOME: join(root, 'home'), LANG: 'C.UTF-8', HOOKLINE_TERMINAL_SOAK: root },
})
let rounds = 0
/** @type {number[]} */
const sizes = []
try {
  await terminal.see('Ask something')
  const pid = await terminal.pid()
  for (const end = performance.now() + lengthMs; performance.now() < end || rounds <= WARM_UP_ROUNDS; ) {
    await round()
    rounds++
    if (rounds > WARM_UP_ROUNDS) sizes.push(residentMiB(pid))
    if (rounds % 20 === 0) console.log(`${rounds} rounds, ${residentMiB(pid)} MiB`)
  }
  await terminal.press('C-d')
  const code = await terminal.ended()
  if (code !== 0) throw new Error(`the session ended with ${code}`)
} finally {
  await terminal.close()
}
await pause(500) // what was told to end has ended
const left = processesWith(token)
rmSync(root, { recursive: true, force: true })

const third = Math.max(1, Math.floor(sizes.length / 3))
const growth = median(sizes.slice(-third)) - median(sizes.slice(0, third))
console.log(`${rounds} rounds; memory grew by ${growth.toFixed(1)} MiB; ${left.length} processes left`)
if (growth > MOST_GROWTH || left.length > 0) process.exitCode = 1

/** A prompt with a call, a refusal, an interruption, the menus, both views and an empty conversation. */
async function round() {
  await terminal.enter('go')
  await terminal.seeNow('model❯')
  await terminal.enter('Bash seq 1 50')
  await terminal.seeNow(/Bash\(seq 1 50\)[\s\S]*more lines[\s\S]*model❯/)
  await terminal.enter('Bash cat forbidden')
  await terminal.seeNow(/hook error[\s\S]*model❯/)
  await terminal.enter('Done with **this**.')
  await terminal.seeNow('Ask something')
  await terminal.press('C-o')
  await terminal.seeNow('verbose')
  await terminal.press('C-o')
  await terminal.seeGone('verbose')
  await terminal.enter('/hooks')
  await terminal.seeNow('Hooks by event')
  await terminal.press('Escape')
  await terminal.seeNow('Ask something')
  await terminal.enter('stop')
  await terminal.seeNow('model❯')
  await terminal.press('Escape')
  await terminal.seeNow('Interrupted')
  await terminal.seeNow('Ask something')
  await terminal.enter('/clear')
  await terminal.seeGone('Interrupted')
  await terminal.seeNow(/Conversation cleared\.[\s\S]*Ask something/)
}

/** @param {number} pid */
function residentMiB(pid) {
  const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kib) / 1024)
}

/** @param {readonly number[]} numbers */
function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0
}

/** @param {string} mark */
function processesWith(mark) {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return readFileSync(`/proc/${name}/environ`, 'latin1').includes(mark)
    } catch {
      return false // gone, or not ours
    }
  })
}
