import { putInPlace } from 'hookline/internal'
import { toFileError } from './file-fault.ts'
import type { OnDisk } from './file-on-disk.ts'

/** Last change of each file that is under way. */
const underWay = new Map<string, Promise<unknown>>()

/** Lets those who change the same file do so one after the other: calls that run side by side lose nothing. */
export async function runInTurn<Result>(path: string, change: () => Promise<Result>): Promise<Result> {
  const before = underWay.get(path) ?? Promise.resolve()
  const mine = before.then(change, change)
  underWay.set(path, mine)
  try {
    return await mine
  } finally {
    if (underWay.get(path) === mine) underWay.delete(path)
  }
}

/**
 * Gives a file a new content all at once: a reader sees the old or the new one. Makes its folders; keeps mode and owner
 * of a file that was there, and the links that led to it. Resolves with the time of the change, as `seen` holds it.
 */
export async function putFile(path: string, content: string, onDisk: OnDisk): Promise<number> {
  try {
    return await (onDisk.is === 'file'
      ? putInPlace(onDisk.realPath, content, { before: onDisk.stats })
      : putInPlace(path, content))
  } catch (error) {
    throw toFileError(path, error)
  }
}
