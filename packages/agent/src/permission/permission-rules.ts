import { type Folders, parseRule, type Rule, type RuleSet } from 'hookline/rules'
import type { PermissionMode } from './modes.ts'

/** Source of a rule. */
export type RuleSource = 'managed' | 'user' | 'project' | 'local' | 'extra' | 'argument' | 'session'

/** A rule, and who made it. */
export interface SourcedRule extends Rule {
  readonly source: RuleSource
  /** The settings file, for showing; null: none. */
  readonly file: string | null
}

/** Problem of a settings file that does not count, or not as it was meant. */
export interface PermissionProblem {
  /** Relative to the project inside it, else absolute. */
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** Rules that calls are held against: plain data, replaced when it changes. */
export interface PermissionRules extends RuleSet<SourcedRule> {
  /** Folders that count as the project does. */
  readonly directories: readonly string[]
  /** The mode that settings ask for, and the file that does. */
  readonly defaultMode: { readonly mode: PermissionMode; readonly file: string } | null
  /** The file that forbids the mode without questions. */
  readonly bypassForbiddenBy: string | null
  readonly problems: readonly PermissionProblem[]
}

/** Folders, and no rule. */
export function makeNoRules({ project, home }: Folders): PermissionRules {
  return {
    ...{ project, home, directories: [] },
    ...{ allow: [], ask: [], deny: [] },
    ...{ defaultMode: null, bypassForbiddenBy: null, problems: [] },
  }
}

/** A problem in a line. */
export function formatPermissionProblem({ file, line, column, message }: PermissionProblem): string {
  return `${file}:${line}:${column}  ${message}`
}

/** Rules in which what settings files said before is what they say now; all that the session itself was given stays. */
export function rebaseRules(
  rules: PermissionRules,
  { before, now }: { readonly before: PermissionRules; readonly now: PermissionRules },
): PermissionRules {
  const rebaseBehavior = (behavior: 'allow' | 'ask' | 'deny'): SourcedRule[] =>
    exchangeItems(rules[behavior], { before: before[behavior], now: now[behavior], keyOf: makeRuleKey })
  return {
    ...now,
    ...{ allow: rebaseBehavior('allow'), ask: rebaseBehavior('ask'), deny: rebaseBehavior('deny') },
    directories: exchangeItems(rules.directories, { before: before.directories, now: now.directories, keyOf: String }),
  }
}

const makeRuleKey = ({ source, file, text }: SourcedRule): string => JSON.stringify([source, file, text])

interface Exchange<Thing> {
  readonly before: readonly Thing[]
  readonly now: readonly Thing[]
  readonly keyOf: (thing: Thing) => string
}

/** A list without what is there no longer, and with what is new. */
function exchangeItems<Thing>(list: readonly Thing[], { before, now, keyOf: key }: Exchange<Thing>): Thing[] {
  const [past, present] = [new Set(before.map(key)), new Set(now.map(key))]
  const kept = list.filter((thing) => present.has(key(thing)) || !past.has(key(thing)))
  const there = new Set(kept.map(key))
  return [...kept, ...now.filter((thing) => !there.has(key(thing)))]
}

/** The rules with those of the command line; what cannot be read is told, and does not count. */
export function addArguments(
  rules: PermissionRules,
  { allow = [], deny = [] }: { readonly allow?: readonly string[]; readonly deny?: readonly string[] },
): { readonly rules: PermissionRules; readonly faults: readonly string[] } {
  const [allowing, denying] = [readArguments(allow), readArguments(deny)]
  return {
    rules: { ...rules, allow: [...rules.allow, ...allowing.rules], deny: [...rules.deny, ...denying.rules] },
    faults: [...allowing.faults, ...denying.faults],
  }
}

function readArguments(texts: readonly string[]): { rules: SourcedRule[]; faults: string[] } {
  const parsed = texts.map(parseRule)
  return {
    rules: parsed.flatMap((rule) => ('fault' in rule ? [] : [{ ...rule, source: 'argument', file: null }])),
    faults: parsed.flatMap((rule) => ('fault' in rule ? [rule.fault] : [])),
  }
}
