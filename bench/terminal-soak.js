/**
 * A user at the terminal who does everything for some minutes: neither memory nor open files may grow, and no process and no
 * temporary file may be left.
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
/** Rounds in one conversation: it grows, and is then cleared. */
const ROUNDS_PER_CONVERSATION = 5
/** What the resident memory may have grown by at the end, in MiB: pages that the collector has not given back. */
const MAX_GROWTH = 64
/** What the number of open files may have grown by: some are open for a moment when they are counted. */
const MAX_MORE_FILES = 8

const program = fileURLToPath(new URL('../packages/agent/bin/hookline-agent.js', import.meta.url))
const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-terminal-soak-')))
const project = join(root, 'project')
const temporary = join(root, 'tmp')
const token = `HOOKLINE_TERMINAL_SOAK=${root}`
const hook = (/** @type {string} */ command) => [{ hooks: [{ type: 'command', command }] }]
const hooks = {
  SessionStart: hook('echo hello'),
  UserPromptSubmit: hook('true'),
  PreToolUse: hook('if grep -q forbidden; then echo no >&2; exit 2; fi'),
  PostToolUse: [...hook('echo seen'), { hooks: [{ type: 'command', command: 'sleep 0.05', async: true }] }],
  Stop: hook('true'),
}
mkdirSync(join(project, '.claude'), { recursive: true })
mkdirSync(temporary)
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
  env: {
    PATH,
    HOME: join(root, 'home'),
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    ...{ HOOKLINE_ANSWER_AFTER_MS: '0', HOOKLINE_TERMINAL_SOAK: root },
  },
})
let rounds = 0
/** @type {number[]} */
const sizes = []
/** @type {number[]} */
const files = []
try {
  await terminal.see('Ask something')
  const pid = await terminal.pid()
  for (const end = performance.now() + lengthMs; performance.now() < end || sizes.length < 3; ) {
    await round()
    rounds++
    if (rounds % ROUNDS_PER_CONVERSATION !== 0) continue
    await clear()
    const [size, open] = [residentMiB(pid), readdirSync(`/proc/${pid}/fd`).length]
    if (rounds > WARM_UP_ROUNDS) sizes.push(size)
    if (rounds > WARM_UP_ROUNDS) files.push(open)
    if (rounds % 20 === 0) console.log(`${rounds} rounds, ${size} MiB, ${open} open files`)
  }
  await terminal.press('C-d')
  const code = await terminal.ended()
  if (code !== 0) throw new Error(`the session ended with ${code}`)
} finally {
  await terminal.close()
}
await pause(500) // what was told to end has ended
const left = processesWith(token)
const litter = readdirSync(temporary)
rmSync(root, { recursive: true, force: true })

const [growth, moreFiles] = [grown(sizes), grown(files)]
console.log(
  `${rounds} rounds; memory grew by ${growth} MiB, ${((slope(sizes) * 100) / ROUNDS_PER_CONVERSATION).toFixed(1)} MiB in 100 rounds; ` +
    `${moreFiles} more open files; ${left.length} processes and ${litter.length} temporary files left`,
)
if (growth > MAX_GROWTH || moreFiles > MAX_MORE_FILES || left.length + litter.length > 0) process.exitCode = 1

/** A prompt with calls, one refused and one asked for, an interruption, a command of the user's own, the menus, both views and another size. */
async function round() {
  await terminal.enter('go')
  await terminal.seeNow('model❯')
  await terminal.enter('Bash seq 1 50')
  await terminal.seeNow(/Bash\(seq 1 50\)[\s\S]*more lines[\s\S]*model❯/)
  await terminal.enter('Bash cat forbidden')
  await terminal.seeNow(/hook error[\s\S]*model❯/)
  await terminal.enter(`Write notes.txt round ${rounds}`)
  await terminal.seeNow('Write notes.txt?')
  await terminal.press('3')
  await terminal.seeNow('say what to do instead')
  await terminal.enter('not now')
  await terminal.seeNow(/says: not now[\s\S]*model❯/)
  await terminal.enter('Done with **this**.')
  await terminal.seeNow('Ask something')
  await terminal.enter('!echo mine')
  await terminal.seeNow(/you: Bash\(echo mine\)[\s\S]*Ask something/)
  await terminal.press('C-o')
  await terminal.seeNow('verbose')
  await terminal.press('C-o')
  await terminal.seeGone('verbose')
  await terminal.resize(70, 30)
  await terminal.seeNow(/╭─{68}╮\n│❯ {3}Ask something/)
  await terminal.resize(80, 30)
  await terminal.seeNow(/╭─{78}╮\n│❯ {3}Ask something/)
  await terminal.enter('/hooks')
  await terminal.seeNow('Hooks by event')
  await terminal.press('Escape')
  await terminal.seeNow('Ask something')
  await terminal.enter('stop')
  await terminal.seeNow('model❯')
  await terminal.press('Escape')
  await terminal.seeNow(/Interrupted[\s\S]*Ask something/)
}

async function clear() {
  await terminal.enter('/clear')
  await terminal.seeGone('Interrupted')
  await terminal.seeNow(/Conversation cleared\.[\s\S]*Ask something/)
}

/** @param {number} pid */
function residentMiB(pid) {
  const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kib) / 1024)
}

/**
 * By how much the last third is above the first.
 * @param {readonly number[]} numbers
 */
function grown(numbers) {
  const third = Math.max(1, Math.floor(numbers.length / 3))
  return median(numbers.slice(-third)) - median(numbers.slice(0, third))
}

/**
 * The slope of the line that fits best.
 * @param {readonly number[]} numbers
 */
function slope(numbers) {
  const [middle, mean] = [(numbers.length - 1) / 2, numbers.reduce((sum, one) => sum + one, 0) / numbers.length]
  const rise = numbers.reduce((sum, one, at) => sum + (at - middle) * (one - mean), 0)
  return rise / numbers.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
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
