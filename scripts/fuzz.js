/**
 * `npm run fuzz [-- --minutes N]`: holds the laws of test/fuzz against new random inputs until the time is over or one
 * fails. The laws of the driver need `npm run build` first.
 */

import { spawn } from 'node:child_process'
import { readCall } from './read-options.js'
import { ROOT, tool } from './tools.js'

/** How long each law is tried with one seed, at most. */
const MAX_TRY_SECONDS = 20
/** A round takes about so many times as long: there are a dozen laws, a few at a time. */
const TRIES_PER_ROUND = 8
/** A round that takes this much longer hangs. */
const GRACE_SECONDS = 600

const minutes = readCall(import.meta.url, { options: { minutes: { type: 'string' } } }).readNumber('minutes', 10)

process.exitCode = await search(performance.now() + minutes * 60_000)

/**
 * Round after round, each with a fresh seed; the exit code.
 * @param {number} end
 */
async function search(end) {
  for (let round = 1; performance.now() < end; round++) {
    const seed = Date.now() % 2 ** 31
    const left = (end - performance.now()) / 1000
    const seconds = Math.ceil(Math.min(MAX_TRY_SECONDS, left / TRIES_PER_ROUND))
    console.log(`round ${round}: seed ${seed}, ${seconds} s for each law`)
    const { code, output } = await runRound(seed, seconds)
    for (const [count] of output.matchAll(/\d+ runs, \d+ a second.*/g)) console.log(`  ${count}`)
    if (code === 0) continue
    console.log(output.trimEnd())
    console.log(
      `\nFailed with seed ${seed}. Once more: HOOKLINE_SEED=${seed} HOOKLINE_FUZZ_SECONDS=${seconds} npx vitest run test/fuzz`,
    )
    console.log('Keep the smallest counterexample in packages/hookline/test/fuzz/corpus (its README.md says how).')
    return 1
  }
  console.log('nothing found')
  return 0
}

/**
 * @param {number} seed
 * @param {number} seconds
 */
function runRound(seed, seconds) {
  const env = { ...process.env, HOOKLINE_SEED: String(seed), HOOKLINE_FUZZ_SECONDS: String(seconds) }
  return run(process.execPath, [tool('vitest'), 'run', '--no-color', 'test/fuzz'], {
    env,
    timeout: (seconds + GRACE_SECONDS) * 1000,
  })
}

/**
 * Runs a program in the root to its end; what it prints is kept together.
 * @param {string} program
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function run(program, args, options) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    child.on('close', (code) => resolve({ code, output }))
  })
}
