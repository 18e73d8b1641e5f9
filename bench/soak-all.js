/**
 * `npm run soak`: the engine's soak and then the terminal's, each for the time that `--minutes` or `--seconds` gives.
 * With `--events` the engine's is as long as that takes, and the terminal's as long as usual.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { MISUSED } from '../scripts/read-options.js'

const args = process.argv.slice(2)
const { minutes, seconds, events } = parseArgs({
  args,
  options: { minutes: { type: 'string' }, seconds: { type: 'string' }, events: { type: 'string' } },
  strict: false, // the other options are the engine's
}).values
const length = seconds ?? Number(minutes ?? 3) * 60

const engine = run('soak.js', ...args)
const isOver = engine === MISUSED || args.includes('--help')
const terminal = isOver ? 0 : run('terminal-soak.js', ...(events === undefined ? ['--seconds', String(length)] : []))
process.exitCode = engine || terminal

/**
 * @param {string} program
 * @param {string[]} args
 */
function run(program, ...args) {
  const path = fileURLToPath(new URL(program, import.meta.url))
  return spawnSync(process.execPath, [path, ...args], { stdio: 'inherit' }).status ?? 1
}
