/** `npm test`: runs every step, cheapest first, and ends with the line `N passed, N failed`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { STEPS } from './test-steps.js'

const reports = mkdtempSync(join(tmpdir(), 'hookline-test-'))
/** @type {Set<string>} */
const failedSteps = new Set()
const total = { passed: 0, failed: 0 }

for (const step of STEPS) {
  process.stdout.write(`${step.name} … `)
  const started = performance.now()
  const result = await resultOf(step)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${result.failed > 0 ? 'FAILED' : 'ok'}  ${[`${seconds} s`, result.summary].filter(Boolean).join(', ')}`)
  if (result.failed > 0) failedSteps.add(step.name)
  if (result.failed > 0 && result.output) console.log(`\n${result.output.trimEnd()}\n`)
  total.passed += result.passed
  total.failed += result.failed
}

rmSync(reports, { recursive: true, force: true })
process.exitCode = total.failed > 0 ? 1 : 0
console.log(`${total.passed} passed, ${total.failed} failed`)

/**
 * @param {import('./test-steps.js').Step} step
 * @returns {Promise<import('./test-steps.js').Result>}
 */
async function resultOf(step) {
  if (step.needs && failedSteps.has(step.needs)) {
    return { passed: 0, failed: 1, summary: `not run, because the step "${step.needs}" failed`, output: '' }
  }
  return step.run({ reports })
}
