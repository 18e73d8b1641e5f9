import { expectationOf } from './case-of.ts'
import type { CaseResult } from './run-case.ts'
import type { CaseEdit } from './write-case-file.ts'

/** What to write into the file of a case so that it expects what was seen: only what was wrong, or all when it expected nothing. */
export function editsFor(result: CaseResult): CaseEdit[] {
  const place = ['cases', result.at, 'expect']
  if (result.ended === 'open') return [{ path: place, value: expectationOf(result.record) }]
  if (result.ended !== 'failed') return []
  return result.mismatches.map(({ path, seen }) => ({ path: [...place, ...path], value: seen }))
}
