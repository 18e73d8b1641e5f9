import type { Place } from './source.ts'

/** The id of a rule that `hookline validate` holds files against. */
export type RuleId = `V-HK-${number}`

/** Problem in a file, with its place and what to do about it. */
export interface Problem extends Place {
  /** The rule that it breaks; `untrusted`: it breaks none, but nothing of it runs, since the folder is not trusted. */
  readonly rule: RuleId | 'untrusted'
  readonly severity: 'error' | 'warning'
  /** Relative to the project inside it, else absolute. */
  readonly file: string
  readonly message: string
}

/** The rules that the reading of files finds broken, each with its severity. `check/rules` explains them, and has others. */
export const READING_RULES = {
  'V-HK-01': 'error',
  'V-HK-02': 'error',
  'V-HK-03': 'error',
  'V-HK-04': 'error',
  'V-HK-05': 'error',
  'V-HK-06': 'error',
  'V-HK-08': 'error',
  'V-HK-09': 'error',
  'V-HK-12': 'warning',
  'V-HK-13': 'warning',
  'V-HK-14': 'warning',
  'V-HK-15': 'warning',
  'V-HK-16': 'error',
  'V-HK-17': 'error',
  'V-HK-25': 'warning',
  'V-HK-26': 'warning',
  'V-HK-27': 'warning',
  'V-HK-28': 'warning',
  'V-HK-29': 'warning',
  'V-HK-30': 'warning',
  'V-HK-32': 'warning',
  'V-HK-49': 'warning',
  'V-HK-53': 'error',
} as const satisfies Readonly<Record<RuleId, Problem['severity']>>

/** The id of a rule that the reading of files finds broken. */
export type ReadingRule = keyof typeof READING_RULES

/** True if the reading of files reports this rule. */
export function isReadingRule(id: string): id is ReadingRule {
  return Object.hasOwn(READING_RULES, id)
}

/** True for a file of which nothing counts: it is not JSON, or cannot be read at all. */
export function isUnreadFile({ rule }: Pick<Problem, 'rule'>): boolean {
  return rule === 'V-HK-01' || rule === 'V-HK-53'
}

/** Rules about a hook that has nothing to run. */
export const NAMING_NOTHING_TO_RUN: ReadonlySet<string> = new Set<ReadingRule>(['V-HK-06', 'V-HK-08'])

/** True if hooks that were written down may not run because of it. */
export function isSilencingHooks({ severity, rule }: Problem): boolean {
  return severity === 'error' || rule === 'V-HK-49' || NAMING_NOTHING_TO_RUN.has(rule)
}

/** Problem that reading finds, before it is told of which file. */
export interface ReadingProblem extends Place {
  readonly rule: ReadingRule
  readonly message: string
}

/** A problem of a file, with the severity of its rule. */
export function makeProblem(file: string, { rule, line, column, message }: ReadingProblem): Problem {
  return { rule, severity: READING_RULES[rule], file, line, column, message }
}

/** A problem as one line: `file:line:column  message`. */
export function formatProblem({ file, line, column, message }: Problem): string {
  return `${file}:${line}:${column}  ${message}`
}
