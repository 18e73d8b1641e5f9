import { lstatSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeDraftEnding } from './draft-name.ts'
import { HooklineError } from './error.ts'
import { makeFolders } from './folders.ts'
import { placeNew } from './make-once.ts'
import { resolveLinks } from './paths.ts'
import { isAlive } from './process-alive.ts'
import { readErrorCode, readOnce, statOrUndefined } from './read.ts'
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
      return rmSync(lock, { force: true })
    } catch {
      await pause(RETRY_MS) // once this process has ended, others see that it is stale
    }
  }
}

async function takeLock(lock: string, folderMode: number): Promise<void> {
  const draft = `${lock}.${makeDraftEnding()}`
  try {
    makeFolders(dirname(lock), { mode: folderMode })
    writeFileSync(draft, String(process.pid), { flag: 'wx', mode: 0o600 })
    await linkInPlace(draft, lock)
  } catch (error) {
    if (error instanceof HooklineError) throw error
    const folder = dirname(lock)
    if (statOrUndefined(folder)?.isDirectory() === false)
      throw new HooklineError(`${folder} is not a folder; nothing was written.`)
    throw new HooklineError(`${lock} cannot be made (${readErrorCode(error)}); nothing was written.`)
  } finally {
    await releaseLock(draft)
  }
}

/** A lock appears with its owner in it, or not at all; without links it may be empty for a moment, and is then taken for fresh. */
async function linkInPlace(draft: string, lock: string): Promise<void> {
  for (const end = performance.now() + LOCK_TIMEOUT_MS; performance.now() < end; await pause(RETRY_MS)) {
    try {
      return placeNew(draft, lock, String(process.pid))
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
  if (!isStale(lock)) return
  const breaking = `${lock}.breaking`
  try {
    writeFileSync(breaking, String(process.pid), { flag: 'wx', mode: 0o600 })
  } catch {
    if (isForgotten(breaking)) await releaseLock(breaking) // removing takes milliseconds, unless that process was killed meanwhile
    return
  }
  try {
    if (isStale(lock)) await releaseLock(lock)
  } finally {
    await releaseLock(breaking)
  }
}

function isStale(lock: string): boolean {
  const owner = readLockOwner(lock)
  return owner === null ? isForgotten(lock) : !isAlive(owner)
}

/** True if a file that is there for moments only is older than a process would wait. */
function isForgotten(lock: string): boolean {
  const stats = statOrUndefined(lock, lstatSync) // undefined: gone already
  return stats !== undefined && Date.now() - stats.mtimeMs > LOCK_TIMEOUT_MS
}

/** The process that made a lock; null when it names none, or is gone already. */
function readLockOwner(lock: string): number | null {
  const content = readOnce(lock, { follow: false })
  const owner = Number(content.read === 'text' ? content.text : '')
  return Number.isInteger(owner) && owner > 0 ? owner : null
}
