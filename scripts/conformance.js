/** Runs the conformance cases against the built command; further arguments go to conformance/run.mjs. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, tool } from './tools.js'

const CASES = join(ROOT, 'conformance')

const files = readdirSync(CASES)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => join(CASES, name))
const driver = quoteForShell(tool('hookline'))

const { status } = spawnSync(
  process.execPath,
  [join(CASES, 'run.mjs'), '--driver', driver, ...process.argv.slice(2), ...files],
  { stdio: 'inherit' },
)
process.exitCode = status ?? 1

/** @param {string} text */
function quoteForShell(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}
