import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { quantilesOf } from '../rounds.js'

const PROGRAM = fileURLToPath(new URL('../../packages/hookline/bin/hookline.js', import.meta.url))
const PROBE = fileURLToPath(new URL('./resource-probe.cjs', import.meta.url))
const BYTES = 100_000_000
/** 50,000 events a second. */
const TARGET_US = 20
/** The process itself takes about 50 MiB, and files of any size fit. */
const TARGET_MIB = 256

/**
 * A long session, matched against hooks by a whole call of the command.
 * @param {{ quick: boolean }} options
 * @returns {Promise<import('../table.js').Row[]>}
 */
export async function measureReplay({ quick }) {
  const root = mkdtempSync(join(tmpdir(), 'hookline-bench-'))
  try {
    const events = writeSession(join(root, 'session.jsonl'), BYTES)
    const args = [PROGRAM, 'replay', join(root, 'session.jsonl'), '--plan', '--trust', ...projectIn(root)]
    const calls = Array.from({ length: quick ? 2 : 8 }, () => taken(args))
    const times = calls.map(({ cpuUs }) => cpuUs / events)
    const memory = calls.map(({ maxRssKib }) => maxRssKib / 1024)
    const scale = `${BYTES / 1_000_000} MB`
    return [
      { ...row('an event', times, scale), unit: 'µs', target: TARGET_US },
      { ...row('resident set, highest', memory, scale), unit: 'MiB', target: TARGET_MIB },
    ]
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/**
 * @param {string} what
 * @param {readonly number[]} figures
 * @param {string} scale
 */
function row(what, figures, scale) {
  const { p25, most } = quantilesOf(figures)
  return { what, columns: /** @type {const} */ (['p25', 'most']), figure: p25, second: most, scale }
}

/**
 * What a whole call takes. Its time is that of the CPU, so that other work on the machine does not count.
 * @param {string[]} args
 * @returns {{ cpuUs: number, maxRssKib: number }}
 */
function taken(args) {
  const { status, output } = spawnSync(process.execPath, ['--require', PROBE, ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  })
  if (status !== 0) throw new Error(`hookline replay ended with ${status}`)
  return JSON.parse(String(output[3]))
}

/**
 * Writes a session as a client does; how many events it holds.
 * @param {string} path
 * @param {number} bytes
 */
function writeSession(path, bytes) {
  const file = openSync(path, 'w')
  let events = 0
  for (let written = 0, at = 0; written < bytes; at++) {
    const lines = [...(at % 20 === 0 ? [promptLine()] : []), ...callLines(at)]
    written += writeSync(file, lines.map((line) => `${JSON.stringify({ ...COMMON, ...line })}\n`).join(''))
    events += lines.length
  }
  closeSync(file)
  return events
}

const COMMON = {
  isSidechain: false,
  userType: 'external',
  cwd: '/home/somebody/project',
  sessionId: '00000000-0000-4000-8000-000000000000',
  uuid: '00000000-0000-4000-8000-000000000001',
  timestamp: '2026-11-15T09:00:00.000Z',
}

function promptLine() {
  return { type: 'user', message: { role: 'user', content: 'Do the next thing' } }
}

/**
 * A call and its result.
 * @param {number} at
 */
function callLines(at) {
  const id = `toolu_${at}`
  const name = ['Bash', 'Write', 'Read'][at % 3]
  const input = { command: 'grep -rn "deadline" src '.padEnd(120, '.') }
  const stdout = 'src/process/process.ts: the deadline\n'.repeat(6)
  return [
    {
      type: 'assistant',
      message: { id: `msg_${at}`, content: [{ type: 'tool_use', id, name, input }], stop_reason: 'tool_use' },
    },
    {
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: stdout }] },
      toolUseResult: { stdout, stderr: '' },
    },
  ]
}

/** @param {string} root */
function projectIn(root) {
  const hooks = Array.from({ length: 10 }, (_, at) => ({ type: 'command', command: `true # ${at}` }))
  const settings = {
    hooks: { PreToolUse: [{ matcher: 'Bash', hooks }], PostToolUse: [{ matcher: 'Edit|Write', hooks }] },
  }
  mkdirSync(join(root, 'project/.claude'), { recursive: true })
  mkdirSync(join(root, 'home'))
  writeFileSync(join(root, 'project/.claude/settings.json'), JSON.stringify(settings))
  const managed = join(root, 'none.json')
  return ['--project', join(root, 'project'), '--home', join(root, 'home'), '--managed', managed]
}
