import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { OrphanGuard } from '../process/orphan-guard.ts'
import { startGroup } from '../process/process-group.ts'
import type { ChildProcess } from '../process/spawn-group.ts'
import { type Line, readStreamLines } from '../text/lines.ts'

/** A server whose input has ended may end by itself so long. */
const OWN_END_MS = 1000
/** Between SIGTERM and SIGKILL, and after it until we stop waiting. */
const GRACE_MS = 500
const PROBE_MS = 10

/** Server that the guard talks to. */
export interface McpServer {
  /** Lines, until it has ended. */
  readonly readLines: () => AsyncGenerator<Line>
  /** Sends it a line; whether it keeps up. */
  readonly send: (line: Buffer) => boolean
  /** Resolves when it has caught up. */
  readonly waitUntilCaughtUp: () => Promise<void>
  /** End of the server: `ended (exit code 1)`; asked when there are no more lines. */
  readonly end: () => Promise<string>
  /** Ends it, and everything that it started. */
  readonly close: () => Promise<void>
}

/** Starts a server that is a process: it gets our stderr, folder and environment, and a process group of its own. */
export async function startServer([file = '', ...args]: readonly string[], longest: number): Promise<McpServer> {
  const program = { file, args, cwd: process.cwd(), env: process.env }
  const { child, started, signal } = await startGroup(program, { stdio: ['pipe', 'pipe', 'inherit'] })
  const { pid, stdin, stdout } = child
  const orphans = new OrphanGuard()
  if (pid !== undefined) orphans.add(pid)
  const ended = waitForEnd(child, started)
  stdin?.on('error', () => {}) // the server may end without reading; its end says so
  stdout?.on('error', () => {})
  void ended.then(() => pause(GRACE_MS, null, { ref: false })).then(() => stdout?.destroy()) // a process that it left behind may hold the pipe
  return {
    readLines: () => readStreamLines(stdout ?? Readable.from([]), longest),
    send: (line) => {
      stdin?.write(line)
      return stdin?.write('\n') ?? true
    },
    waitUntilCaughtUp: async () => {
      if (stdin?.writableNeedDrain) await Promise.race([new Promise((resolve) => stdin.once('drain', resolve)), ended])
    },
    end: () => ended,
    close: async () => {
      stdin?.end()
      await Promise.race([ended, pause(OWN_END_MS, null, { ref: false })])
      for (const name of ['SIGTERM', 'SIGKILL'] as const) {
        if (!signal(name)) break
        signal('SIGCONT') // one that stopped itself could not act on it
        await waitUntil(() => !signal(0), GRACE_MS)
      }
      stdout?.destroy()
      await orphans.dismiss()
    },
  }
}

function waitForEnd(child: ChildProcess, started: Promise<void>): Promise<string> {
  return new Promise((resolve) => {
    started.catch(({ message }) => resolve(`could not be started: ${message}`))
    child.on('exit', (code, signal) => resolve(`ended (${signal ?? `exit code ${code}`})`))
  })
}

async function waitUntil(holds: () => boolean, withinMs: number): Promise<void> {
  const end = performance.now() + withinMs
  while (!holds() && performance.now() < end) await pause(PROBE_MS)
}
