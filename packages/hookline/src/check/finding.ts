import type { Problem } from '../config/problem.ts'

/** How grave a finding is. A note says what is good to know, and needs no action. */
export type Severity = Problem['severity'] | 'note'

/** A broken rule in a file that was checked. */
export interface Finding extends Omit<Problem, 'severity'> {
  readonly severity: Severity
  /** The name of the rule: `unknown-tool`. */
  readonly name: string
  /** Where the documentation has the rule's page. */
  readonly link: string
  /** How much Claude Code drops because of it: the whole file, or this entry alone. */
  readonly loss?: 'file' | 'entry' | undefined
  /** The file's absolute path. */
  readonly path: string
}

/** How many characters of a line, from a column on, a finding is about: the text, name or number that starts there. */
export function findFindingExtent(line: string, column: number): number {
  const rest = line.slice(column - 1)
  const [found = ''] = /^"(?:[^"\\]|\\.)*"?|^'(?:[^']|'')*'?|^[[\]{}(),]|^[^\s,:}\]"]+/.exec(rest) ?? []
  return Math.max(1, found.length)
}
