import type { Problem } from '../config/problem.ts'
import type { RuleId } from '../config/rules.ts'
import type { Place } from '../config/source.ts'

/** A broken rule in a file that was checked. */
export interface Finding extends Problem {
  /** The file's absolute path. */
  readonly path: string
}

/** What a rule has to say about a hook. */
export interface Remark {
  readonly rule: RuleId
  readonly place: Place
  readonly message: string
}
