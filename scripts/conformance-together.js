/**
 * Runs conformance cases in few processes, for `npm test`: to start the command takes longer than most cases. What is about
 * processes and variables has a process of its own as ever, and so has the first case of each file.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startCall } from './lasting-command.js'
import { ROOT } from './tools.js'

const MAX_ERROR_LETTERS = 2000

/** What is replaced by what in the runner. @type {readonly (readonly [string, string])[]} */
const CHANGES = [
  [
    `import { spawn } from 'node:child_process'`,
    `import { spawn } from 'node:child_process'\nimport { isAlone, startTogether } from '${import.meta.url}'`,
  ],
  ['const driven = startDriver(driver,', 'const driven = (isAlone(file, spec) ? startDriver : startTogether)(driver,'],
]

/**
 * Writes the runner that does so, and says where.
 * @param {string} folder
 */
export function writeRunnerTogether(folder) {
  let text = readFileSync(join(ROOT, 'conformance', 'run.mjs'), 'utf8')
  for (const [before, after] of CHANGES) {
    if (!text.includes(before)) throw new Error(`run.mjs has changed; this is not in it any more: ${before}`)
    text = text.replace(before, () => after)
  }
  const path = join(folder, 'run-together.mjs')
  writeFileSync(path, text)
  return path
}

/** Files of which a case has begun. @type {Set<string>} */
const begun = new Set()

/**
 * True for a case that needs a process of its own.
 * @param {string} file
 * @param {{ env?: object, survivors?: number }} spec
 */
export function isAlone(file, { env, survivors }) {
  const isFirst = !begun.has(file)
  begun.add(file)
  return isFirst || file.includes('process') || env !== undefined || survivors !== undefined
}

/**
 * Starts the command for a case in a process that has had others, as `startDriver` of the runner does in one of its own.
 * @param {string} _driver
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
export function startTogether(_driver, args, env) {
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('CLAUDE'))
  const call = startCall(args, { ...Object.fromEntries(clean), ...env })
  const lines = createInterface({ input: call.stdout })[Symbol.asyncIterator]()
  const driven = { child: call, ended: call.ended, lines, errors: '' }
  call.stderr.on('data', (chunk) => {
    driven.errors = (driven.errors + chunk).slice(-MAX_ERROR_LETTERS)
  })
  return driven
}
