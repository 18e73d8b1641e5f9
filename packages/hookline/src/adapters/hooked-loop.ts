import type { AnyEngine } from '../engine/engine-interface.ts'
import { afterCall } from '../tools/after-call.ts'
import { beforeCall, notRun, type Verdict } from '../tools/before-call.ts'
import { callOutcome, type RunnableCall } from '../tools/guard-call.ts'
import { beside } from '../tools/model-output.ts'
import { openTurn, startSession, type Turn, type TurnOptions } from '../tools/open-turn.ts'
import type { Clearance, GuardOptions, ToolCall } from '../tools/tool-call.ts'
import { errorOf, outputOf } from '../tools/with-hooks.ts'

/** How hooks are asked, and where calls are kept that wait for the user. */
export interface HookOptions extends TurnOptions {
  /** Keeps clearances by the id of their call; in memory by default. Processes that answer calls share it. */
  readonly waiting?: ClearanceShelf | undefined
}

/** A Map, or what keeps the same elsewhere. */
export interface ClearanceShelf {
  get(callId: string): Clearance | undefined | PromiseLike<Clearance | undefined>
  set(callId: string, clearance: Clearance): unknown
}

/** A turn that hooks ended before the model answered, or after: the user reads the reason. */
export interface EndedByHook {
  readonly ended: 'blocked' | 'halted'
  readonly reason: string
}

/** What adapters share: the turns of one loop of a framework, and its calls. */
export class HookedLoop {
  readonly engine: AnyEngine
  readonly options: HookOptions
  /** Calls that wait for the user. */
  readonly waiting: ClearanceShelf
  /** The turn under way, or the last one. */
  turn: Turn
  /** Calls that hooks look at. */
  readonly #judging = new Set<Promise<Verdict>>()
  #started = false

  constructor(engine: AnyEngine, options: HookOptions) {
    this.engine = engine
    this.options = options
    this.waiting = options.waiting ?? new Map()
    this.turn = openTurn(engine, options)
  }

  /** How calls of the turn under way are guarded. */
  get guard(): GuardOptions {
    return { ...this.options, agent: this.options.agent?.id, turn: this.turn }
  }

  /** Opens a turn: what the model reads in the place of the prompt, or what ended it. */
  async begin(prompt: string): Promise<{ readonly ended: 'begun'; readonly text: string } | EndedByHook> {
    this.turn = openTurn(this.engine, this.options)
    const begun = await this.#start()
    if (begun.ended === 'halted') return begun
    if (this.options.agent !== undefined) return { ended: 'begun', text: joined([...begun.texts, prompt]) } // its prompt is not the user's
    const submitted = await this.turn.submit(prompt)
    if (submitted.ended !== 'submitted') return submitted
    return { ended: 'begun', text: joined([...begun.texts, ...submitted.texts, prompt]) }
  }

  /** What follows an answer without calls: the agent stops, or goes on with a text. */
  async next(
    answer: string,
  ): Promise<{ readonly ended: 'answered' } | { readonly ended: 'goes-on'; readonly text: string } | EndedByHook> {
    const { halted, late } = this.turn
    if (halted !== null) return { ended: 'halted', reason: halted }
    const stop = await this.turn.mayStop({ last_assistant_message: answer })
    if (stop.ended === 'halted') return { ended: 'halted', reason: stop.reason }
    if (stop.ended === 'goes-on') return { ended: 'goes-on', text: joined([...stop.texts, ...late.call(this.turn)]) }
    if (stop.notice !== null) this.options.onNotice?.(stop.notice)
    return { ended: 'answered' }
  }

  /**
   * Shows hooks a call. Without `onAsk` a call that they want asked about waits for the user, and its clearance is kept. Does not
   * resolve before hooks have spoken about the calls that the framework begins beside it.
   */
  async judge(call: ToolCall & { readonly id: string }): Promise<Verdict> {
    const { onAsk = () => 'later' as const, signal } = this.options
    const judging = beforeCall(this.engine, { signal, ...call }, { ...this.guard, onAsk })
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

  /** Makes a call that hooks have cleared, and shows them what came of it. Throws what the model reads of any other. */
  async make(call: RunnableCall, verdict: Verdict): Promise<unknown> {
    call.signal?.throwIfAborted()
    if (verdict.ended !== 'cleared') throw errorOf(verdict, call.name)
    const { halted } = this.turn
    if (halted !== null) throw errorOf(notRun(halted, verdict.texts), call.name) // by a call beside it
    const { input } = verdict
    const outcome = await callOutcome(() => call.run(input))
    const after = await afterCall(this.engine, { ...call, input }, { ...this.guard, outcome })
    const texts = [...verdict.texts, ...after.texts]
    const output = outputOf({ ...after, texts })
    return texts.length === 0 ? output : beside(output, texts)
  }

  /** The same for a call that the user has answered. One that does not wait for an answer is shown to hooks like any other. */
  async judgeAnswered(
    call: ToolCall & { readonly id: string },
    { allow }: { readonly allow: boolean },
  ): Promise<Verdict> {
    const clearance = await this.waiting.get(call.id)
    const answer = clearance === undefined ? undefined : { clearance, allow }
    return beforeCall(this.engine, { ...call, answer }, this.guard)
  }

  async #start() {
    if (this.options.agent !== undefined) return this.turn.begin()
    if (this.#started) return { ended: 'begun', texts: [] } as const
    this.#started = true
    return startSession(this.engine, this.options)
  }
}

const joined = (texts: readonly string[]): string => texts.join('\n\n')
