import { resolve } from 'node:path'
import { findHome } from 'hookline/internal'
import { TerminalHost } from '../terminal/host.ts'
import { readTerminalStyle } from '../terminal/text/look.ts'
import { makeAgentOptions } from './agent-options.ts'
import type { Arguments } from './arguments.ts'

/** Milliseconds without a key before hooks hear that the user is waited for. */
const IDLE_AFTER_MS = 60_000

/** Longer than the gaps between the keys of a user who types, and shorter than reading a dialog takes. */
const ANSWER_AFTER_MS = 500

/** A session in the terminal, from its opening to its end; resolves with the exit code. */
export async function runTerminal(given: Arguments, version: string): Promise<number> {
  const { env } = process
  const host = new TerminalHost({
    agent: { ...makeAgentOptions(given), ...readDelays(env) },
    model: given.model,
    trusted: given.trust,
    project: resolve(given.project ?? process.cwd()),
    home: resolve(given.home || findHome()),
    env,
    version,
    debug: given.debug,
    prompt: given.prompt,
    idleAfterMs: parseMilliseconds(env.HOOKLINE_IDLE_AFTER_MS, IDLE_AFTER_MS),
    answerAfterMs: parseMilliseconds(env.HOOKLINE_ANSWER_AFTER_MS, ANSWER_AFTER_MS),
  })
  const drawn = !given.plain && canDraw(env)
  const signals = new TerminalSignals(host, { interruptsTurns: !drawn })
  try {
    const { showTerminal: show } = drawn
      ? await import('../terminal/show.tsx')
      : await import('../terminal/plain/show.ts')
    await show(host, readTerminalStyle(env))
    return signals.exitCode ?? 0
  } finally {
    await host.leave('other') // the session is over already, unless something of ours failed
    signals.release()
    // Node aborts when it gives back a terminal that is gone; so the signal does what it would have done by itself.
    if (signals.exitCode === HUNG_UP) {
      process.removeAllListeners('SIGHUP')
      process.kill(process.pid, 'SIGHUP')
    }
  }
}

/** A time that a variable sets; one that is not a number does not count. */
function parseMilliseconds(given: string | undefined, usual: number): number {
  const ms = Number(given ?? Number.NaN)
  return ms >= 0 ? ms : usual
}

/** Reads how long a dialog may wait before hooks hear of it, which can be set from outside, to try hooks on it. */
function readDelays({ HOOKLINE_NOTIFY_AFTER_MS: given }: NodeJS.ProcessEnv): { readonly notifyAfterMs?: number } {
  return given === undefined ? {} : { notifyAfterMs: Number(given) }
}

/** A terminal that cannot move its cursor gets lines; so does one that only passes for a terminal, as on build machines. */
function canDraw({ TERM, CI }: NodeJS.ProcessEnv): boolean {
  return TERM !== 'dumb' && CI === undefined
}

/** The exit code of a process whose terminal is gone. */
const HUNG_UP = 129

const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: HUNG_UP } as const

/** Effects of signals on a session in a terminal: they end it in order, and SessionEnd hooks still run. */
class TerminalSignals {
  readonly #listeners: readonly { readonly name: string; readonly listen: () => void }[]
  #code: number | null = null

  /** `interruptsTurns`: Ctrl+C comes as a signal, and means what it means as a key. */
  constructor(host: TerminalHost, { interruptsTurns }: { readonly interruptsTurns: boolean }) {
    this.#listeners = Object.entries(CODES).map(([name, code]) => ({
      name,
      listen: () => {
        if (name === 'SIGINT' && interruptsTurns) return host.cancel()
        this.#code ??= code
        void host.leave('other')
      },
    }))
    for (const { name, listen } of this.#listeners) process.on(name, listen)
  }

  /** Exit code of a process that was ended so; null: it was not. */
  get exitCode(): number | null {
    return this.#code
  }

  /** Gives the signals back to the system. */
  release(): void {
    for (const { name, listen } of this.#listeners) process.removeListener(name, listen)
  }
}
