import type { Problem } from '../config/problem.ts'

/** Severity of a finding. A note says what is good to know, and needs no action. */
export type Severity = Problem['severity'] | 'note'

/** A broken rule in a file that was checked. */
export interface Finding extends Omit<Problem, 'severity'> {
  readonly severity: Severity
  /** The name of the rule: `unknown-tool`. */
  readonly name: string
  /** Page of the rule in the documentation. */
  readonly link: string
  /** Part that Claude Code drops because of it: the whole file, or this entry alone. */
  readonly loss?: 'file' | 'entry' | undefined
  /** The file's absolute path. */
  readonly path: string
}

/** Number of characters of a line, from a column on, a finding is about: the text, name or number that starts there. */
export function findFindingExtent(line: string, column: number): number {
  const rest = line.slice(column - 1)
  const [found = ''] = /^"(?:[^"\\]|\\.)*"?|^'(?:[^']|'')*'?|^[[\]{}(),]|^[^\s,:}\]"]+/.exec(rest) ?? []
  return Math.max(1, found.length)
}
