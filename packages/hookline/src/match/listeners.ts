import { type ConfiguredHook, isFault, whatItRuns } from '../config/hook.ts'
import type { Standing } from '../config/standing.ts'
import { definitionDigest } from '../config/trust.ts'
import type { InputTest } from '../pattern/expression.ts'
import type { Regex } from '../pattern/regex.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { HookLine, Unfinished } from '../protocol/record.ts'
import type { Condition } from '../rule/condition.ts'
import type { Folders } from '../rule/path-pattern.ts'
import type { Plan } from './plan.ts'

/** The hooks of one event, indexed so that an event without hooks costs almost nothing. */
export interface Listeners {
  readonly row: EventRow
  readonly hooks: readonly ConfiguredHook[]
  /** Where each of them stands among the hooks of all profiles; null: there is one profile. */
  readonly places: readonly number[] | null
  /** What the record says of each hook when its matcher misses. */
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
  /** Where the paths in conditions start. */
  readonly folders: Folders
  /** What cannot run here, by position: a guard is missed when its matcher hits, everything else is told at once. */
  readonly absent: ReadonlyMap<number, { readonly because: string; readonly isGuard: boolean }>
  /** Hooks that have had their one run. */
  readonly spent: ReadonlySet<string>
  /** Plans made earlier, by the value they were made for. */
  readonly plans: Map<string, Plan>
}

/** A regular expression and the position of its hook. */
export interface IndexedRegex {
  readonly at: number
  readonly test: Regex
}

/** Indexes hooks that stand in configuration order. */
export function listenersOf(
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
  const missLines = hooks.map((hook, at): HookLine => {
    const stands = standing(hook)
    const line =
      stands.verdict === 'active' ? lineOf(hook, 'matcher-miss') : lineOf(hook, stands.verdict, stands.because)
    if (stands.verdict !== 'active') {
      if (!isAbsent(hook, stands)) return line
      const isGuard = row.canBlock && couldObject(hook)
      absent.set(at, { because: stands.because, isGuard })
      if (!isGuard) return line
    }
    const { matcher } = hook
    if (matcher.kind === 'all') always.push(at)
    if (matcher.kind === 'regex') {
      const { test, literal } = matcher
      if (literal === '') regexes.push({ at, test })
      else addTo(byLiteral, literal, { at, test })
    }
    if (matcher.kind === 'expression') expressions.push({ at, test: matcher.test })
    if (matcher.kind === 'names') for (const name of matcher.names) addTo(byName, name, at)
    return line
  })
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
    conditions: new Map(hooks.flatMap(({ condition }, at) => (condition === null ? [] : [[at, condition] as const]))),
    folders,
    absent,
    spent,
    plans: new Map(),
  }
}

/** In place: a file may have a hundred thousand hooks of one name. */
function addTo<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}

/** Whether a hook is sound, but for another profile or host; one whose matcher cannot be read may be both. */
function isAbsent({ handler }: ConfiguredHook, { verdict }: Standing): boolean {
  return verdict === 'unsupported' || (verdict === 'invalid' && isFault(handler) && handler.elsewhere !== null)
}

/** Whether a hook that cannot run here could object where it can. */
function couldObject({ handler, waits }: ConfiguredHook): boolean {
  return isFault(handler) ? handler.elsewhere?.decides === true : waits
}

/** Tells `once` hooks apart, also in a resumed session: components of one name have hooks of one id, and an edited hook is another. */
export function onceKey(hook: ConfiguredHook): string {
  return definitionDigest([hook.file, hook.id, whatItRuns(hook)])
}

/** A hook's line of the record, without what only a run can tell. */
export function lineOf(
  hook: ConfiguredHook,
  verdict: HookLine['verdict'],
  because?: string,
): Readonly<Unfinished<HookLine>> {
  return Object.freeze({ ...lineStart(hook, verdict, because), warnings: [...hook.warnings] })
}

/** The part of a line that every hook has. Field by field: an event makes one for each of its hooks. */
export function lineStart(
  { id, scope, profile, file, line, matcherText, written }: ConfiguredHook,
  verdict: HookLine['verdict'],
  because?: string,
): Unfinished<Omit<HookLine, 'warnings'>> {
  return because === undefined
    ? { id, verdict, scope, profile, file, line, matcher: matcherText, ...written }
    : { id, verdict, because, scope, profile, file, line, matcher: matcherText, ...written }
}
