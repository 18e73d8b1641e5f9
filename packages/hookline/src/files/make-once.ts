import { randomUUID } from 'node:crypto'
import { linkSync } from 'node:fs'
import { link, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HooklineError } from './error.ts'
import { makeFolders } from './folders.ts'
import { readErrorCode } from './read.ts'

/**
 * Makes a file of the user's own, in a folder of the user's own, unless it is there already: of several processes that make it
 * at the same time one does. Where the file system has links, it appears with its text in it, or not at all. Whether it was
 * made here; rejects with a HooklineError when it cannot be.
 */
export async function makeOnce(path: string, text: string): Promise<boolean> {
  const draft = join(dirname(path), `.${randomUUID()}.tmp`)
  try {
    await makeFolders(dirname(path), { mode: 0o700 })
    await writeFile(draft, text, { flag: 'wx', mode: 0o600 })
    await placeNew(draft, path, text)
    return true
  } catch (error) {
    if (readErrorCode(error) === 'EEXIST') return false
    throw new HooklineError(`${path} cannot be made (${readErrorCode(error)}).`)
  } finally {
    await rm(draft, { force: true }).catch(() => {}) // the draft may not even be there
  }
}

/** Errors of a file system without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR', 'EMLINK', 'UNKNOWN'])

/**
 * Puts a file that is written already under a name that is still free, and rejects with EEXIST when it is not. Where the file
 * system has no hard links, the file is made under its name and then written.
 */
export async function placeNew(
  draft: string,
  path: string,
  text: string,
  place = (from: string, to: string) => link(from, to),
): Promise<void> {
  try {
    await place(draft, path)
  } catch (error) {
    if (!NO_LINKS.has(readErrorCode(error))) throw error
    await writeFile(path, text, { flag: 'wx', mode: 0o600 })
  }
}

/** Puts a file that is written already under a second name, at once; false where that is taken, or cannot be given. */
export function placeNewAtOnce(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch {
    return false
  }
}
