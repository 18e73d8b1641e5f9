import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { fetchPeer } from '../fetch-peer.js'
import { writeGuards } from '../guards.js'
import { BASH_CALL } from '../project.js'
import { inRounds, ratioRow } from '../rounds.js'
import { TimedProgram } from '../timed-program.js'
import { PEER_PACKAGE } from './peers.js'

const HOST = fileURLToPath(new URL('../session-host.js', import.meta.url))
const PEER_HOST = fileURLToPath(new URL('../peer-host.js', import.meta.url))
const NODE_TARGET = process.versions.node.startsWith('20.') ? 0.25 : 0.3
const PYTHON_TARGET = 0.35
const CPU_TARGET = 1.15
/** What an interpreter takes to come to its wait, with some to spare: it must not slow down what is measured next. */
const REST_MS = 150
/** Between the calls of one session: the others take their turn meanwhile. */
const SHORT_REST_MS = 10

/**
 * Guards in Node and Python whose interpreters were started ahead, over the same started at their events.
 * @param {{ quick: boolean, remark: (sentence: string) => void }} options
 */
export function measureWarm({ quick, remark }) {
  return withGuards(async ({ python, node, module, defined }) => {
    if (python === undefined) remark('Python is not here.')
    const guards = [
      { what: 'node guard.cjs', command: node, target: NODE_TARGET, language: 'Node' },
      { what: 'node guard.mjs', command: module, target: NODE_TARGET, language: null },
      { what: 'node, with defineHook', command: defined, target: null, language: null },
      ...(python === undefined
        ? []
        : [{ what: 'python3 guard.py', command: python, target: PYTHON_TARGET, language: 'Python' }]),
    ]
    /** @type {import('../table.js').Row[]} */
    const rows = []
    for (const { what, command, target, language } of guards) {
      const [cold, warm] = ['cold', 'warm'].map(
        (way) => new TimedProgram(process.execPath, [HOST, way, JSON.stringify([command]), 'only']),
      )
      if (cold === undefined || warm === undefined) continue
      const times = await inRounds(
        { rounds: quick ? 10 : 60 },
        {
          cold: { run: () => cold.ask('call') },
          warm: { run: () => warm.ask('call') },
          rest: { run: () => pause(REST_MS) },
        },
      )
      for (const program of [cold, warm]) program.close()
      const row = ratioRow(what, { ours: times.warm, bound: times.cold, target })
      const guard = language && { language, warm: times.warm.p50, cold: times.cold.p50 }
      rows.push(guard ? { ...row, guard } : row)
      if (target !== null) rows.push(mostRow(`${what}, slowest`, times))
    }
    return rows
  })
}

/**
 * A session of tool calls with a guard each in bash, Python and Node.
 * @param {{ quick: boolean, remark: (sentence: string) => void }} options
 */
export function measureSession({ quick, remark }) {
  const calls = quick ? 15 : 200
  remark(`${calls} calls of each, in turn: about half a second from one to the next.`)
  return withGuards(async ({ bash, python, node }) => {
    const commands = JSON.stringify([bash, python, node].filter((command) => command !== undefined))
    const start = (/** @type {string} */ way) => new TimedProgram(process.execPath, [HOST, way, commands])
    const programs = {
      warm: start('warm'),
      cold: start('cold'),
      'raw spawn': start('spawn'),
      ...peer(commands, { quick, remark }),
    }
    const names = /** @type {(keyof typeof programs)[]} */ (Object.keys(programs))
    /** @type {Map<string, number[]>} */
    const waits = new Map(names.map((name) => [name, []]))
    for (let left = calls; left > 0; left--) {
      for (const name of left % 2 === 0 ? names : names.toReversed()) {
        waits.get(name)?.push((await programs[name]?.ask('call')) ?? Number.NaN)
        await pause(name === 'warm' ? REST_MS : SHORT_REST_MS)
      }
    }
    /** @type {import('../table.js').Row[]} */
    const rows = []
    /** @type {Map<string, { cpu: number, p50: number, p99: number }>} */
    const known = new Map()
    for (const name of names) {
      const sorted = (waits.get(name) ?? []).toSorted((one, other) => one - other)
      const at = (/** @type {number} */ share) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
      const memory = (await programs[name]?.ask('memory')) ?? Number.NaN
      const cpu = (await programs[name]?.ask('end')) ?? Number.NaN
      const scale = `${memory.toFixed(0)} MiB, ${(cpu / 1000).toFixed(1)} s`
      const columns = /** @type {const} */ (['p50', 'p95'])
      rows.push({ what: name, unit: 'ms', columns, figure: at(0.5), second: at(0.95), scale, target: null })
      rows.push({
        what: `${name}, p99 and most`,
        unit: 'ms',
        columns,
        figure: at(0.99),
        second: at(1),
        scale: '',
        target: null,
      })
      known.set(name, { cpu, p50: at(0.5), p99: at(0.99) })
      programs[name]?.close()
    }
    const [warm, cold] = [known.get('warm'), known.get('cold')]
    if (warm === undefined || cold === undefined) return rows
    for (const [what, figure, target] of /** @type {const} */ ([
      ['CPU, warm / cold', warm.cpu / cold.cpu, CPU_TARGET],
      ['p99, warm / cold', warm.p99 / cold.p99, 1],
    ])) {
      const session = { warm: warm.p50, cold: cold.p50 }
      rows.push({ what, unit: 'x', columns: ['p50', 'p95'], figure, second: figure, scale: '', target, session })
    }
    return rows
  })
}

/**
 * The hook system of another agent, where it is installed.
 * @param {string} commands
 * @param {{ quick: boolean, remark: (sentence: string) => void }} options
 * @returns {Record<string, TimedProgram>}
 */
function peer(commands, { quick, remark }) {
  const folder = fetchPeer(PEER_PACKAGE, { onlyIfCached: quick })
  if (folder === undefined) {
    remark(`${PEER_PACKAGE.name} is not measured: it is not installed.`)
    return {}
  }
  const input = JSON.stringify(BASH_CALL.tool_input)
  return { 'gemini-cli-core': new TimedProgram(process.execPath, [PEER_HOST, folder, '0', input, commands]) }
}

/**
 * A row that compares the slowest of all: with so few rounds no more can be said of a tail.
 * @param {string} what
 * @param {{ warm: import('../rounds.js').Quantiles, cold: import('../rounds.js').Quantiles }} times
 * @returns {import('../table.js').Row}
 */
function mostRow(what, { warm, cold }) {
  const slowest = (/** @type {import('../rounds.js').Quantiles} */ { most }) => ({ most, p50: most, p25: most })
  return ratioRow(what, { ours: slowest(warm), bound: slowest(cold), target: 1 })
}

/**
 * @template Result
 * @param {(guards: ReturnType<typeof writeGuards>) => Promise<Result>} use
 */
async function withGuards(use) {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'))
  try {
    return await use(writeGuards(folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
