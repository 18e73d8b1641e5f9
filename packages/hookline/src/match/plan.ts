import { type ConfiguredHook, isFault, whatItRuns } from '../config/hook.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { HookLine } from '../protocol/record.ts'
import { type IndexedRegex, type Listeners, lineOf, onceKey } from './listeners.ts'

/** What an event will do with every hook that is configured for it. */
export interface Plan {
  /** One line per configured hook, in configuration order; what is going to run is marked as planned. */
  readonly lines: readonly HookLine[]
  readonly runs: readonly PlannedRun[]
  /** Hooks that cannot run here although they should have: guards that the event concerns, and all others. */
  readonly absent: readonly AbsentHook[]
}

/** A hook that cannot run here. */
export interface AbsentHook {
  /** Its position among the lines. */
  readonly at: number
  readonly hook: ConfiguredHook
  readonly because: string
  /** It could have objected to the event. */
  readonly isGuard: boolean
}

/** A hook that is going to run. */
export interface PlannedRun {
  /** Its position among the lines. */
  readonly at: number
  readonly hook: ConfiguredHook
  /** Its own timeout and those of its duplicates, in seconds; null stands for the default. The longest counts. */
  readonly timeouts: readonly (number | null)[]
  /** Itself and its duplicates: the strictest of them says what a failure means. */
  readonly twins: readonly ConfiguredHook[]
}

/** More values than this are not remembered. */
const MOST_PLANS = 200

/** Settles for every hook whether it runs; drops none. */
export function plan(listeners: Listeners, input: EventInput): Plan {
  const { row, expressions, plans } = listeners
  const value = row.matchOn === null ? '' : String(input[row.matchOn])
  if (expressions.length > 0) return planFor(hitsOf(listeners, value, input), listeners)
  const known = plans.get(value)
  if (known) return known
  if (plans.size >= MOST_PLANS) plans.clear()
  const made = planFor(hitsOf(listeners, value, input), listeners)
  plans.set(value, made)
  return made
}

/** Positions of the hooks whose matchers hit, in configuration order. */
function hitsOf(listeners: Listeners, value: string, input: EventInput): number[] {
  const { always, byName, regexes, expressions } = listeners
  const hits = [...always, ...(byName.get(value) ?? [])]
  for (const { at, test } of regexes) if (test(value)) hits.push(at)
  for (const { at, test } of candidates(listeners, value)) if (test(value)) hits.push(at)
  for (const { at, test } of expressions) if (test(input)) hits.push(at)
  return hits.sort((a, b) => a - b)
}

/** The regexes whose text stands somewhere in the value: every part that may be such a text is looked up. */
function candidates({ byLiteral, literalLengths, literalStarts }: Listeners, value: string): Set<IndexedRegex> {
  const found = new Set<IndexedRegex>()
  for (let start = 0; start < value.length; start++) {
    if (!literalStarts.has(value.charAt(start))) continue
    for (const length of literalLengths) {
      for (const regex of byLiteral.get(value.slice(start, start + length)) ?? NONE) found.add(regex)
    }
  }
  return found
}

const NONE: readonly IndexedRegex[] = []

function planFor(hits: readonly number[], { hooks, missLines, absent: unable, spent }: Listeners): Plan {
  const missed = new Set(hits)
  const absent = [...unable].flatMap(([at, how]): AbsentHook[] => {
    const hook = hooks[at]
    return hook && (missed.has(at) || !how.isGuard) ? [{ at, hook, ...how }] : []
  })
  if (hits.length === 0) return { lines: missLines, runs: [], absent }
  const lines = [...missLines]
  const twins = new Map<string, PlannedRun[]>()
  for (const at of hits) {
    const hook = hooks[at]
    if (!hook || unable.has(at)) continue
    if (hook.once && spent.has(onceKey(hook))) {
      lines[at] = lineOf(hook, 'once-spent', 'it runs once per session')
      continue
    }
    const key = whatItRuns(hook)
    twins.set(key, [...(twins.get(key) ?? []), { at, hook, timeouts: [hook.timeout], twins: [hook] }])
  }
  const runs = [...twins.values()].map((group) => {
    const kept = group.find(({ hook }) => hook.scope === 'managed') ?? group[0]
    for (const twin of group) lines[twin.at] = twin === kept ? going(twin.hook) : duplicate(twin.hook, kept)
    const timeouts = group.flatMap((twin) => twin.timeouts)
    return { ...kept, timeouts, twins: group.map(({ hook }) => hook) } as PlannedRun // a group has at least one hook
  })
  return { lines: Object.freeze(lines), runs: runs.sort((a, b) => a.at - b.at), absent }
}

function going(hook: ConfiguredHook): HookLine {
  const waits = isFault(hook.handler) || hook.handler.type !== 'command' || !hook.handler.async
  return Object.freeze({ ...lineOf(hook, waits ? 'ran' : 'backgrounded'), planned: true })
}

const duplicate = (hook: ConfiguredHook, kept: PlannedRun | undefined): HookLine =>
  lineOf(hook, 'duplicate', `runs the same as ${kept?.hook.id}`)
