import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { makeDraftEnding } from './draft-name.ts'
import { HooklineError } from './error.ts'
import { makeFolders } from './folders.ts'
import { resolveLinks } from './paths.ts'
import { readErrorCode, statOrUndefined } from './read.ts'
import { isHeldOpen, retryWhileHeldOpen } from './retry.ts'

/** Content of a file: its text or bytes, or the parts of it one after the other where it is long. */
export type FileContent = string | Buffer | Iterable<string>

/**
 * Replaces a file in one step: a reader sees the old text or the new one. A link is followed, not replaced. Rejects with
 * a HooklineError when that cannot be done, and for a device, a pipe or a folder, which stay what they are; the old file is
 * then as it was. So is one that is read-only, unless `mode` is given, by which the file is our own. `followLinks: false`
 * replaces a link.
 */
export async function replaceFile(
  path: string,
  text: FileContent,
  { mode, folderMode, followLinks = true }: { mode?: number; folderMode?: number; followLinks?: boolean } = {},
): Promise<void> {
  const target = followLinks ? resolveLinks(path) : path
  try {
    const found = statOrUndefined(target, followLinks ? undefined : lstatSync)
    if (found !== undefined && !found.isFile() && !found.isSymbolicLink())
      throw new HooklineError(`${path} is not a regular file; it is as it was.`)
    if (mode === undefined && found !== undefined && isReadOnly(target, found))
      throw new HooklineError(`${path} is read-only; it is as it was. To change it, make it writable (chmod u+w).`)
    const before = mode === undefined ? (found ?? null) : { mode } // a new file gets the usual mode
    await putInPlace(target, text, { before, ...(folderMode === undefined ? {} : { folderMode }) })
  } catch (error) {
    if (error instanceof HooklineError) throw error
    const held = isHeldOpen(error) ? ' Another program may have it open.' : ''
    throw new HooklineError(`${path} cannot be written (${readErrorCode(error)}); it is as it was.${held}`)
  }
}

/** True for a file that its owner may not write, or that this user may not. */
function isReadOnly(path: string, { mode }: Stats): boolean {
  if ((mode & 0o222) === 0) return true
  try {
    accessSync(path, constants.W_OK)
    return false
  } catch (error) {
    return readErrorCode(error) !== 'ENOENT' // gone meanwhile: nothing is left to protect
  }
}

/** Properties that the new file keeps of the one before. */
type KeptAttributes = Pick<Stats, 'mode'> & Partial<Pick<Stats, 'uid' | 'gid'>>

/**
 * Puts a file with this text in the place of what is there, in one step, with the mode and the owner of the one before;
 * its folder is made when it is missing. No link is followed. Resolves with the time of the change; rejects with the
 * system's error, and then what was there is as it was. Only what waits for the disk is left to another thread: to ask one for
 * the rest would cost ten times as much.
 */
export async function putInPlace(
  target: string,
  text: FileContent,
  { before = null, folderMode = 0o777 }: { readonly before?: KeptAttributes | null; readonly folderMode?: number } = {},
): Promise<number> {
  const draft = join(dirname(target), `.hookline-${makeDraftEnding()}.tmp`)
  try {
    makeFolders(dirname(target), { mode: folderMode })
    const time = await writeDraft(openSync(draft, 'wx', before ? before.mode & 0o777 : 0o666), text, before)
    if (process.platform === 'win32') await retryWhileHeldOpen(() => renameSync(draft, target))
    else renameSync(draft, target)
    return time
  } catch (error) {
    removeDraft(draft)
    throw error
  }
}

async function writeDraft(file: number, text: FileContent, before: KeptAttributes | null): Promise<number> {
  try {
    for (const part of typeof text === 'string' || Buffer.isBuffer(text) ? [text] : text) writeFileSync(file, part) // each behind the last
    if (before) keepOwner(file, before)
    await promisify(fsync)(file)
    return fstatSync(file).mtimeMs
  } finally {
    closeSync(file)
  }
}

function keepOwner(file: number, { mode, uid, gid }: KeptAttributes): void {
  const now = fstatSync(file)
  if (uid !== undefined && gid !== undefined && (now.uid !== uid || now.gid !== gid)) changeOwner(file, uid, gid)
  fchmodSync(file, mode & 0o7777)
}

function changeOwner(file: number, uid: number, gid: number): void {
  try {
    fchownSync(file, uid, gid)
  } catch {
    // only root may give files away
  }
}

function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true })
  } catch {
    // nothing can be removed from the folder any more
  }
}
