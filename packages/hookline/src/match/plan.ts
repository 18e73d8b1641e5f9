import { basename } from 'node:path'
import type { ConfiguredHook } from '../config/hook.ts'
import { TOOL_NAME } from '../pattern/matcher.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { HookLine } from '../protocol/record.ts'
import type { Condition, ConditionVerdict } from '../rule/condition.ts'
import { DUPLICATES } from './duplicates.ts'
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

/** Settles for every hook whether it runs; drops none. Hooks of several profiles are settled each by the rules of its own. */
export function plan(all: readonly Listeners[], input: EventInput): Plan {
  const [only] = all
  return all.length === 1 && only ? planOf(only, input) : planOfAll(all, input)
}

function planOfAll(all: readonly Listeners[], input: EventInput): Plan {
  const lines: HookLine[] = []
  const runs: PlannedRun[] = []
  const absent: AbsentHook[] = []
  for (const listeners of all) {
    const placed = <One extends { readonly at: number }>(one: One): One => ({ ...one, at: placeOf(one.at, listeners) })
    const own = planOf(listeners, input)
    for (const [at, line] of own.lines.entries()) lines[placeOf(at, listeners)] = line
    runs.push(...own.runs.map(placed))
    absent.push(...own.absent.map(placed))
  }
  return { lines: Object.freeze(lines), runs: runs.sort((a, b) => a.at - b.at), absent }
}

const placeOf = (at: number, { places }: Listeners): number => places?.[at] ?? at

function planOf(listeners: Listeners, input: EventInput): Plan {
  const { row, expressions, conditions, plans } = listeners
  const value = matchedValue(row, input) ?? ''
  if (conditions.size > 0) return planWithConditions(hitsOf(listeners, value, input), listeners, input)
  if (expressions.length > 0) return planFor(hitsOf(listeners, value, input), listeners)
  const known = plans.get(value)
  if (known) return known
  if (plans.size >= MOST_PLANS) plans.clear()
  const made = planFor(hitsOf(listeners, value, input), listeners)
  plans.set(value, made)
  return made
}

/** What the matchers of an event are tested against; null when it takes none. */
export function matchedValue({ matchOn, matchValue }: EventRow, input: EventInput): string | null {
  return matchOn === null ? null : MATCH_VALUES[matchValue](String(input[matchOn]))
}

const MATCH_VALUES: Readonly<Record<EventRow['matchValue'], (value: string) => string>> = {
  field: (value) => value,
  basename: (value) => basename(value),
}

/** Positions of the hooks whose matchers hit, in configuration order. */
function hitsOf(listeners: Listeners, value: string, input: EventInput): number[] {
  const { always, expressions, row } = listeners
  const hits = [...always, ...hitsByValue(listeners, value)]
  for (const { at, test } of expressions) if (test(input)) hits.push(at)
  const olderNames = row.matchOn === null ? undefined : row.rules.matchers.aliases[row.matchOn]?.[value]
  if (olderNames === undefined) return hits.sort((a, b) => a - b)
  const all = new Set([...hits, ...olderNames.flatMap((name) => hitsByValue(listeners, name))])
  return [...all].sort((a, b) => a - b)
}

function hitsByValue(listeners: Listeners, value: string): number[] {
  const hits = [...(listeners.byName.get(value) ?? [])]
  for (const { at, test } of listeners.regexes) if (test(value)) hits.push(at)
  for (const { at, test } of candidates(listeners, value)) if (test(value)) hits.push(at)
  return hits
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

/** The plan of hooks whose matchers hit and of which some have a condition, which is asked after the matcher. */
function planWithConditions(hits: readonly number[], listeners: Listeners, input: EventInput): Plan {
  const unmet = new Map(hits.flatMap((at) => unmetCondition(at, listeners, input)))
  const made = planFor(
    hits.filter((at) => !unmet.has(at)),
    listeners,
  )
  if (unmet.size === 0) return made
  const lines = made.lines.map((line, at) => {
    const [hook, because] = [listeners.hooks[at], unmet.get(at)]
    return hook && because !== undefined && line.verdict === 'matcher-miss'
      ? lineOf(hook, 'matcher-miss', because)
      : line
  })
  return { ...made, lines: Object.freeze(lines) }
}

/** A hook whose condition does not hold, with why. */
function unmetCondition(at: number, listeners: Listeners, input: EventInput): [at: number, because: string][] {
  const { conditions, row } = listeners
  const condition = conditions.get(at)
  if (condition === undefined) return []
  if (!row.takesIf) return [[at, `"if" never holds on ${row.name}`]]
  if (condition.fault !== null) return [[at, `its "if" can never hold: ${condition.fault}`]]
  const { fits, because } = judged(condition, listeners, input)
  return fits ? [] : [[at, `its "if" ${JSON.stringify(condition.text)} does not fit the call: ${because}`]]
}

/** What a condition says of the call that an event is about. */
export function judged(
  condition: Condition,
  { row, folders }: Pick<Listeners, 'row' | 'folders'>,
  { tool_name: tool, tool_input: input }: EventInput,
): ConditionVerdict {
  const toolNames = [String(tool), ...(row.rules.matchers.aliases[TOOL_NAME]?.[String(tool)] ?? [])]
  return condition.judge({ toolNames, input }, folders)
}

function planFor(hits: readonly number[], { row, hooks, missLines, absent: unable, spent }: Listeners): Plan {
  const missed = new Set(hits)
  const absent = [...unable].flatMap(([at, how]): AbsentHook[] => {
    const hook = hooks[at]
    return hook && (missed.has(at) || !how.isGuard) ? [{ at, hook, ...how }] : []
  })
  if (hits.length === 0) return { lines: missLines, runs: [], absent }
  const lines = [...missLines]
  const { key: keyOf, kept: keptOf, asRun } = DUPLICATES[row.rules.duplicates]
  const twins = new Map<string, [PlannedRun, ...PlannedRun[]]>()
  for (const at of hits) {
    const hook = hooks[at]
    if (!hook || unable.has(at)) continue
    if (hook.once && spent.has(onceKey(hook))) {
      lines[at] = lineOf(hook, 'once-spent', 'it runs once per session')
      continue
    }
    const key = keyOf(hook)
    const group = twins.get(key)
    const run = { at, hook, timeouts: [hook.timeout], twins: [hook] }
    if (group) group.push(run)
    else twins.set(key, [run])
  }
  const runs = [...twins.values()].map((group): PlannedRun => {
    const kept = keptOf(group)
    const equal = group.map(({ hook }) => hook)
    const hook = equal.length === 1 ? kept.hook : asRun(kept.hook, equal)
    for (const twin of group) lines[twin.at] = twin === kept ? going(hook) : duplicate(twin.hook, kept)
    return { at: kept.at, hook, timeouts: group.flatMap(({ timeouts }) => timeouts), twins: equal }
  })
  return { lines: Object.freeze(lines), runs: runs.sort((a, b) => a.at - b.at), absent }
}

function going(hook: ConfiguredHook): HookLine {
  return Object.freeze({ ...lineOf(hook, hook.waits ? 'ran' : 'backgrounded'), planned: true })
}

const duplicate = (hook: ConfiguredHook, kept: PlannedRun): HookLine =>
  lineOf(hook, 'duplicate', `runs the same as ${kept.hook.id}`)
