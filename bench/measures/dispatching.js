import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inRounds, ratioRow } from '../rounds.js'
import { hooksCalled } from '../table.js'
import { TimedProgram } from '../timed-program.js'

const SOURCE = fileURLToPath(new URL('../posix-spawn.c', import.meta.url))
const HOST = fileURLToPath(new URL('../dispatch-host.js', import.meta.url))
const LEAST_HOST = fileURLToPath(new URL('../least-host.js', import.meta.url))
const SPAWN_HOST = fileURLToPath(new URL('../spawn-host.js', import.meta.url))
const LARGE_MIB = 2048
const LARGE_TARGET = 1.05
/** Resident shells are there to be faster than that. */
const SPAWN_TARGET = 1
/** As many as the engine runs at a time. */
const AT_A_TIME = String(Math.max(8, 2 * availableParallelism()))
const ROUNDS = [
  { count: 1, rounds: 600, quickly: 100, target: 1.4, blocked: 0.15 },
  { count: 10, rounds: 120, quickly: 20, target: 1.05, blocked: null },
  { count: 100, rounds: 30, quickly: 5, target: 1.05, blocked: 1 },
]

/**
 * What events are compared with.
 * @typedef {{ name: string, headline: string, remark: string, program: TimedProgram, hasBoundTargets: boolean }} Reference
 */

/**
 * Events with 1, 10 and 100 command hooks that resident shells start, in a small host and in a large one, over a C
 * program that starts as many shells with posix_spawn, or over raw spawn where that program cannot be built.
 * @param {{ quick: boolean, remark: (sentence: string) => void }} options
 */
export async function measureDispatching({ quick, remark }) {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'))
  const reference = startReference(folder)
  const small = new TimedProgram(process.execPath, [HOST, '0'])
  const large = new TimedProgram(process.execPath, [HOST, String(LARGE_MIB)])
  const least = new TimedProgram(process.execPath, [LEAST_HOST])
  remark(reference.remark)
  try {
    return (await inTurn(ROUNDS, (round) => measureRound(round, { small, large, least, reference, quick }))).flat()
  } finally {
    for (const program of [reference.program, small, large, least]) program.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {string} folder
 * @returns {Reference}
 */
function startReference(folder) {
  const program = join(folder, 'posix-spawn')
  if (spawnSync('cc', ['-O2', '-o', program, SOURCE], { stdio: 'inherit' }).status === 0) {
    return {
      name: 'bound',
      headline: 'time, over a C program that starts the same with `posix_spawn`',
      remark: 'That program, the bound, is written in C and uses posix_spawn.',
      program: new TimedProgram(program, [AT_A_TIME]),
      hasBoundTargets: true,
    }
  }
  return {
    name: 'raw spawn',
    headline: 'time, over raw `spawn` of the same (no C compiler to build the bound)',
    remark:
      'No C compiler here, so that program is a small Node process with raw spawn, not the bound, which is written in C and uses posix_spawn. The targets of the bound do not apply; the target is to be no slower.',
    program: new TimedProgram(process.execPath, [SPAWN_HOST]),
    hasBoundTargets: false,
  }
}

/**
 * @param {typeof ROUNDS[number]} round
 * @param {{ small: TimedProgram, large: TimedProgram, least: TimedProgram, reference: Reference, quick: boolean }} programs
 * @returns {Promise<import('../table.js').Row[]>}
 */
async function measureRound({ count, rounds, quickly, target, blocked }, programs) {
  const { small, large, least, reference, quick } = programs
  const times = await inRounds(
    { rounds: quick ? quickly : rounds, warmUp: 5 },
    {
      small: { run: () => small.ask(String(count)) },
      large: { run: () => large.ask(String(count)) },
      blocked: { run: () => small.ask(`blocked ${count}`) },
      blockedLarge: { run: () => large.ask(`blocked ${count}`) },
      least: { run: () => least.ask(String(count)) },
      reference: { run: () => reference.program.ask(String(count)) },
    },
  )
  const name = hooksCalled(count)
  /** @type {(line: string) => { headline: { line: string, hooks: number } }} */
  const inLine = (line) => ({ headline: { line, hooks: count } })
  /** @type {(what: string, taken: import('../rounds.js').Quantiles) => import('../table.js').Row} */
  const loopRow = (what, { p50, p25 }) => ({
    what,
    unit: 'ms',
    columns: ['p50', 'p25'],
    figure: p50,
    second: p25,
    scale: '',
    target: blocked,
  })
  return [
    {
      ...ratioRow(`${name} / ${reference.name}`, {
        ours: times.small,
        bound: times.reference,
        target: reference.hasBoundTargets ? target : SPAWN_TARGET,
      }),
      ...inLine(reference.headline),
    },
    ratioRow(`${name}, least / ${reference.name}`, { ours: times.least, bound: times.reference, target: null }),
    {
      ...ratioRow(`${name}, 2 GiB / small`, { ours: times.large, bound: times.small, target: LARGE_TARGET }),
      ...inLine('time in a host of 2 GiB, over that in a small one'),
    },
    { ...loopRow(`${name}, loop blocked`, times.blocked), ...inLine('event loop of the host blocked') },
    loopRow(`${name}, blocked, 2 GiB`, times.blockedLarge),
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
