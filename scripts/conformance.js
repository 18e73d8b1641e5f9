/** Runs the conformance cases of every profile, and those without one, against the built command; further arguments go to the runner. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, tool } from './tools.js'

const FOLDERS = ['conformance', 'conformance-current', 'conformance-auto'].map((name) => join(ROOT, name))
/** The runner of all of them. */
const RUNNER = join(ROOT, 'conformance', 'run.mjs')

const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name)),
)
const driver = quoteForShell(tool('hookline'))

const { status } = spawnSync(process.execPath, [RUNNER, '--driver', driver, ...process.argv.slice(2), ...files], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1

/** @param {string} text */
function quoteForShell(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}
