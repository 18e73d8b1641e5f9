/** `npm test` runs every step, `npm run quick` those that take a minute (`--quick`); the last line is `N passed, N failed`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeMemoryFolder } from './memory-folder.js'
import { readCall } from './read-options.js'
import { QUICK_STEPS, STEPS } from './test-steps.js'

/**
 * @typedef {import('./test-steps.js').Step} Step
 * @typedef {import('./test-steps.js').Result} Result
 */

const { values } = readCall(import.meta.url, { options: { quick: { type: 'boolean' } } })
const reports = mkdtempSync(join(tmpdir(), 'hookline-test-'))
const memory = process.env.TMPDIR === undefined ? makeMemoryFolder() : undefined
if (memory !== undefined) process.env.TMPDIR = memory // where many write, a disk takes a millisecond for each folder
process.once('exit', () => {
  for (const folder of [reports, memory]) if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1)) // what is in memory stays there otherwise
/** @type {Map<string, Promise<Result>>} */
const started = new Map()

for (const step of values.quick ? QUICK_STEPS : STEPS) {
  const result = resultOf(step)
  started.set(step.name, result)
  if (!step.isBeside) await result
}
const results = await Promise.all(started.values())

const passed = sum(results.map((result) => result.passed))
const failed = sum(results.map((result) => result.failed))
process.exitCode = failed > 0 ? 1 : 0
console.log(`${passed} passed, ${failed} failed`)

/**
 * Runs a step once those that it needs or comes after are over, and prints how it ended.
 * @param {Step} step
 */
async function resultOf(step) {
  const needed = (step.needs ?? []).map(async (name) => ((await started.get(name))?.failed === 0 ? [] : [name]))
  const [missing] = (await Promise.all(needed)).flat()
  await Promise.all((step.after ?? []).map((name) => started.get(name)))
  const start = performance.now()
  const result = missing === undefined ? await step.run({ reports }) : notRun(missing)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const end = `${result.failed > 0 ? 'FAILED' : 'ok'}  ${[`${seconds} s`, result.summary].filter(Boolean).join(', ')}`
  console.log(`${step.name} … ${end}`)
  if (result.failed > 0 && result.output) console.log(`\n${result.output.trimEnd()}\n`)
  return result
}

/**
 * @param {string} missing
 * @returns {Result}
 */
function notRun(missing) {
  return { passed: 0, failed: 1, summary: `not run, because the step "${missing}" failed`, output: '' }
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}
