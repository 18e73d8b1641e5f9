import type { AnyEngine } from '../engine/engine-interface.ts'
import type { DispatchRecord } from '../protocol/record/record.ts'
import { emitWarning, fire } from './fire.ts'
import { guardBatch, guardCall, type RunnableCall } from './guard-call.ts'
import type { CallEnd, GuardOptions } from './tool-call.ts'
import { findTurn } from './turn-calls.ts'
import {
  formatBlockedPrompt,
  formatStopFeedback,
  listLateContexts,
  listReminders,
  readHaltReason,
  wrapReminder,
} from './words.ts'

/** Options of firing the events of a turn and of guarding its calls. */
export interface TurnOptions extends Omit<GuardOptions, 'agent' | 'turn'> {
  /** The subagent whose turn it is; without it, it is the main loop's. */
  readonly agent?: { readonly id: string; readonly type: string } | undefined
  /** Interrupts the hooks of the turn. */
  readonly signal?: AbortSignal | undefined
  /** Number of times in a row, without a call in between, that hooks may send the agent on; 8 by default. */
  readonly maxStopBlocks?: number | undefined
}

/** One turn of a loop: from the prompt to the moment when no hook sends the agent on. */
export interface Turn {
  /** Reason why a hook ended it, for the user; null: it goes on. Ask it before every request to the model. */
  readonly halted: string | null
  /** Shows hooks that a subagent begins: SubagentStart. Nothing happens in the main loop. */
  begin(): Promise<SessionBegin>
  /** Shows hooks the prompt: UserPromptSubmit. Brings what background hooks have said since the last turn. */
  submit(prompt: string): Promise<SubmittedPrompt>
  /** Makes a call of this turn: `guardCall`. */
  guardCall(call: RunnableCall): Promise<CallEnd>
  /** Makes the calls of one answer: `guardBatch`. */
  guardBatch(calls: readonly RunnableCall[]): Promise<CallEnd[]>
  /** Takes what background hooks have said since it was last asked, for the model, each text in a block of its own. */
  takeLate(): string[]
  /** Says that the model has made calls: for a loop that guards them in another way, so that blocks of Stop are counted anew. */
  noteCall(): void
  /** Asks hooks whether the agent may stop: Stop, or SubagentStop. `facts` are fields of the event that the profile has. */
  mayStop(facts?: Readonly<Record<string, unknown>>): Promise<StopAnswer>
}

/** Result of every event of a turn. */
interface TurnTexts {
  /** Texts for the model, each in a block of its own. */
  readonly texts: readonly string[]
  readonly record: DispatchRecord
}

/** A hook ended the turn: the model is not asked again, and the user reads why. */
interface HaltedTurn extends TurnTexts {
  readonly ended: 'halted'
  readonly reason: string
}

/** Result of hooks at the beginning of a session or of a subagent. */
export type SessionBegin = { readonly ended: 'begun'; readonly texts: readonly string[] } | HaltedTurn

/** Result of hooks at a prompt. A blocked one is kept nowhere: the user reads the reason. */
export type SubmittedPrompt =
  | (TurnTexts & { readonly ended: 'submitted' })
  | (TurnTexts & { readonly ended: 'blocked'; readonly reason: string })
  | HaltedTurn

/** True if the agent may stop. Where it goes on, the texts are the next message of the user. */
export type StopAnswer =
  | (TurnTexts & {
      readonly ended: 'stopped'
      /** Hooks wanted it to go on once more; null: they did not. */
      readonly notice: string | null
    })
  | (TurnTexts & { readonly ended: 'continued' })
  | HaltedTurn

const MAX_STOP_BLOCKS = 8

/**
 * Opens a turn: what a loop of any agent does around its requests, but for the requests.
 *
 * ```ts
 * const turn = openTurn(engine, { onAsk, onNotice })
 * const submitted = await turn.submit(prompt)
 * if (submitted.ended !== 'submitted') return submitted.reason
 * ```
 */
export function openTurn(engine: AnyEngine, options: TurnOptions = {}): Turn {
  return new OpenTurn(engine, options)
}

/**
 * Shows hooks that a session starts: SessionStart. Its texts stand before the first prompt, in the same message. `fields` are
 * those of the event: `source` is `startup` by default.
 */
export async function startSession(
  engine: AnyEngine,
  {
    fields = {},
    signal,
    ...options
  }: Omit<TurnOptions, 'agent'> & { readonly fields?: Readonly<Record<string, unknown>> | undefined } = {},
): Promise<SessionBegin> {
  const event = { hook_event_name: 'SessionStart', source: 'startup', ...fields }
  const record = await fire(engine, event, { ...options, signal })
  const texts = listReminders(record, String(event.source))
  if (record.decision.halt) return { ended: 'halted', reason: readHaltReason(record), texts, record }
  return { ended: 'begun', texts }
}

class OpenTurn implements Turn {
  readonly #engine: AnyEngine
  readonly #options: TurnOptions
  readonly #guard: GuardOptions
  #sentOn = 0
  #begunCalls = 0
  #stopHookActive = false

  constructor(engine: AnyEngine, options: TurnOptions) {
    this.#engine = engine
    this.#options = options
    this.#guard = { ...options, agent: options.agent?.id, turn: this }
  }

  get halted(): string | null {
    return findTurn(this.#engine, this.#guard).halt
  }

  guardCall(call: RunnableCall): Promise<CallEnd> {
    return guardCall(this.#engine, call, this.#guard)
  }

  guardBatch(calls: readonly RunnableCall[]): Promise<CallEnd[]> {
    return guardBatch(this.#engine, calls, this.#guard)
  }

  async begin(): Promise<SessionBegin> {
    const { agent } = this.#options
    if (agent === undefined) return { ended: 'begun', texts: [] }
    const record = await this.#fire({ hook_event_name: 'SubagentStart', agent_type: agent.type })
    return this.#halt(record) ?? { ended: 'begun', texts: this.#listTexts(record) }
  }

  async submit(prompt: string): Promise<SubmittedPrompt> {
    const late = this.takeLate()
    const record = await this.#fire({ hook_event_name: 'UserPromptSubmit', prompt })
    const halted = this.#halt(record)
    if (halted !== null) return { ...halted, texts: halted.texts.slice(record.decision.context.length) } // the prompt is dropped too
    if (record.decision.blocked) return { ended: 'blocked', reason: formatBlockedPrompt(record), texts: late, record }
    return { ended: 'submitted', texts: [...late, ...listReminders(record)], record }
  }

  takeLate(): string[] {
    const { agent, onNotice = emitWarning } = this.#options
    if (agent !== undefined) return [] // background hooks were started by the session, whichever loop fired the event
    return this.#engine.takeDeliveries().flatMap((delivery) => {
      for (const { to, text } of delivery.messages) if (to === 'user') onNotice(text)
      return listLateContexts(delivery).map(wrapReminder)
    })
  }

  noteCall(): void {
    this.#sentOn = 0
  }

  async mayStop(facts: Readonly<Record<string, unknown>> = {}): Promise<StopAnswer> {
    const { agent, maxStopBlocks = MAX_STOP_BLOCKS } = this.#options
    const { begun } = findTurn(this.#engine, this.#guard)
    if (begun !== this.#begunCalls) this.#sentOn = 0
    this.#begunCalls = begun
    const known: readonly string[] = this.#engine.profile.rules.hostFields
    const told = Object.entries(facts).filter(([name]) => known.includes(name))
    const event =
      agent === undefined ? { hook_event_name: 'Stop' } : { hook_event_name: 'SubagentStop', agent_type: agent.type }
    const record = await this.#fire({ ...event, stop_hook_active: this.#stopHookActive, ...Object.fromEntries(told) })
    const halted = this.#halt(record)
    if (halted !== null) return halted
    const texts = [...(record.decision.blocked ? [formatStopFeedback(record)] : []), ...this.#listTexts(record)]
    if (texts.length === 0) return { ended: 'stopped', notice: null, texts, record }
    if (this.#sentOn === maxStopBlocks)
      return { ended: 'stopped', notice: formatEnough(maxStopBlocks), texts: [], record }
    this.#stopHookActive = true
    this.#sentOn += 1
    return { ended: 'continued', texts, record }
  }

  #fire(event: Readonly<Record<string, unknown>> & { readonly hook_event_name: string }): Promise<DispatchRecord> {
    return fire(this.#engine, event, { ...this.#guard, signal: this.#options.signal })
  }

  /** Lists what the model reads of an event; matchers of an event about a subagent are tested against its type. */
  #listTexts(record: DispatchRecord): string[] {
    const { matchOn } = this.#engine.profile.events.get(record.event) ?? { matchOn: null }
    return listReminders(record, matchOn === 'agent_type' ? this.#options.agent?.type : undefined)
  }

  #halt(record: DispatchRecord): HaltedTurn | null {
    if (!record.decision.halt) return null
    const reason = readHaltReason(record)
    findTurn(this.#engine, this.#guard).end(reason)
    return { ended: 'halted', reason, texts: this.#listTexts(record), record }
  }
}

const formatEnough = (times: number): string =>
  `Stop hooks have sent the agent on ${times} times in a row without a tool call: the turn ends here.`
