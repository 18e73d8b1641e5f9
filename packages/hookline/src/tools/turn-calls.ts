import { AsyncLocalStorage } from 'node:async_hooks'
import type { AnyEngine } from '../engine/engine-interface.ts'
import { listenToAbort } from '../process/abort.ts'
import type { GuardOptions } from './tool-call.ts'

/** Set inside the hooks of a call. */
const insideHooks = new AsyncLocalStorage<true>()

/**
 * The calls of one turn of a loop. No tool of it starts while hooks still look at another call, and none after a hook
 * has ended the turn.
 */
export class TurnCalls {
  readonly #forget: () => void
  readonly #shown = new Set<Promise<unknown>>()
  #waiting = 0
  #begun = 0
  #halt: string | null = null

  /** `forget` is called when no call waits for its start any more. */
  constructor(forget: () => void) {
    this.#forget = forget
  }

  /** Reason why a hook ended the turn; null while it goes on. */
  get halt(): string | null {
    return this.#halt
  }

  /** Number of calls there were. */
  get begun(): number {
    return this.#begun
  }

  /** Ends the turn; the first reason counts. */
  end(stopReason: string): void {
    this.#halt ??= stopReason
  }

  /** Counts a call as one that has not started until `act` settles. */
  async hold<T>(act: () => Promise<T>): Promise<T> {
    this.#waiting += 1
    this.#begun += 1
    try {
      return await act()
    } finally {
      this.#waiting -= 1
      if (this.#waiting === 0) this.#forget()
    }
  }

  /** Shows a call to hooks; until they have spoken, no other call of the turn starts. */
  async show<T>(act: () => Promise<T>): Promise<T> {
    const shown = insideHooks.run(true, act)
    this.#shown.add(shown)
    try {
      return await shown
    } finally {
      this.#shown.delete(shown)
    }
  }

  /**
   * Resolves when hooks have spoken about the calls that they are shown now, or when the signal aborts. A call that a hook
   * makes waits for nothing: the call that the hook looks at would wait for it in turn.
   */
  async waitForOthers(signal: AbortSignal | undefined): Promise<void> {
    if (this.#shown.size === 0 || insideHooks.getStore() || signal?.aborted) return
    const seen = Promise.allSettled(this.#shown)
    if (signal === undefined) return void (await seen)
    let unlisten = (): void => {}
    const aborted = new Promise<void>((resolve) => {
      unlisten = listenToAbort(signal, resolve)
    })
    await Promise.race([seen, aborted])
    unlisten()
  }
}

/** Turns of a session by what stands for them, and by their subagent. */
const turns = new WeakMap<AnyEngine, WeakMap<object, Map<string, TurnCalls>>>()

/**
 * The turn that a call belongs to: the one that the host names, else the calls of its loop that have not started yet.
 * A turn with a name lasts as long as the name does.
 */
export function findTurn(engine: AnyEngine, { turn: name, agent = MAIN_LOOP }: GuardOptions): TurnCalls {
  const ofSession = turns.get(engine) ?? new WeakMap<object, Map<string, TurnCalls>>()
  turns.set(engine, ofSession)
  const ofAgents = ofSession.get(name ?? engine) ?? new Map<string, TurnCalls>()
  ofSession.set(name ?? engine, ofAgents)
  const turn = ofAgents.get(agent) ?? new TurnCalls(name === undefined ? () => ofAgents.delete(agent) : () => {})
  ofAgents.set(agent, turn)
  return turn
}

/** Ends the turn of a call that has been made, as far as anything is left of it. */
export function endTurn(engine: AnyEngine, { turn: name, agent = MAIN_LOOP }: GuardOptions, stopReason: string): void {
  const ofAgents = turns.get(engine)?.get(name ?? engine)
  ofAgents?.get(agent)?.end(stopReason)
}

const MAIN_LOOP = ''
