import { caseOf } from '../../../cases/case-of.ts'
import { caseText } from '../../../cases/write-case-file.ts'
import { HooklineError } from '../../../files/error.ts'
import type { HookCase } from '../../../protocol/hook-test.ts'
import type { LogLine } from '../../../record/log-line.ts'
import { ERASED } from '../../../text/erase.ts'

/** Lines of a log as a file of cases for `hookline test` that expects what happened. */
export async function casesFrom(lines: AsyncIterable<LogLine>, project: string): Promise<string> {
  const cases: HookCase[] = []
  for await (const { record, input } of lines) {
    if (input === null || input.prompt === ERASED) continue // nothing of it was kept but what was decided
    cases.push(caseOf({ record, input }, project))
  }
  if (cases.length === 0) throw new HooklineError('No event of the log is meant, so there is no case to write.')
  return caseText(cases)
}
