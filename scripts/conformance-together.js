/**
 * Runs conformance cases in few processes, for `npm test`: to start the command takes longer than most cases. What is about
 * processes and variables has a process of its own as ever, and so has the first case of each file.
 */
import { fork } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { ROOT } from './tools.js'

/** @typedef {{ args: string[], env: Record<string, string> } | { input: Uint8Array | null }} Told */
/** @typedef {{ stdout: Uint8Array } | { stderr: Uint8Array } | { code: number }} Answer */

const HOST = fileURLToPath(new URL('conformance-host.js', import.meta.url))
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

/** Processes that wait for a call. @type {import('node:child_process').ChildProcess[]} */
const idle = []

/**
 * Calls the command in a process that has had others; the same as `startDriver` of the runner to those who ask.
 * @param {string} _driver
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
export function startTogether(_driver, args, env) {
  const host = idle.pop() ?? startHost()
  host.ref()
  host.channel?.ref()
  const stdout = new PassThrough()
  const stdin = new PassThrough()
  const feed = (/** @type {Buffer | null} */ input) => void (host.connected && host.send({ input }))
  stdin.on('data', feed).on('end', () => feed(null))
  const driven = {
    child: {
      pid: host.pid,
      stdin,
      exitCode: /** @type {number | null} */ (null),
      signalCode: /** @type {string | null} */ (null),
    },
    lines: createInterface({ input: stdout })[Symbol.asyncIterator](),
    errors: '',
    ended: new Promise((resolve) => {
      const leave = (/** @type {number | null} */ code, /** @type {string | null} */ signal) => {
        host.off('message', read).off('exit', leave)
        stdin.removeAllListeners().resume() // the process is another case's now
        stdout.end()
        driven.child.exitCode = code
        driven.child.signalCode = signal
        resolve({ code, signal })
      }
      const read = (/** @type {Answer} */ answer) => {
        if ('stdout' in answer) stdout.write(answer.stdout)
        else if ('stderr' in answer)
          driven.errors = (driven.errors + Buffer.from(answer.stderr)).slice(-MAX_ERROR_LETTERS)
        else {
          leave(answer.code, null)
          keep(host)
        }
      }
      host.on('message', read).on('exit', leave)
    }),
  }
  host.send({ args, env })
  return driven
}

function startHost() {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('CLAUDE')))
  return fork(HOST, { detached: true, env, serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

/** Keeps a process for the next call; it ends with this one. @param {import('node:child_process').ChildProcess} host */
function keep(host) {
  host.unref()
  host.channel?.unref()
  idle.push(host)
}
