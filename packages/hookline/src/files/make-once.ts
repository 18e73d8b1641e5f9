import { linkSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeDraftEnding } from './draft-name.ts'
import { HooklineError } from './error.ts'
import { makeFolders } from './folders.ts'
import { readErrorCode } from './read.ts'

/**
 * Makes a file of the user's own, in a folder of the user's own, unless it is there already: of several processes that make it
 * at the same time one does. Where the file system has links, it appears with its text in it, or not at all. Whether it was
 * made here; throws a HooklineError when it cannot be.
 */
export function makeOnce(path: string, text: string): boolean {
  const draft = join(dirname(path), `.${makeDraftEnding()}.tmp`)
  try {
    makeFolders(dirname(path), { mode: 0o700 })
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600 })
    placeNew(draft, path, text)
    return true
  } catch (error) {
    if (readErrorCode(error) === 'EEXIST') return false
    throw new HooklineError(`${path} cannot be made (${readErrorCode(error)}).`)
  } finally {
    rmSync(draft, { force: true }) // the draft may not even be there
  }
}

/** Errors of a file system without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR', 'EMLINK', 'UNKNOWN'])

/**
 * Puts a file that is written already under a name that is still free, and throws EEXIST when it is not. Where the file
 * system has no hard links, the file is made under its name and then written.
 */
export function placeNew(draft: string, path: string, text: string, place: typeof linkSync = linkSync): void {
  try {
    place(draft, path)
  } catch (error) {
    if (!NO_LINKS.has(readErrorCode(error))) throw error
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
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
