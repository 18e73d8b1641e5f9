import { AsyncLocalStorage } from 'node:async_hooks'
import type { AnyEngine } from '../engine/engine-interface.ts'
import { HooklineError } from '../files/error.ts'
import { type Aftermath, type CallOutcome, guardAfterCall } from '../tools/after-call.ts'
import { guardBeforeCall, makeNotRun, type Verdict } from '../tools/before-call.ts'
import { type RunnableCall, runForCallOutcome } from '../tools/guard-call.ts'
import { openTurn, startSession, type Turn, type TurnOptions } from '../tools/open-turn.ts'
import type { Clearance, GuardOptions, ToolCall } from '../tools/tool-call.ts'
import { toVerdictError } from '../tools/with-hooks.ts'

/** Options of asking hooks, and the place where calls are kept that wait for the user. */
export interface HookOptions extends TurnOptions {
  /** Keeps clearances by the id of their call; in memory by default. Processes that answer calls share it. */
  readonly waiting?: PendingClearances | undefined
}

/** A Map, or what keeps the same elsewhere. */
export interface PendingClearances {
  get(callId: string): Clearance | undefined | PromiseLike<Clearance | undefined>
  set(callId: string, clearance: Clearance): unknown
}

/** A turn that hooks ended before the model answered, or after: the user reads the reason. */
export interface EndedByHook {
  readonly ended: 'blocked' | 'halted'
  readonly reason: string
}

/** Finds the engine of a thread or a request, by what the host names it with. Answers with the same one as long as a turn lasts. */
export type EngineFor<Key> = (key: Key) => AnyEngine | PromiseLike<AnyEngine>

/** Runs turns of one thread: what they share with those of others is the agent, and no session, turn or halt. */
export interface ThreadHooks<Key, Hooks> {
  readonly thread: (key: Key) => Hooks
}

/** The loops of an agent: one, or one for each engine that its threads have. */
export class HookedLoops<Key = never> {
  readonly #engineFor: EngineFor<Key> | null
  readonly #options: HookOptions
  readonly #only: HookedLoop | null
  readonly #loops = new WeakMap<AnyEngine, HookedLoop>()
  readonly #running = new AsyncLocalStorage<HookedLoop>()

  constructor(engine: AnyEngine | EngineFor<Key>, options: HookOptions) {
    this.#options = options
    this.#engineFor = typeof engine === 'function' ? engine : null
    this.#only = typeof engine === 'function' ? null : new HookedLoop(engine, options)
  }

  /** The loop of the turn that this code runs in. */
  get current(): HookedLoop {
    const loop = this.#only ?? this.#running.getStore()
    if (loop !== undefined) return loop
    throw new HooklineError(
      'No thread is known here, so no hook can be asked. Run the turn with hooks.thread(key).run(…).',
    )
  }

  /** True where a call is made inside a turn that is known. */
  get isKnown(): boolean {
    return this.#only !== null || this.#running.getStore() !== undefined
  }

  /** Runs code in the loop of a thread. */
  async runWithin<Result>(key: Key, act: () => Promise<Result>): Promise<Result> {
    const engine = await this.#engineFor?.(key)
    if (engine === undefined) return act()
    const loop = this.#loops.get(engine) ?? new HookedLoop(engine, this.#options)
    this.#loops.set(engine, loop)
    return this.#running.run(loop, act)
  }
}

/** A call that was made: what the tool gave, and what hooks say about it. */
export interface MadeCall {
  readonly outcome: CallOutcome
  readonly after: Aftermath
}

/** Words of a framework for what a tool did. */
interface MakeOptions {
  /** View of hooks on what the tool gave, where the framework wraps it. */
  readonly read?: (given: unknown) => { readonly output: unknown } | { readonly error: unknown }
  /** True where the tool has not ended: the framework will run it again, and hooks hear of it then. */
  readonly isInterrupted?: (outcome: CallOutcome) => boolean
}

/** Loop that adapters share: the turns of one loop of a framework, and its calls. */
export class HookedLoop {
  readonly engine: AnyEngine
  readonly options: HookOptions
  /** Calls that wait for the user. */
  readonly waiting: PendingClearances
  /** The turn under way, or the last one. */
  turn: Turn
  /** Words of hooks about calls that are to be made, by their ids. */
  readonly judged = new Map<string, Verdict>()
  /** Calls that hooks look at. */
  readonly #judging = new Set<Promise<Verdict>>()
  #started = false

  constructor(engine: AnyEngine, options: HookOptions) {
    this.engine = engine
    this.options = options
    this.waiting = options.waiting ?? new Map()
    this.turn = openTurn(engine, options)
  }

  /** Options by which calls of the turn under way are guarded. */
  get guard(): GuardOptions {
    return { ...this.options, agent: this.options.agent?.id, turn: this.turn }
  }

  /** Opens a turn: what the model reads in the place of the prompt, or what ended it. */
  async begin(prompt: string): Promise<{ readonly ended: 'begun'; readonly text: string } | EndedByHook> {
    this.turn = openTurn(this.engine, this.options)
    const begun = await this.#start()
    if (begun.ended === 'halted') return begun
    if (this.options.agent !== undefined) return { ended: 'begun', text: joinTexts([...begun.texts, prompt]) } // the prompt is not the user's
    const submitted = await this.turn.submit(prompt)
    if (submitted.ended !== 'submitted') return submitted
    return { ended: 'begun', text: joinTexts([...begun.texts, ...submitted.texts, prompt]) }
  }

  /** Settles what follows an answer without calls: the agent stops, or goes on with a text. */
  async settleNext(
    answer: string,
  ): Promise<{ readonly ended: 'answered' } | { readonly ended: 'continued'; readonly text: string } | EndedByHook> {
    const { halted } = this.turn
    if (halted !== null) return { ended: 'halted', reason: halted }
    const stop = await this.turn.mayStop({ last_assistant_message: answer })
    if (stop.ended === 'halted') return { ended: 'halted', reason: stop.reason }
    if (stop.ended === 'continued')
      return { ended: 'continued', text: joinTexts([...stop.texts, ...this.turn.takeLate()]) }
    if (stop.notice !== null) this.options.onNotice?.(stop.notice)
    return { ended: 'answered' }
  }

  /**
   * Shows hooks a call. Without `onAsk` a call that they want asked about waits for the user, and its clearance is kept. Does not
   * resolve before hooks have spoken about the calls that the framework begins beside it.
   */
  async judge(call: ToolCall & { readonly id: string }): Promise<Verdict> {
    const { onAsk = () => 'later' as const, signal } = this.options
    const judging = guardBeforeCall(this.engine, { signal, ...call }, { ...this.guard, onAsk })
    this.#judging.add(judging)
    const verdict = await judging.finally(() => this.#judging.delete(judging))
    if (verdict.ended === 'waiting') await this.waiting.set(call.id, verdict.clearance)
    await new Promise(setImmediate) // a framework begins the calls of an answer in one go
    while (this.#judging.size > 0) await Promise.allSettled(this.#judging)
    return verdict
  }

  /** The same where a framework begins again, here or in another process: a call that waits already is not shown again. */
  async judgeOnce(call: ToolCall & { readonly id: string }): Promise<Verdict> {
    const clearance = await this.waiting.get(call.id)
    if (clearance === undefined) return this.judge(call)
    const { tool, input, reason } = clearance
    const halt = `${tool} waits for your answer`
    return { ended: 'waiting', clearance, question: { tool, input, reason }, texts: [], halt }
  }

  /** Resolves with what hooks said about a call when it was shown to them; they are asked now where it was not, or waits. */
  async takeJudged(call: ToolCall & { readonly id: string }): Promise<Verdict> {
    const known = this.judged.get(call.id)
    this.judged.delete(call.id)
    call.signal?.throwIfAborted() // since hooks were asked
    return known !== undefined && known.ended !== 'waiting' ? known : this.judgeAnswered(call, { allow: true })
  }

  /**
   * Makes a call that hooks have cleared, and shows them what came of it. Throws what the model reads of a call that is not made,
   * and what the framework threw to interrupt the tool.
   */
  async make(
    call: RunnableCall,
    verdict: Verdict,
    { read = (output) => ({ output }), isInterrupted = () => false }: MakeOptions = {},
  ): Promise<MadeCall> {
    call.signal?.throwIfAborted()
    if (verdict.ended !== 'cleared') throw toVerdictError(verdict, call.name)
    const { halted } = this.turn
    if (halted !== null) throw toVerdictError(makeNotRun(halted, verdict.texts), call.name) // by a call beside it
    const { input } = verdict
    const outcome = await runForCallOutcome(() => call.run(input))
    if (isInterrupted(outcome)) {
      if ('error' in outcome) throw outcome.error
      return { outcome, after: { ended: 'ran', output: outcome.output, replaced: false, texts: [], halt: null } }
    }
    const { durationMs } = outcome
    const seen = 'output' in outcome ? { ...read(outcome.output), durationMs } : outcome
    const after = await guardAfterCall(this.engine, { ...call, input }, { ...this.guard, outcome: seen })
    return { outcome, after: { ...after, texts: [...verdict.texts, ...after.texts] } }
  }

  /** The same for a call that the user has answered. One that does not wait for an answer is shown to hooks like any other. */
  async judgeAnswered(
    call: ToolCall & { readonly id: string },
    { allow }: { readonly allow: boolean },
  ): Promise<Verdict> {
    const clearance = await this.waiting.get(call.id)
    const answer = clearance === undefined ? undefined : { clearance, allow }
    return guardBeforeCall(this.engine, { ...call, answer }, this.guard)
  }

  async #start() {
    if (this.options.agent !== undefined) return this.turn.begin()
    if (this.#started) return { ended: 'begun', texts: [] } as const
    this.#started = true
    return startSession(this.engine, this.options)
  }
}

const joinTexts = (texts: readonly string[]): string => texts.join('\n\n')
