import { appendFile, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolders, replaceFile } from 'hookline/internal'

/** Entries that are kept; with twice as many the file is written anew. */
const MAX_FILE_ENTRIES = 1000

/** Reads what was typed in earlier sessions of the project, the oldest first. */
export async function readHistory(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '') // none yet, or it may not be read
  const entries = text.split('\n').flatMap(parseEntry)
  const kept = entries.slice(-MAX_FILE_ENTRIES)
  if (entries.length > 2 * MAX_FILE_ENTRIES) {
    const lines = kept.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    await replaceFile(path, lines, { mode: 0o600, folderMode: 0o700 }).catch(() => {}) // the file stays long
  }
  return kept
}

/** Keeps an entry for later sessions; what cannot be written is missing there. */
export async function keepEntry(path: string, entry: string): Promise<void> {
  try {
    makeFolders(dirname(path), { mode: 0o700 })
    await appendFile(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
  } catch {
    // no room, or a home that may not be written to
  }
}

function parseEntry(line: string): string[] {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'string' ? [entry] : []
  } catch {
    return [] // a line that was cut off, or the end of the file
  }
}
