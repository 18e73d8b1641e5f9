import { join, relative, resolve } from 'node:path'
import { caseOf } from '../../../cases/case-of.ts'
import { CASE_FILE } from '../../../cases/find-case-files.ts'
import type { CaseOptions } from '../../../cases/run-case.ts'
import { runCases } from '../../../cases/run-cases.ts'
import { addCase } from '../../../cases/write-case-file.ts'
import { HooklineError } from '../../../files/error.ts'
import { refuseLeadingOut } from '../../../files/paths.ts'
import { eventInput } from '../../start/event-argument.ts'
import { UsageError } from '../../start/flags.ts'

/** Where new cases go unless somebody says otherwise. */
const USUAL_FILE = join('.claude', 'hooks', 'hooks.hooktest.yaml')

/** Fires an event in a scratch copy, and writes a case that expects what came of it. The file it stands in. */
export async function newCase(
  event: string,
  fields: readonly string[],
  {
    file,
    options,
    ...flags
  }: { file?: string | undefined; options: CaseOptions; input?: string | undefined; profile?: string | undefined },
): Promise<string> {
  const path = file === undefined ? join(options.project, USUAL_FILE) : caseFile(file)
  if (file === undefined) refuseLeadingOut(path, options.project)
  const { hook_event_name, ...input } = await eventInput([event, ...fields], flags)
  const [result] = await runCases([{ case: { name: event, event, input }, file: path, at: 0, line: 1 }], options)
  if (!result || result.ended === 'broken') throw new HooklineError(result?.reason ?? 'The event was not fired.')
  await addCase(path, caseOf({ record: result.record, input: { ...input, hook_event_name } }, options.project))
  return relative(options.project, path)
}

/** A file that `hookline test` will find again. */
function caseFile(path: string): string {
  if (!CASE_FILE.test(path))
    throw new UsageError(`"${path}" must end in .hooktest.yaml, .hooktest.yml or .hooktest.json.`)
  return resolve(path)
}
