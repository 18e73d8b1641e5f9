import { randomUUID } from 'node:crypto'
import { lstat, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { HooklineError } from './error.ts'
import { makeFolders } from './folders.ts'
import { placeNew } from './make-once.ts'
import { resolveLinks } from './paths.ts'
import { isAlive } from './process-alive.ts'
import { readErrorCode, readText } from './read.ts'
import { isHeldOpen } from './retry.ts'

const LOCK_TIMEOUT_MS = 10_000
const RETRY_MS = 20

/**
 * Does something while no other process does it with the same file, by whatever link they name it; its folder is made
 * when it is missing. Rejects with a HooklineError when its turn does not come.
 */
export async function withLock<T>(
  path: string,
  act: () => Promise<T>,
  { folderMode = 0o777, followLinks = true }: { folderMode?: number; followLinks?: boolean } = {},
): Promise<T> {
  const lock = `${followLinks ? resolveLinks(path) : path}.lock`
  await takeLock(lock, folderMode)
  try {
    return await act()
  } finally {
    await releaseLock(lock)
  }
}

async function releaseLock(lock: string): Promise<void> {
  for (let left = 3; left > 0; left--) {
    try {
      return await rm(lock, { force: true })
    } catch {
      await pause(RETRY_MS) // once this process has ended, others see that it is stale
    }
  }
}

async function takeLock(lock: string, folderMode: number): Promise<void> {
  const draft = `${lock}.${randomUUID()}`
  try {
    await makeFolders(dirname(lock), { mode: folderMode })
    await writeFile(draft, String(process.pid), { flag: 'wx', mode: 0o600 })
    await linkInPlace(draft, lock)
  } catch (error) {
    if (error instanceof HooklineError) throw error
    throw new HooklineError(`${lock} cannot be made (${readErrorCode(error)}); nothing was written.`)
  } finally {
    await releaseLock(draft)
  }
}

/** A lock appears with its owner in it, or not at all; without links it may be empty for a moment, and is then taken for fresh. */
async function linkInPlace(draft: string, lock: string): Promise<void> {
  for (const end = performance.now() + LOCK_TIMEOUT_MS; performance.now() < end; await pause(RETRY_MS)) {
    try {
      return await placeNew(draft, lock, String(process.pid))
    } catch (error) {
      if (readErrorCode(error) !== 'EEXIST' && !isHeldOpen(error)) throw error // a removed one may still be open elsewhere
    }
    await breakIfStale(lock)
  }
  throw new HooklineError(`${lock} is held by another process. If there is none, remove it. Nothing was written.`)
}

/**
 * Removes the lock of a process that is gone. One process at a time does so, and looks again before it does: by then the
 * lock may be that of another process, which is at work.
 */
async function breakIfStale(lock: string): Promise<void> {
  if (!(await isStale(lock))) return
  const breaking = `${lock}.breaking`
  try {
    await writeFile(breaking, String(process.pid), { flag: 'wx', mode: 0o600 })
  } catch {
    if (await isForgotten(breaking)) await releaseLock(breaking) // removing takes milliseconds, unless that process was killed meanwhile
    return
  }
  try {
    if (await isStale(lock)) await releaseLock(lock)
  } finally {
    await releaseLock(breaking)
  }
}

async function isStale(lock: string): Promise<boolean> {
  const owner = await readLockOwner(lock)
  return owner === null ? isForgotten(lock) : !isAlive(owner)
}

/** True if a file that is there for moments only is older than a process would wait. */
async function isForgotten(lock: string): Promise<boolean> {
  const stats = await lstat(lock).catch(() => null) // gone already
  return stats !== null && Date.now() - stats.mtimeMs > LOCK_TIMEOUT_MS
}

/** The process that made a lock; null when it names none, or is gone already. */
async function readLockOwner(lock: string): Promise<number | null> {
  const content = await readText(lock, { follow: false })
  const owner = Number(content.read === 'text' ? content.text : '')
  return Number.isInteger(owner) && owner > 0 ? owner : null
}
