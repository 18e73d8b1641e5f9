import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { HooklineError } from './error.ts'
import { errorCode } from './read.ts'

const PATIENCE_MS = 10_000
const RETRY_MS = 20

/**
 * Does something while no other process does it with the same file, whose folder is made when it is missing. Rejects
 * with a HooklineError when its turn does not come.
 */
export async function withLock<T>(path: string, act: () => Promise<T>, { folderMode = 0o777 } = {}): Promise<T> {
  const lock = `${path}.lock`
  await take(lock, folderMode)
  try {
    return await act()
  } finally {
    await release(lock)
  }
}

async function release(lock: string): Promise<void> {
  for (let left = 3; left > 0; left--) {
    try {
      return await rm(lock, { force: true })
    } catch {
      await pause(RETRY_MS) // once this process has ended, others see that it is stale
    }
  }
}

async function take(lock: string, folderMode: number): Promise<void> {
  const draft = `${lock}.${randomUUID()}`
  try {
    await mkdir(dirname(lock), { recursive: true, mode: folderMode })
    await writeFile(draft, String(process.pid), { flag: 'wx', mode: 0o600 })
    await linkInPlace(draft, lock)
  } catch (error) {
    if (error instanceof HooklineError) throw error
    throw new HooklineError(`${lock} cannot be made (${errorCode(error)}); nothing was written.`)
  } finally {
    await release(draft)
  }
}

/** A lock appears with its owner in it, or not at all. */
async function linkInPlace(draft: string, lock: string): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await pause(RETRY_MS)) {
    try {
      return await link(draft, lock)
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
    await breakIfStale(lock)
  }
  throw new HooklineError(`${lock} is held by another process. If there is none, remove it. Nothing was written.`)
}

/** Removes the lock of a process that is gone. Moving it aside first makes sure that nobody else's is removed. */
async function breakIfStale(lock: string): Promise<void> {
  const owner = await ownerOf(lock)
  if (owner === null ? !(await isForgotten(lock)) : isAlive(owner)) return
  const aside = `${lock}.${randomUUID()}`
  try {
    await rename(lock, aside)
    if ((await ownerOf(aside)) !== owner) await link(aside, lock)
  } catch {
    // somebody else was quicker; the next try sees what they left
  } finally {
    await release(aside)
  }
}

/** Whether nobody can be behind a lock that names no owner: ours appear with their owner in them. */
async function isForgotten(lock: string): Promise<boolean> {
  const stats = await stat(lock).catch(() => null) // gone already
  return stats !== null && Date.now() - stats.mtimeMs > PATIENCE_MS
}

/** The process that made a lock; null when it names none, or is gone already. */
async function ownerOf(lock: string): Promise<number | null> {
  const owner = Number(await readFile(lock, 'utf8').catch(() => '')) // it may be gone by now
  return Number.isInteger(owner) && owner > 0 ? owner : null
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) !== 'ESRCH'
  }
}
