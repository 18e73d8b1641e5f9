import { rename, stat } from 'node:fs/promises'
import { withLock } from './lock.ts'
import { readErrorCode } from './read.ts'
import { retryWhileHeldOpen } from './retry.ts'

/** Folders of logs are for their owner alone. */
export const OWNERS_FOLDER = 0o700

/** The path of the nth file that was moved aside; the first is the newest. */
export function nameRotatedFile(file: string, nth: number): string {
  return nth === 0 ? file : `${file}.${nth}`
}

/** Moves a full file aside, and the older ones on; the oldest goes when all places are taken. Does nothing when another process has just done it. */
export function rotate(
  { file, keep }: { readonly file: string; readonly keep: number },
  full: { readonly ino: number },
): Promise<void> {
  return withLock(file, () => moveAside(file, keep, full), { folderMode: OWNERS_FOLDER })
}

async function moveAside(file: string, keep: number, { ino }: { readonly ino: number }): Promise<void> {
  const now = await stat(file).catch(rethrowUnlessMissing)
  if (now?.ino !== ino) return
  let free = 1
  while (free < keep && (await stat(nameRotatedFile(file, free)).catch(rethrowUnlessMissing)) !== undefined) free++
  for (let nth = free; nth > 0; nth--) {
    await retryWhileHeldOpen(() => rename(nameRotatedFile(file, nth - 1), nameRotatedFile(file, nth))).catch(
      rethrowUnlessMissing,
    )
  }
}

/** There may be fewer files than are kept, and the user may have removed the log. */
function rethrowUnlessMissing(error: unknown): undefined {
  if (readErrorCode(error) !== 'ENOENT') throw error
}
