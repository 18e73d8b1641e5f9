import { lstatSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type FileText, readText } from './read.ts'

const WRITTEN_BY_OTHERS = 0o022
const READ_BY_OTHERS = 0o044

/** Options for writing what `readOwn` reads: for the user alone, and never where a link in its place leads. */
export const PRIVATE = { mode: 0o600, folderMode: 0o700, followLinks: false } as const

/**
 * Reads a file that only the user may have written: one that is a link, that belongs to another user, or that others may
 * write or replace is unreadable; a secret one also when others may read it. Never throws.
 */
export async function readOwn(path: string, { secret = false } = {}): Promise<FileText> {
  const content = await readText(path, { follow: false })
  const doubt = content.read === 'text' ? findDoubt(path, secret) : null
  return doubt === null ? content : { read: 'unreadable', reason: doubt, stamp: content.stamp }
}

function findDoubt(path: string, secret: boolean): string | null {
  const user = process.getuid?.()
  if (user === undefined) return null // a system where modes say nothing
  try {
    const file = lstatSync(path)
    if (!file.isFile()) return 'is not a regular file'
    if (file.uid !== user && file.uid !== 0) return 'belongs to another user'
    if (isWritableByOthers(file)) return 'may be written by others'
    if (secret && (file.mode & READ_BY_OTHERS) !== 0) return 'may be read by others'
    return isWritableByOthers(statSync(dirname(path))) ? 'is in a folder that others may write' : null
  } catch {
    return 'cannot be looked at' // the file is gone, or was replaced, since it was read
  }
}

function isWritableByOthers({ mode }: Stats): boolean {
  return (mode & WRITTEN_BY_OTHERS) !== 0
}
