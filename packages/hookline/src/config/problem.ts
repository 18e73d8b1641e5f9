import type { RuleId } from './rules.ts'
import type { Place } from './source.ts'

/** Something wrong in a file, with its place and what to do about it. */
export interface Problem extends Place {
  /** The rule that it breaks. */
  readonly rule: RuleId
  readonly severity: 'error' | 'warning'
  /** Relative to the project inside it, else absolute. */
  readonly file: string
  readonly message: string
}

/** A problem as one line: `file:line:column  message`. */
export function problemLine({ file, line, column, message }: Problem): string {
  return `${file}:${line}:${column}  ${message}`
}
