import type { ConfiguredHook } from '../config/hook.ts'
import type { Standing } from '../config/standing.ts'
import type { InputTest } from '../pattern/expression.ts'
import type { Regex } from '../pattern/regex.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { HookLine } from '../protocol/record.ts'
import type { Plan } from './plan.ts'

/** The hooks of one event, indexed so that an event nobody listens to costs almost nothing. */
export interface Listeners {
  readonly row: EventRow
  readonly hooks: readonly ConfiguredHook[]
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
  { standing, spent }: { standing: (hook: ConfiguredHook) => Standing; spent: ReadonlySet<string> },
): Listeners {
  const always: number[] = []
  const byName = new Map<string, number[]>()
  const regexes: IndexedRegex[] = []
  const byLiteral = new Map<string, IndexedRegex[]>()
  const expressions: { at: number; test: InputTest }[] = []
  const missLines = hooks.map((hook, at): HookLine => {
    const stands = standing(hook)
    if (stands.verdict !== 'active') return lineOf(hook, stands.verdict, stands.because)
    const { matcher } = hook
    if (matcher.kind === 'all') always.push(at)
    if (matcher.kind === 'regex') {
      const { test, literal } = matcher
      if (literal === '') regexes.push({ at, test })
      else byLiteral.set(literal, [...(byLiteral.get(literal) ?? []), { at, test }])
    }
    if (matcher.kind === 'expression') expressions.push({ at, test: matcher.test })
    if (matcher.kind === 'names') for (const name of matcher.names) byName.set(name, [...(byName.get(name) ?? []), at])
    return lineOf(hook, 'matcher-miss')
  })
  return {
    row,
    hooks,
    missLines: Object.freeze(missLines),
    always,
    byName,
    regexes,
    byLiteral,
    literalLengths: [...new Set([...byLiteral.keys()].map((literal) => literal.length))],
    literalStarts: new Set([...byLiteral.keys()].map((literal) => literal.charAt(0))),
    expressions,
    spent,
    plans: new Map(),
  }
}

/** Tells `once` hooks apart: components of one name have hooks of one id. */
export function onceKey({ file, id }: ConfiguredHook): string {
  return `${file} ${id}`
}

/** A hook's line of the record, without what only a run can tell. */
export function lineOf(hook: ConfiguredHook, verdict: HookLine['verdict'], because?: string): HookLine {
  return Object.freeze({ ...lineStart(hook, verdict, because), warnings: [...hook.warnings] })
}

/** The part of a line that every hook has. Field by field: an event makes one for each of its hooks. */
export function lineStart(
  { id, scope, file, line, matcherText, written }: ConfiguredHook,
  verdict: HookLine['verdict'],
  because?: string,
): Omit<HookLine, 'warnings'> {
  const { type, command, prompt } = written
  const start: Omit<HookLine, 'warnings'> =
    because === undefined
      ? { id, verdict, scope, file, line, matcher: matcherText, type }
      : { id, verdict, because, scope, file, line, matcher: matcherText, type }
  if (command !== undefined) start.command = command
  if (prompt !== undefined) start.prompt = prompt
  return start
}
