import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inRounds, ratioRow } from '../rounds.js'
import { TimedProgram } from '../timed-program.js'

const SOURCE = fileURLToPath(new URL('../posix-spawn.c', import.meta.url))
const HOST = fileURLToPath(new URL('../dispatch-host.js', import.meta.url))
const LARGE_MIB = 2048
const LARGE_TARGET = 1.05
/** As many as the engine runs at a time. */
const AT_A_TIME = Math.max(8, 2 * availableParallelism())
const ROUNDS = [
  { count: 1, rounds: 600, quickly: 100, target: 1.4, blocked: 0.15 },
  { count: 10, rounds: 120, quickly: 20, target: 1.05, blocked: null },
  { count: 100, rounds: 30, quickly: 5, target: 1.05, blocked: 1 },
]

/**
 * Events with 1, 10 and 100 command hooks that resident shells start, in a small host and in a large one, over a C
 * program that starts as many shells with posix_spawn. Without a compiler there is nothing to compare with.
 * @param {{ quick: boolean }} options
 */
export async function measureDispatching({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'))
  const program = join(folder, 'posix-spawn')
  const compiled = spawnSync('cc', ['-O2', '-o', program, SOURCE], { stdio: 'inherit' }).status === 0
  const programs = [
    new TimedProgram(process.execPath, [HOST, '0']),
    new TimedProgram(process.execPath, [HOST, String(LARGE_MIB)]),
    ...(compiled ? [new TimedProgram(program, [String(AT_A_TIME)])] : []),
  ]
  try {
    const [small, large, bound] = programs
    if (!small || !large) return []
    if (!bound) console.log('  no C compiler: the bound is not measured, see the part over raw spawn')
    return (await inTurn(ROUNDS, (round) => measureRound(round, { small, large, bound, quick }))).flat()
  } finally {
    for (const one of programs) one.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {typeof ROUNDS[number]} round
 * @param {{ small: TimedProgram, large: TimedProgram, bound: TimedProgram | undefined, quick: boolean }} programs
 * @returns {Promise<import('../table.js').Row[]>}
 */
async function measureRound({ count, rounds, quickly, target, blocked }, { small, large, bound, quick }) {
  const times = await inRounds(
    { rounds: quick ? quickly : rounds, warmUp: 5 },
    {
      small: { run: () => small.ask(String(count)) },
      large: { run: () => large.ask(String(count)) },
      blocked: { run: () => small.ask(`blocked ${count}`) },
      blockedLarge: { run: () => large.ask(`blocked ${count}`) },
      bound: { run: () => bound?.ask(String(count)) ?? Number.NaN },
    },
  )
  const name = `${count} hook${count > 1 ? 's' : ''}`
  const { p50, p25 } = times.blocked
  const row = ratioRow(`${name}, 2 GiB / small`, { ours: times.large, bound: times.small, target: LARGE_TARGET })
  /** @type {import('../table.js').Row} */
  const loop = {
    ...row,
    what: `${name}, loop blocked`,
    unit: 'ms',
    figure: p50,
    second: p25,
    scale: '',
    target: blocked,
  }
  return [
    ...(bound ? [ratioRow(`${name} / bound`, { ours: times.small, bound: times.bound, target })] : []),
    row,
    loop,
    { ...loop, what: `${name}, blocked, 2 GiB`, figure: times.blockedLarge.p50, second: times.blockedLarge.p25 },
  ]
}

/**
 * One after the other: they would disturb each other.
 * @template One, Result
 * @param {readonly One[]} items
 * @param {(item: One) => Promise<Result>} act
 */
async function inTurn(items, act) {
  /** @type {Result[]} */
  const results = []
  for (const item of items) results.push(await act(item))
  return results
}
