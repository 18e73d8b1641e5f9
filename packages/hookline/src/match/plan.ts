import { basename } from 'node:path'
import { type ConfiguredHook, isFault, makeRunKey } from '../config/hook.ts'
import type { Standing } from '../config/standing.ts'
import type { InputTest } from '../pattern/expression.ts'
import { listSimpleMatchers, TOOL_NAME } from '../pattern/matcher.ts'
import type { Regex } from '../pattern/regex.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { HookLine, Mutable } from '../protocol/record/record.ts'
import type { OtherShape } from '../protocol/rules.ts'
import type { Condition, ConditionVerdict } from '../rule/condition.ts'
import type { Folders } from '../rule/path-pattern.ts'
import { digestValue } from '../text/fingerprint.ts'
import { DUPLICATES } from './duplicates.ts'

/** The hooks of one event, indexed so that an event without hooks costs almost nothing. */
export interface Listeners {
  readonly row: EventRow
  readonly hooks: readonly ConfiguredHook[]
  /** Place of each of them among the hooks of all profiles; null: there is one profile. */
  readonly places: readonly number[] | null
  /** Lines of the record for each hook when its matcher misses. */
  readonly missLines: readonly HookLine[]
  /** Positions of the active hooks, by how their matchers work. */
  readonly always: readonly number[]
  readonly byName: ReadonlyMap<string, readonly number[]>
  readonly regexes: readonly IndexedRegex[]
  /** Regexes by a text that must stand in the value, and the lengths of these texts. */
  readonly byLiteral: ReadonlyMap<string, readonly IndexedRegex[]>
  readonly literalLengths: readonly number[]
  /** The letters these texts start with. */
  readonly literalStarts: ReadonlySet<string>
  readonly expressions: readonly { readonly at: number; readonly test: InputTest }[]
  /** Conditions that a call has to fit as well, by the position of the hook. */
  readonly conditions: ReadonlyMap<number, Condition>
  /** Folders in which the paths of conditions start. */
  readonly folders: Folders
  /** Hooks that cannot run here, by position: a guard is missed when its matcher hits, everything else is told at once. */
  readonly absent: ReadonlyMap<number, { readonly because: string; readonly isGuard: boolean }>
  /** Hooks that have had their one run. */
  readonly spent: ReadonlySet<string>
  /** Plans made earlier, by the value they were made for. */
  readonly plans: Map<string, Plan>
}

/** A regular expression and the position of its hook. */
interface IndexedRegex {
  readonly at: number
  readonly test: Regex
}

/** Plan of an event for every hook that is configured for it. */
export interface Plan {
  /** One line per configured hook, in configuration order; what is going to run is marked as planned. */
  readonly lines: readonly HookLine[]
  readonly runs: readonly PlannedRun[]
  /** Hooks that cannot run here although they should have: guards that the event concerns, and all others. */
  readonly absent: readonly AbsentHook[]
}

/** A hook that cannot run here. */
export interface AbsentHook {
  /** Position among the lines. */
  readonly at: number
  readonly hook: ConfiguredHook
  readonly because: string
  /** True for a hook that could have objected to the event. */
  readonly isGuard: boolean
}

/** A hook that is going to run. */
export interface PlannedRun {
  /** Position among the lines. */
  readonly at: number
  readonly hook: ConfiguredHook
  /** The event's row in the profile that the hook was read under. */
  readonly row: EventRow
  /** Own timeout and those of its duplicates, in seconds; null stands for the default. The longest counts. */
  readonly timeouts: readonly (number | null)[]
  /** Itself and its duplicates: the strictest of them says what a failure means. */
  readonly twins: readonly ConfiguredHook[]
  /** The shape in which it sees the event, where its matcher is for that alone; null: the event as it is. */
  readonly shape: OtherShape | null
}

/** Indexes hooks that stand in configuration order. */
export function indexListeners(
  row: EventRow,
  hooks: readonly ConfiguredHook[],
  {
    standing,
    spent,
    folders,
    places = null,
  }: {
    standing: (hook: ConfiguredHook) => Standing
    spent: ReadonlySet<string>
    folders: Folders
    places?: readonly number[] | null
  },
): Listeners {
  const always: number[] = []
  const byName = new Map<string, number[]>()
  const regexes: IndexedRegex[] = []
  const byLiteral = new Map<string, IndexedRegex[]>()
  const expressions: { at: number; test: InputTest }[] = []
  const absent = new Map<number, { because: string; isGuard: boolean }>()
  const conditions = new Map<number, Condition>()
  const missLines: HookLine[] = []
  for (const [at, hook] of hooks.entries()) {
    const stands = standing(hook)
    if (hook.condition !== null) conditions.set(at, hook.condition)
    missLines.push(
      stands.verdict === 'active' ? makeLine(hook, 'matcher-miss') : makeLine(hook, stands.verdict, stands.because),
    )
    if (stands.verdict !== 'active') {
      if (!isAbsent(hook, stands)) continue
      const isGuard = row.canBlock && canRefuse(hook)
      absent.set(at, { because: stands.because, isGuard })
      if (!isGuard) continue
    }
    for (const matcher of listSimpleMatchers(hook.matcher)) {
      if (matcher.kind === 'all') always.push(at)
      if (matcher.kind === 'regex') {
        const { test, literal } = matcher
        if (literal === '') regexes.push({ at, test })
        else addToList(byLiteral, literal, { at, test })
      }
      if (matcher.kind === 'expression') expressions.push({ at, test: matcher.test })
      if (matcher.kind === 'names') for (const name of matcher.names) addToList(byName, name, at)
    }
  }
  return {
    row,
    hooks,
    places,
    missLines: Object.freeze(missLines),
    always,
    byName,
    regexes,
    byLiteral,
    literalLengths: [...new Set([...byLiteral.keys()].map((literal) => literal.length))],
    literalStarts: new Set([...byLiteral.keys()].map((literal) => literal.charAt(0))),
    expressions,
    conditions,
    folders,
    absent,
    spent,
    plans: new Map(),
  }
}

/** In place: a file may have a hundred thousand hooks of one name. */
function addToList<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}

/** True if a hook is sound, but for another profile or host, or refuses what it was to guard; one whose matcher cannot be read may be sound too. */
function isAbsent({ handler }: ConfiguredHook, { verdict }: Standing): boolean {
  if (verdict === 'unsupported') return true
  return verdict === 'invalid' && isFault(handler) && (handler.elsewhere !== null || handler.refuses === true)
}

/** True if a hook that cannot run here could object where it can. */
function canRefuse({ handler, waits }: ConfiguredHook): boolean {
  return isFault(handler) ? handler.elsewhere?.decides === true || handler.refuses === true : waits
}

/** Tells `once` hooks apart, also in a resumed session: components of one name have hooks of one id, and an edited hook is another. */
export function makeOnceKey(hook: ConfiguredHook): string {
  return digestValue([hook.file, hook.id, makeRunKey(hook)])
}

/** A hook's line of the record, without what only a run can tell. */
export function makeLine(
  hook: ConfiguredHook,
  verdict: HookLine['verdict'],
  because?: string,
): Readonly<Mutable<HookLine>> {
  return Object.freeze({ ...startLine(hook, verdict, because), warnings: [...hook.warnings] })
}

/** The part of a line that every hook has. Field by field: an event makes one for each of its hooks. */
export function startLine(
  { id, scope, profile, file, line, matcherText, written }: ConfiguredHook,
  verdict: HookLine['verdict'],
  because?: string,
): Mutable<Omit<HookLine, 'warnings'>> {
  return because === undefined
    ? { id, verdict, scope, profile, file, line, matcher: matcherText, ...written }
    : { id, verdict, because, scope, profile, file, line, matcher: matcherText, ...written }
}

/** More values than this are not remembered. */
const MAX_PLANS = 200

/** Settles for every hook whether it runs; drops none. Hooks of several profiles are settled each by the rules of its own. */
export function plan(all: readonly Listeners[], input: EventInput): Plan {
  const [only] = all
  return all.length === 1 && only ? planListeners(only, input) : planAll(all, input)
}

function planAll(all: readonly Listeners[], input: EventInput): Plan {
  const lines: HookLine[] = []
  const runs: PlannedRun[] = []
  const absent: AbsentHook[] = []
  for (const listeners of all) {
    const withPlace = <One extends { readonly at: number }>(one: One): One => ({
      ...one,
      at: readPlace(one.at, listeners),
    })
    const own = planListeners(listeners, input)
    for (const [at, line] of own.lines.entries()) lines[readPlace(at, listeners)] = line
    runs.push(...own.runs.map(withPlace))
    absent.push(...own.absent.map(withPlace))
  }
  return { lines: Object.freeze(lines), runs: runs.sort((a, b) => a.at - b.at), absent }
}

const readPlace = (at: number, { places }: Listeners): number => places?.[at] ?? at

function planListeners(listeners: Listeners, input: EventInput): Plan {
  const { row, expressions, conditions, plans } = listeners
  const value = readMatchedValue(row, input) ?? ''
  if (conditions.size > 0) return planWithConditions(findHits(listeners, value, input), listeners, input)
  if (expressions.length > 0) return planHits(findHits(listeners, value, input), listeners)
  const known = plans.get(value)
  if (known) return known
  if (plans.size >= MAX_PLANS) plans.clear()
  const made = planHits(findHits(listeners, value, input), listeners)
  plans.set(value, made)
  return made
}

/** Reads what the matchers of an event are tested against; null when it takes none. */
export function readMatchedValue({ matchOn, matchValue }: EventRow, input: EventInput): string | null {
  if (matchOn === null) return null
  const value = String(input[matchOn])
  return matchValue === 'basename' ? basename(value) : value
}

/** Hooks whose matchers match. */
interface Hits {
  /** Their positions, in configuration order. */
  readonly all: readonly number[]
  /** Positions of hooks that match another shape of the event alone. */
  readonly inShape: ReadonlySet<number>
  readonly shape: OtherShape | null
}

function findHits(listeners: Listeners, value: string, input: EventInput): Hits {
  const { always, expressions, row } = listeners
  const hits = [...always, ...findHitsByValue(listeners, value)]
  for (const { at, test } of expressions) if (test(input)) hits.push(at)
  const { aliases, alsoShownAs } = row.rules.matchers
  const olderNames = row.matchOn === null ? undefined : aliases[row.matchOn]?.[value]
  const shape = row.matchOn === null ? undefined : alsoShownAs[row.matchOn]?.[value]
  if (olderNames === undefined && shape === undefined)
    return { all: [...new Set(hits)].sort((a, b) => a - b), inShape: NO_POSITIONS, shape: null }
  const asItIs = new Set([...hits, ...(olderNames ?? []).flatMap((name) => findHitsByValue(listeners, name))])
  const others = shape === undefined ? [] : findHitsByValue(listeners, shape.value).filter((at) => !asItIs.has(at))
  return { all: [...asItIs, ...new Set(others)].sort((a, b) => a - b), inShape: new Set(others), shape: shape ?? null }
}

const NO_POSITIONS: ReadonlySet<number> = new Set()

/** Makes the input that a hook sees which is for another shape of the event. */
export function reshapeInput({ matchOn }: EventRow, input: EventInput, { value, of, keys }: OtherShape): EventInput {
  const whole = Object(input[of])
  const part = Object.fromEntries(keys.flatMap((key) => (key in whole ? [[key, whole[key]]] : [])))
  return Object.freeze({ ...input, ...(matchOn === null ? {} : { [matchOn]: value }), [of]: part })
}

function findHitsByValue(listeners: Listeners, value: string): number[] {
  const hits = [...(listeners.byName.get(value) ?? [])]
  for (const { at, test } of listeners.regexes) if (test(value)) hits.push(at)
  if (listeners.byLiteral.size > 0)
    for (const { at, test } of findCandidates(listeners, value)) if (test(value)) hits.push(at)
  return hits
}

/** The regexes whose text stands somewhere in the value: every part that may be such a text is looked up. */
function findCandidates({ byLiteral, literalLengths, literalStarts }: Listeners, value: string): Set<IndexedRegex> {
  const found = new Set<IndexedRegex>()
  for (let start = 0; start < value.length; start++) {
    if (!literalStarts.has(value.charAt(start))) continue
    for (const length of literalLengths) {
      for (const regex of byLiteral.get(value.slice(start, start + length)) ?? NO_REGEXES) found.add(regex)
    }
  }
  return found
}

const NO_REGEXES: readonly IndexedRegex[] = []

/** The plan of hooks whose matchers hit and of which some have a condition, which is asked after the matcher. */
function planWithConditions(hits: Hits, listeners: Listeners, input: EventInput): Plan {
  const unmet = new Map(hits.all.flatMap((at) => findUnmetCondition(at, listeners, input)))
  const made = planHits({ ...hits, all: hits.all.filter((at) => !unmet.has(at)) }, listeners)
  if (unmet.size === 0) return made
  const lines = made.lines.map((line, at) => {
    const [hook, because] = [listeners.hooks[at], unmet.get(at)]
    return hook && because !== undefined && line.verdict === 'matcher-miss'
      ? makeLine(hook, 'matcher-miss', because)
      : line
  })
  return { ...made, lines: Object.freeze(lines) }
}

/** A hook whose condition does not hold, with why. */
function findUnmetCondition(at: number, listeners: Listeners, input: EventInput): [at: number, because: string][] {
  const { conditions, row } = listeners
  const condition = conditions.get(at)
  if (condition === undefined) return []
  if (!row.takesIf) return [[at, `"if" never holds on ${row.name}`]]
  if (condition.fault !== null) return [[at, `its "if" can never hold: ${condition.fault}`]]
  const { fits, because } = judgeCondition(condition, listeners, input)
  return fits ? [] : [[at, `its "if" ${JSON.stringify(condition.text)} does not match the call: ${because}`]]
}

/** Asks a condition about the call that an event is about. */
export function judgeCondition(
  condition: Condition,
  { row, folders }: Pick<Listeners, 'row' | 'folders'>,
  { tool_name: tool, tool_input: input }: EventInput,
): ConditionVerdict {
  const name = String(tool)
  const { aliases, alsoShownAs } = row.rules.matchers
  const other = alsoShownAs[TOOL_NAME]?.[name]?.value
  const toolNames = [name, ...(aliases[TOOL_NAME]?.[name] ?? []), ...(other === undefined ? [] : [other])]
  return condition.judge({ toolNames, input }, folders)
}

function planHits(
  { all: hits, inShape, shape }: Hits,
  { row, hooks, missLines, absent: unable, spent }: Listeners,
): Plan {
  const missed = new Set(hits)
  const absent = [...unable].flatMap(([at, how]): AbsentHook[] => {
    const hook = hooks[at]
    return hook && (missed.has(at) || !how.isGuard) ? [{ at, hook, ...how }] : []
  })
  if (hits.length === 0) return { lines: missLines, runs: [], absent }
  const lines = [...missLines]
  const able: PlannedRun[] = []
  for (const at of hits) {
    const hook = hooks[at]
    if (!hook || unable.has(at)) continue
    if (hook.once && spent.has(makeOnceKey(hook))) {
      lines[at] = makeLine(hook, 'once-spent', 'it runs once per session')
      continue
    }
    able.push({ at, hook, row, timeouts: [hook.timeout], twins: [hook], shape: inShape.has(at) ? shape : null })
  }
  const runs = able.length < 2 ? able : mergeTwins(able, lines)
  for (const { at, hook } of runs) lines[at] = makeRunLine(hook)
  return { lines: Object.freeze(lines), runs, absent }
}

/** Hooks that run the same run once: the copies say in their lines which of them does. */
function mergeTwins(able: readonly PlannedRun[], lines: HookLine[]): PlannedRun[] {
  const twins = new Map<string, [PlannedRun, ...PlannedRun[]]>()
  for (const run of able) {
    const { key: keyOf } = DUPLICATES[run.row.rules.duplicates]
    const key = run.shape === null ? keyOf(run.hook) : `${run.shape.value} ${keyOf(run.hook)}`
    const group = twins.get(key)
    if (group) group.push(run)
    else twins.set(key, [run])
  }
  const runs = [...twins.values()].map((group): PlannedRun => {
    const [first] = group
    if (group.length === 1) return first
    const { kept: keptOf, asRun } = DUPLICATES[first.row.rules.duplicates]
    const kept = keptOf(group)
    const equal = group.map((one) => one.hook)
    for (const twin of group) if (twin !== kept) lines[twin.at] = makeDuplicateLine(twin.hook, kept)
    return {
      at: kept.at,
      hook: asRun(kept.hook, equal),
      row: kept.row,
      timeouts: group.flatMap(({ timeouts }) => timeouts),
      twins: equal,
      shape: kept.shape,
    }
  })
  return runs.sort((a, b) => a.at - b.at)
}

function makeRunLine(hook: ConfiguredHook): HookLine {
  return Object.freeze({ ...makeLine(hook, hook.waits ? 'ran' : 'backgrounded'), planned: true })
}

const makeDuplicateLine = (hook: ConfiguredHook, kept: PlannedRun): HookLine =>
  makeLine(hook, 'duplicate', `runs the same as ${kept.hook.id}`)
