/**
 * Runs the conformance cases of every profile, and those without one, against the built command, each in a process of its own as
 * others run them, or most of them in few processes (`--together`); further arguments go to the runner.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeRunnerTogether } from './conformance-together.js'
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

const words = process.argv.slice(2).filter((word) => word !== '--together')
const isTogether = words.length < process.argv.length - 2
const folder = mkdtempSync(join(tmpdir(), 'hookline-conformance-'))
const runner = isTogether ? writeRunnerTogether(folder) : RUNNER
const { status } = spawnSync(process.execPath, [runner, '--driver', driver, ...words, ...files], { stdio: 'inherit' })
rmSync(folder, { recursive: true, force: true })
process.exitCode = status ?? 1

/** @param {string} text */
function quoteForShell(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}
