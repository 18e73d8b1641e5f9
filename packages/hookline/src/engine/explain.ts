import { makeTrustedSnapshot } from '../config/snapshot.ts'
import { acceptInput } from '../dispatch/accept-event.ts'
import type { Session } from '../dispatch/pipe.ts'
import { makeUnreadLine, nameRecordedProfile } from '../dispatch/record.ts'
import { findListeners } from '../dispatch/session.ts'
import { HooklineError } from '../files/error.ts'
import { judgeCondition, type Listeners, makeOnceKey, type Plan, plan } from '../match/plan.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { HookLine } from '../protocol/record/record.ts'
import { explainMiss, findMatchedValue, type MatchedValue } from './explain-miss.ts'
import { type ListedModule, listModules } from './listing.ts'

/** Plan of an event, without doing it. */
export interface Explanation {
  readonly event: string
  readonly profile: string
  /** Value that the event's matchers are tested against; null when it takes none. */
  readonly matched: MatchedValue | null
  /** One line per configured hook; `ran` with `planned` stands for what is going to run. */
  readonly hooks: readonly HookLine[]
  /** Verdicts of the `if` of hooks that are going to run, and the reasons; lines say it of the others. */
  readonly conditions: readonly ExplainedCondition[]
  /** Modules of plugins that answer before all of these hooks, in Claude Code alone. */
  readonly modules: readonly ListedModule[]
}

/** A condition that the call fits. */
export interface ExplainedCondition {
  /** The hook, by its id. */
  readonly id: string
  /** The rule of its `if`. */
  readonly rule: string
  readonly because: string
}

/** Suppositions about what only a run could tell. */
export interface ExplainOptions {
  /** The same event has already happened in the session. */
  readonly again?: boolean | undefined
  /** The id of a hook that answers `continue: false`. */
  readonly halts?: string | undefined
  /** The project is trusted as it is now. */
  readonly trusted?: boolean | undefined
}

/** Plans an event and stops there. */
export function explain(
  session: Session,
  given: unknown,
  { again = false, halts, trusted = false }: ExplainOptions = {},
): Explanation {
  const { row, input } = acceptInput(session, given)
  const listening = trusted ? findTrustedListeners(session, row, input) : findListeners(session, row, input)
  const planned = again ? planAgain(listening, input) : plan(listening, input)
  const lines = halts === undefined ? planned.lines : markAfterHalt(session, planned, halts)
  const matched = findMatchedValue(row, input)
  const findRow = (id: string): EventRow =>
    listening.find((one) => one.hooks.some((hook) => hook.id === id))?.row ?? row
  const hooks = lines.map((line) =>
    line.verdict === 'matcher-miss'
      ? { ...line, because: line.because ?? explainMiss(matched, line.matcher, findRow(line.id)) }
      : line,
  )
  const conditions = planned.runs.flatMap(({ hook: { id, condition } }) => {
    const own = listening.find((one) => one.hooks.some((hook) => hook.id === id))
    if (condition === null || own === undefined) return []
    return [{ id, rule: condition.text, because: judgeCondition(condition, own, input).because }]
  })
  const modules = listModules(session).filter(({ state }) => state === 'unsupported')
  return { event: row.name, profile: nameRecordedProfile(session, row), matched, hooks, conditions, modules }
}

/** Finds who would listen if the project were trusted. */
function findTrustedListeners(session: Session, row: EventRow, input: EventInput): readonly Listeners[] {
  const snapshot = makeTrustedSnapshot(session.snapshot, session.options)
  return findListeners({ ...session, snapshot, listeners: new Map() }, row, input)
}

/** The plan of an event whose hooks that run once have run. */
function planAgain(listening: readonly Listeners[], input: EventInput): Plan {
  const ran = plan(listening, input).runs.flatMap(({ hook }) => (hook.once ? makeOnceKey(hook) : []))
  const later = listening.map((one) => ({ ...one, spent: new Set([...one.spent, ...ran]), plans: new Map() }))
  return plan(later, input)
}

/** In sequential order a halt keeps the later ones from running; otherwise all have started by then. */
function markAfterHalt({ options }: Session, { lines, runs }: Plan, halts: string): readonly HookLine[] {
  const halting = runs.find(({ hook }) => hook.id === halts)
  if (!halting) {
    const ids = runs.map(({ hook }) => hook.id).join(', ') || 'none'
    throw new HooklineError(`"${halts}" would not run, and so cannot halt. What would run: ${ids}.`)
  }
  if (options.order !== 'sequential') return lines
  const unreached = new Map(runs.filter(({ at }) => at > halting.at).map(({ at, hook }) => [at, hook]))
  return lines.map((line, at) => {
    const hook = unreached.get(at)
    return hook ? makeUnreadLine(hook, 'not-reached', `${halts} halted before`) : line
  })
}
