import type { ConfiguredHook } from '../config/hook.ts'
import { listMessages } from '../decide/decision.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { Message } from '../protocol/record/record.ts'
import type { BackgroundRules } from '../protocol/rules.ts'
import type { Opinion } from '../read/opinion.ts'
import { read } from '../read/read.ts'
import { makeFailure, type ReadContext, type Result } from '../read/result.ts'
import type { Run } from '../run/run.ts'
import type { Erase } from '../text/erase.ts'
import type { Erasure } from './erasure.ts'

/** Words of a hook in the background, for the next turn of the conversation. */
export interface Delivery {
  /** The hook's id. */
  readonly hook: string
  readonly context: readonly string[]
  readonly messages: readonly Message[]
  /** Decisions it made, which came too late to count. */
  readonly dropped: readonly string[]
  /** Wish to wake the model, which is told by a message at once, and not with the next turn; with what the hook says about that. */
  readonly rewake?: NonNullable<ConfiguredHook['rewake']> | undefined
}

/** Context that a late answer is read with. */
interface LateContext extends ReadContext {
  readonly rewake: ConfiguredHook['rewake']
  /** Puts texts aside that are too long for a conversation. */
  readonly spill: (result: Result) => Result | Promise<Result>
  /** Told how it ended, and what has to go from that; null: nothing. */
  readonly ended: (end: { run: Run; result: Result; delivery: Delivery; erase: Erase | null }) => Promise<void>
}

/** Hooks that run while the host goes on. Each result is handed out at most once. */
export class Background {
  readonly #running = new Set<Promise<void>>()
  readonly #ready: Delivery[] = []

  /** Watches over a run until it ends. */
  add(hook: string, rest: Promise<Run>, { erasure, ...context }: LateContext & { erasure: Erasure | null }): void {
    const watched = rest.then(async (run) => {
      const result = await context.spill(
        withWords(read(run, { ...context, row: toHeardRow(context), failClosed: null }), run),
      )
      const said = makeDelivery(hook, run, { result, context })
      const erase = erasure !== null && (await erasure.decided) ? erasure.erase : null
      const delivery = erase === null ? said : eraseDelivery(said, erase)
      await context.ended({ run, result, delivery, erase })
      this.#running.delete(watched)
      if (!isEmpty(delivery)) this.#ready.push(delivery)
    })
    this.#running.add(watched)
  }

  /** Resolves when there is something to take; false: there is nothing, and nothing runs. */
  async waitForNext(): Promise<boolean> {
    while (this.#ready.length === 0 && this.#running.size > 0) await Promise.race(this.#running)
    return this.#ready.length > 0
  }

  /** Takes what has ended since it was last asked. */
  take(): Delivery[] {
    return this.#ready.splice(0)
  }

  /** Waits for everything that runs, then takes it. */
  async drain(): Promise<Delivery[]> {
    while (this.#running.size > 0) await Promise.all(this.#running)
    return this.take()
  }
}

/** The row that a late run is read with: of a hook that wakes the model an objection is heard on every event. */
function toHeardRow({ row, rewake }: LateContext): EventRow {
  return rewake === null || row.harmlessExit2To !== 'none' ? row : { ...row, harmlessExit2To: 'user' }
}

/** A late failure in the hook's own words: what it wrote to stdout, where it wrote nothing to stderr. */
function withWords(result: Result, run: Run): Result {
  const said = result.texts.find(({ kind }) => kind === 'stdout')
  const isFailure = result.texts.some(({ kind }) => kind === 'failure')
  if (said === undefined || !isFailure || !('stderr' in run)) return result
  const others = result.texts.filter((text) => text !== said)
  if (run.stderr.bytes > 0) return { ...result, texts: others }
  const { texts } = makeFailure(said.text, result.failed ?? '')
  return { ...result, texts: [...texts, ...others.filter(({ kind }) => kind !== 'failure')] }
}

function makeDelivery(
  hook: string,
  run: Run,
  { result, context }: { readonly result: Result; readonly context: LateContext },
): Delivery {
  if (run.ended === 'aborted') return { hook, context: [], messages: [], dropped: ['the session ended before it did'] }
  const late = {
    hook,
    context: LATE_CONTEXT[context.row.rules.background.plainStdout](result),
    messages: listMessages(toLateResult(result, context.row), toLateRow(context.row), hook),
    dropped: listDecisions(result.opinion, context.row),
  }
  const { rewake } = context
  if (rewake === null || run.ended !== 'exited' || run.code !== 2) return late
  return { ...late, messages: listWakingMessages(result, hook), dropped: [], rewake }
}

/** Texts that the model reads of a late run: context of an answer, and plain stdout, or the words of one that failed, where they count. */
const LATE_CONTEXT: Readonly<Record<BackgroundRules['plainStdout'], (result: Result) => string[]>> = {
  model: ({ opinion, texts }) => {
    const said = opinion.context.map(({ text }) => text)
    return said.length > 0
      ? said
      : texts.flatMap(({ kind, text }) => (kind === 'stdout' || kind === 'failure' ? text : []))
  },
  none: ({ opinion }) => opinion.context.flatMap(({ text, kind }) => (kind === 'stdout' ? [] : text)),
}

/** Lists the messages that wake the model: the objection, whether the event could have been blocked or not. */
function listWakingMessages({ texts }: Result, hook: string): Message[] {
  const objections = texts.filter(({ kind }) => kind === 'objection' || kind === 'remark')
  return objections.map(({ text }) => ({ to: 'model', text, hook }))
}

/** Turns an objection to what has already happened into a late one: the user may know, the model is not told to act on it. */
function toLateResult(result: Result, { rules, loopField }: EventRow): Result {
  const isDropped = rules.background.objections === 'dropped'
  // an objection that would have sent the agent on takes its warning with it.
  const unheard = isDropped && loopField !== null && result.opinion.blocks ? ['objection', 'warning'] : ['objection']
  const heard = result.texts.filter(({ kind }) => !isDropped || !unheard.includes(kind))
  return { ...result, texts: heard.map((text) => (text.kind === 'objection' ? { ...text, kind: 'remark' } : text)) }
}

/** The row with the reader that a late `systemMessage` has. */
function toLateRow(row: EventRow): EventRow {
  const { systemMessageTo } = row.rules.background
  return row.systemMessageTo === systemMessageTo ? row : { ...row, systemMessageTo }
}

function listDecisions(opinion: Opinion, { effects }: EventRow): string[] {
  const made: Record<string, boolean> = {
    'continue: false': opinion.halt,
    'a block': opinion.blocks,
    [`permission ${opinion.permission}`]: opinion.permission !== null,
    updatedInput: opinion.updatedInput !== null,
    updatedPermissions: opinion.updatedPermissions !== null,
    ...Object.fromEntries(Object.keys(opinion.effects).map((name) => [effects[name]?.fields[0] ?? name, true])),
  }
  return Object.keys(made)
    .filter((what) => made[what])
    .map((what) => `${what}: a hook in the background cannot decide`)
}

function isEmpty({ context, messages, dropped }: Delivery): boolean {
  return context.length + messages.length + dropped.length === 0
}

/** Removes what was erased from the words of a hook in the background. */
function eraseDelivery({ hook, context, messages, dropped }: Delivery, erase: Erase): Delivery {
  const told = messages.map((message) => ({ ...message, text: erase(message.text) }))
  return { hook, context: context.map(erase), messages: told, dropped }
}
