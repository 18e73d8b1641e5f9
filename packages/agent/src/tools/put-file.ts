import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileFault } from './file-fault.ts'
import type { OnDisk } from './file-on-disk.ts'

/** Where the last change of each file is under way. */
const underWay = new Map<string, Promise<unknown>>()

/** Lets those who change the same file do so one after the other: calls that run side by side lose nothing. */
export async function inTurn<Result>(path: string, change: () => Promise<Result>): Promise<Result> {
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
  const target = onDisk.is === 'file' ? onDisk.realPath : path
  const temporary = join(dirname(target), `.hookline-${randomUUID()}.tmp`)
  try {
    await mkdir(dirname(target), { recursive: true })
    const handle = await open(temporary, 'wx')
    const time = await fill(handle, content, onDisk)
    await rename(temporary, target)
    return time
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {}) // the first error is the one to tell
    throw fileFault(path, error)
  }
}

async function fill(handle: FileHandle, content: string, onDisk: OnDisk): Promise<number> {
  try {
    await handle.writeFile(content)
    if (onDisk.is === 'file') await likeBefore(handle, onDisk.stats)
    await handle.sync()
    return (await handle.stat()).mtimeMs
  } finally {
    await handle.close()
  }
}

async function likeBefore(handle: FileHandle, { mode, uid, gid }: { mode: number; uid: number; gid: number }) {
  const now = await handle.stat()
  if (now.uid !== uid || now.gid !== gid) await handle.chown(uid, gid).catch(() => {}) // only root may give files away
  await handle.chmod(mode & 0o7777)
}
