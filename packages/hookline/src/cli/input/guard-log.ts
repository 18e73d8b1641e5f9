import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameRotatedFile } from '../../files/rotate.ts'

/** A log that would grow longer is moved aside; one older file is kept. */
const MAX_LOG_BYTES = 4 * 1024 * 1024
const OLDER_LOGS = 1

/** Name of the log of guards, in `.hookline` of a home. */
const LOG = 'guards.log'

/** A line of the log. */
export interface LogLine {
  readonly at: string
  readonly project: string
  readonly tool: string
  readonly answer: string
  readonly findings: readonly { readonly guard: string; readonly says: string; readonly subject: string }[]
  readonly files: Readonly<Record<string, string>>
}

/** Adds what was decided to the log; a log that cannot be written changes no verdict. */
export async function addToLog(home: string, line: LogLine): Promise<void> {
  const log = { file: join(home, '.hookline', LOG), maxBytes: MAX_LOG_BYTES, keep: OLDER_LOGS }
  try {
    const { appendAtOnce } = await import('../../record/log-file.ts') // most calls pass, and are not logged
    const full = appendAtOnce(log, JSON.stringify(line))
    if (full === null) return
    const { rotate } = await import('../../files/rotate.ts')
    await rotate(log, full)
    appendAtOnce(log, JSON.stringify(line))
  } catch {
    // no room, or something else in its place: the verdict stands without a line
  }
}

/** The lines of the log, the oldest first. */
export function readLog(home: string): readonly LogLine[] {
  const file = join(home, '.hookline', LOG)
  const text = [nameRotatedFile(file, OLDER_LOGS), file].map((each) => readTextOrNull(each) ?? '').join('\n')
  return text.split('\n').flatMap((line) => {
    try {
      // Lines are written by addToLog; one that was cut off is passed over.
      return line === '' ? [] : [JSON.parse(line) as LogLine]
    } catch {
      return []
    }
  })
}

function readTextOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null // there is none
  }
}
