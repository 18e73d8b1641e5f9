import { lstat } from 'node:fs/promises'
import { basename } from 'node:path'
import { addCase } from '../../../cases/write-case-file.ts'
import type { EventRow } from '../../../protocol/event-row.ts'
import { parseAssignments, withFields } from '../../input/event-argument.ts'

/** A hook that was just made. */
interface MadeHook {
  readonly row: EventRow
  readonly script: string
  readonly matcher: string | undefined
}

/** Writes a first case beside a new script: it runs, and objects to nothing. null: there is a file of that name already. */
export async function writeFirstCase({ row, script, matcher }: MadeHook): Promise<string | null> {
  const name = basename(script)
  const path = script.replace(/\.\w+$/, '.hooktest.yaml')
  const exists = await lstat(path).then(
    () => true,
    () => false, // as it should be
  )
  if (exists) return null
  const value = findFirstName(matcher)
  const given = row.matchOn === null || value === null ? [] : [`${row.matchOn}=${value}`]
  await addCase(path, {
    name: `${name} runs and objects to nothing`,
    event: row.name,
    input: withFields(row, undefined, parseAssignments(given)),
    expect: { decision: { blocked: false }, ...(isPattern(matcher) ? {} : { hooks: { [name]: 'ran' } }) },
  })
  return path
}

/** The first of the names that a matcher lists; null when it lists none. */
function findFirstName(matcher: string | undefined): string | null {
  const [first = ''] = (matcher ?? '').split('|')
  return /^\w+$/.test(first) ? first : null
}

/** True if only trying tells what a matcher matches. */
function isPattern(matcher: string | undefined): boolean {
  return matcher !== undefined && matcher !== '' && matcher !== '*' && findFirstName(matcher) === null
}
