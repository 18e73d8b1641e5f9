/** `npm run soak`: the engine's soak and then the terminal's, each for the time that `--minutes` or `--seconds` gives. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { minutes, seconds, seed } = parseArgs({
  options: { minutes: { type: 'string' }, seconds: { type: 'string' }, seed: { type: 'string' } },
}).values
const length = String(seconds ?? Number(minutes ?? 3) * 60)

const engine = run('soak.js', '--seconds', length, ...(seed === undefined ? [] : ['--seed', seed]))
const terminal = run('terminal-soak.js', '--seconds', length)
process.exitCode = engine || terminal

/**
 * @param {string} program
 * @param {string[]} args
 */
function run(program, ...args) {
  const path = fileURLToPath(new URL(program, import.meta.url))
  return spawnSync(process.execPath, [path, ...args], { stdio: 'inherit' }).status ?? 1
}
