import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const TARGET_MIB = 22
const HOST = fileURLToPath(new URL('../memory-host.js', import.meta.url))

/**
 * A host of its own reads 1 GB from a hook, and another one from a bare child process.
 * @param {{ quick: boolean }} options
 * @returns {Promise<import('../table.js').Row[]>}
 */
export async function measureMemory({ quick }) {
  const bytes = quick ? 300_000_000 : 1_000_000_000
  const engine = await growths('engine', bytes, quick ? 1 : 3)
  const spawned = await growths('spawn', bytes, quick ? 1 : 3)
  const printed = `${bytes / 1_000_000} MB`
  return [row(`a hook, ${printed}`, engine, TARGET_MIB), row(`bare spawn, ${printed}`, spawned, null)]
}

/**
 * @param {string} what
 * @param {readonly number[]} growth
 * @param {number | null} target
 * @returns {import('../table.js').Row}
 */
function row(what, growth, target) {
  const sorted = growth.toSorted((a, b) => a - b)
  const figure = sorted.at(-1) ?? Number.NaN
  const second = sorted[0] ?? Number.NaN
  return { what, unit: 'MiB', columns: ['most', 'least'], figure, second, scale: `${growth.length} hosts`, target }
}

/**
 * @param {'engine' | 'spawn'} reader
 * @param {number} bytes
 * @param {number} hosts
 */
async function growths(reader, bytes, hosts) {
  /** @type {number[]} */
  const found = []
  for (let left = hosts; left > 0; left--) {
    const { stdout } = await promisify(execFile)(process.execPath, [HOST, reader, String(bytes)])
    found.push(JSON.parse(stdout).grownMiB)
  }
  return found
}
