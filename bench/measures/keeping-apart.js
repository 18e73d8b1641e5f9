import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildEngines } from '../plain-engine.js'
import { inRounds, ratioRow } from '../rounds.js'
import { hooksCalled } from '../table.js'
import { TimedProgram } from '../timed-program.js'

const HOST = fileURLToPath(new URL('../engine-host.js', import.meta.url))
const PROBE = fileURLToPath(new URL('./cpu-probe.cjs', import.meta.url))
const ROUNDS = [
  { launcher: 'pool', count: 1, rounds: 600, quickly: 100, target: 1.15 },
  { launcher: 'pool', count: 10, rounds: 120, quickly: 20, target: null },
  { launcher: 'direct', count: 1, rounds: 300, quickly: 50, target: 1.02 },
  { launcher: 'direct', count: 10, rounds: 60, quickly: 10, target: null },
]
const WHAT = { pool: 'left-overs', direct: 'pipes' }
const FIRST_TARGET = 1.05

/**
 * What it costs to look for whom a hook left behind in the session of its resident shell, and to give hooks that the
 * host starts itself pipes instead of sockets: over an engine that does neither.
 * @param {{ quick: boolean }} options
 * @returns {Promise<import('../table.js').Row[]>}
 */
export async function measureKeepingApart({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'))
  try {
    const engines = await buildEngines(folder)
    const rows = []
    for (const round of ROUNDS) rows.push(await measureRound(round, engines, quick))
    return [...rows, await measureFirstEvent(engines, quick ? 5 : 40)]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {typeof ROUNDS[number]} round
 * @param {{ whole: string, plain: string }} engines
 * @param {boolean} quick
 */
async function measureRound({ launcher, count, rounds, quickly, target }, engines, quick) {
  const whole = new TimedProgram(process.execPath, [HOST, engines.whole, launcher, String(count)])
  const plain = new TimedProgram(process.execPath, [HOST, engines.plain, launcher, String(count)])
  try {
    const times = await inRounds(
      { rounds: quick ? quickly : rounds, warmUp: 5 },
      { whole: { run: () => whole.ask('go') }, plain: { run: () => plain.ask('go') } },
    )
    const what = launcher === 'pool' ? WHAT.pool : WHAT.direct
    return ratioRow(`${hooksCalled(count)}, ${what}`, { ours: times.whole, bound: times.plain, target })
  } finally {
    for (const program of [whole, plain]) program.close()
  }
}

/**
 * CPU time of a whole process that opens an engine and fires its first event, as `hookline fire` does.
 * @param {{ whole: string, plain: string }} engines
 * @param {number} rounds
 */
async function measureFirstEvent({ whole, plain }, rounds) {
  const run = (/** @type {string} */ engine) => () => {
    const args = ['--require', PROBE, HOST, engine, 'direct', '1', 'once']
    return (
      Number(spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] }).output[3]) / 1000
    )
  }
  const times = await inRounds({ rounds }, { whole: { run: run(whole) }, plain: { run: run(plain) } })
  return ratioRow('first event, pipes, CPU', { ours: times.whole, bound: times.plain, target: FIRST_TARGET })
}
