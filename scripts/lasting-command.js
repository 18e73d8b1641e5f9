/** Calls of the built command by processes that last for many: to start one takes longer than most calls. */
import { fork } from 'node:child_process'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** @typedef {Readonly<Record<string, string | undefined>>} Environment */
/** @typedef {{ args: readonly string[], env: Environment } | { input: Uint8Array | null }} Told */
/** @typedef {{ stdout: Uint8Array } | { stderr: Uint8Array } | { code: number }} Answer */

const HOST = fileURLToPath(new URL('command-host.js', import.meta.url))

/** Processes that wait for a call. @type {import('node:child_process').ChildProcess[]} */
const idle = []

/**
 * Calls the command with exactly these variables, in a process that has had others and has no other meanwhile.
 * @param {readonly string[]} args
 * @param {Environment} env
 */
export function startCall(args, env) {
  const host = idle.pop() ?? fork(HOST, OPTIONS)
  host.ref()
  host.channel?.ref()
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const feed = (/** @type {Buffer | null} */ input) => void (host.connected && host.send({ input }))
  stdin.on('data', feed).on('end', () => feed(null))
  const call = {
    ...{ stdin, stdout, stderr, pid: host.pid },
    exitCode: /** @type {number | null} */ (null),
    signalCode: /** @type {string | null} */ (null),
    /** @type {Promise<{ code: number | null, signal: string | null }>} */
    ended: new Promise((resolve) => {
      const leave = (/** @type {number | null} */ code, /** @type {string | null} */ signal) => {
        host.off('message', read).off('exit', leave)
        stdin.removeAllListeners().resume() // the process is another call's now
        Object.assign(call, { exitCode: code, signalCode: signal })
        for (const stream of [stdout, stderr]) stream.end()
        resolve({ code, signal })
      }
      const read = (/** @type {Answer} */ answer) => {
        if ('stdout' in answer) stdout.write(answer.stdout)
        else if ('stderr' in answer) stderr.write(answer.stderr)
        else {
          leave(answer.code, null)
          keep(host)
        }
      }
      host.on('message', read).on('exit', leave)
    }),
  }
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
  host.send({ args, env: given })
  return call
}

/** A fault that nobody catches is printed. @type {import('node:child_process').ForkOptions} */
const OPTIONS = {
  ...{ detached: true, env: {}, execArgv: [], serialization: 'advanced' },
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
}

/** Keeps a process for the next call; it ends with this one. @param {import('node:child_process').ChildProcess} host */
function keep(host) {
  host.unref()
  host.channel?.unref()
  idle.push(host)
}
