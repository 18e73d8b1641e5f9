import { setTimeout as pause } from 'node:timers/promises'
import { readErrorCode } from './read.ts'

/** Errors of Windows for a file that another process has open: a virus scanner, an editor, an indexer. */
const HELD = new Set(['EPERM', 'EACCES', 'EBUSY'])
const HELD_OPEN_TIMEOUT_MS = 1000
const FIRST_PAUSE_MS = 5

/** True if an error may be gone in a moment, because another process has the file open: so it is on Windows alone. */
export function isHeldOpen(error: unknown, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' && HELD.has(readErrorCode(error))
}

/** Does something with a file again for a second, with growing pauses, while another process has it open. */
export async function retryWhileHeldOpen<T>(
  act: () => T | Promise<T>,
  platform: NodeJS.Platform = process.platform,
): Promise<T> {
  const end = performance.now() + HELD_OPEN_TIMEOUT_MS
  for (let wait = FIRST_PAUSE_MS; ; wait *= 2) {
    try {
      return await act()
    } catch (error) {
      if (!isHeldOpen(error, platform) || performance.now() + wait > end) throw error
      await pause(wait)
    }
  }
}
