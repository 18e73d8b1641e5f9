import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { BASH_CALL, untilPooled, withEngine } from '../project.js'
import { inRounds, ratioRow } from '../rounds.js'
import { hooksCalled } from '../table.js'

/** Of hooks that the host starts itself, and of those that are started as the engine chooses. */
const TARGETS = { direct: 1.05, chosen: 1.1 }
/** As many as the engine runs at a time. */
const AT_A_TIME = Math.max(8, 2 * availableParallelism())
const ROUNDS = [
  { count: 1, rounds: 1500, quickly: 200 },
  { count: 10, rounds: 250, quickly: 30 },
  { count: 100, rounds: 40, quickly: 5 },
]

/**
 * Events with 1, 10 and 100 command hooks, over starting the same commands without an engine.
 * @param {{ quick: boolean }} options
 */
export async function measureSpawning({ quick }) {
  /** @type {import('../table.js').Row[]} */
  const rows = []
  for (const { count, rounds, quickly } of ROUNDS) {
    const commands = Array.from({ length: count }, (_, index) => `true #${index}`) // else they were duplicates
    const hooks = { PreToolUse: [{ hooks: commands.map((command) => ({ type: 'command', command })) }] }
    const measure = (/** @type {import('hookline').Engine} */ direct) =>
      withEngine(hooks, (chosen) => compare({ direct, chosen, commands, rounds: quick ? quickly : rounds }))
    rows.push(...(await withEngine(hooks, measure, { launcher: 'direct' })))
  }
  return rows
}

/**
 * @param {{ direct: import('hookline').Engine, chosen: import('hookline').Engine, commands: readonly string[],
 *   rounds: number }} compared
 */
async function compare({ direct, chosen, commands, rounds }) {
  await refuseAnythingElse(direct, commands.length)
  await untilPooled(chosen)
  const payload = Buffer.from(`${JSON.stringify(BASH_CALL)}\n`)
  const times = await inRounds(
    { rounds, warmUp: 5 },
    {
      direct: { run: () => direct.dispatch(BASH_CALL) },
      chosen: { run: () => chosen.dispatch(BASH_CALL) },
      bound: { run: () => runAll(commands, payload) },
    },
  )
  const { bound } = times
  const name = hooksCalled(commands.length)
  return [
    ratioRow(`${name}, by the host`, { ours: times.direct, bound, target: TARGETS.direct }),
    ratioRow(`${name}, as chosen`, { ours: times.chosen, bound, target: TARGETS.chosen }),
  ]
}

/**
 * A fast dispatch that runs nothing must not pass for a fast one.
 * @param {import('hookline').Engine} engine
 * @param {number} count
 */
async function refuseAnythingElse(engine, count) {
  const { hooks } = await engine.dispatch(BASH_CALL)
  const ran = hooks.filter(({ exitCode }) => exitCode === 0).length
  if (ran !== count) throw new Error(`${ran} of ${count} hooks ran`)
}

/**
 * Runs commands as anybody would, as many at a time as the engine does.
 * @param {readonly string[]} commands
 * @param {Buffer} payload
 */
export async function runAll(commands, payload) {
  const waiting = commands.values()
  const runInTurn = async () => {
    for (const command of waiting) await runBare(command, payload)
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, runInTurn))
}

/**
 * A hook as anybody would run it who trusts it: no deadline, no limits, nothing kept.
 * @param {string} command
 * @param {Buffer} payload
 * @returns {Promise<void>}
 */
export function runBare(command, payload) {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', command], { detached: true, stdio: 'pipe' })
    child.stdout.resume()
    child.stderr.resume()
    child.on('close', () => resolve())
    child.stdin.on('error', () => {}) // it does not read its input
    child.stdin.end(payload)
  })
}
