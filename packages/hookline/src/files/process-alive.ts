import { readErrorCode } from './read.ts'

/** True if a process of this number exists, of whichever user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return readErrorCode(error) !== 'ESRCH'
  }
}
