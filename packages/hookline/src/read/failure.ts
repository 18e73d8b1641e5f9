import { cleaned } from '../text/clean.ts'
import { NO_OPINION } from './opinion.ts'
import type { ReadContext, Result } from './result.ts'

/** The result of a hook that says nothing. */
export const SILENT: Result = {
  outcome: 'success',
  answer: null,
  opinion: NO_OPINION,
  texts: [],
  warnings: [],
  failed: null,
}

/** A hook that failed: its own words where it has some, else how. Nothing is decided. */
export function failure(words: string, how: string): Result {
  const text = `Failed with non-blocking status code: ${words || cleaned(how)}`
  return { ...SILENT, outcome: 'non_blocking_error', texts: [{ kind: 'failure', text }], failed: how }
}

/** A hook that came to no end of its own. */
export function cancelled(how: string, { name }: ReadContext): Result {
  return { ...SILENT, outcome: 'cancelled', texts: [{ kind: 'remark', text: `[${name}]: ${how}` }], failed: how }
}
