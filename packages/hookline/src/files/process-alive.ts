import { readFileSync } from 'node:fs'
import { readErrorCode } from './read.ts'

/** True if a process of this number runs, of whichever user. One that has ended keeps its number until its parent asks about it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (readErrorCode(error) === 'ESRCH') return false
  }
  return !hasEnded(pid)
}

/** True if a process waits for its parent to ask about its end: in a container, where nobody may ever do so. Linux only. */
function hasEnded(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
  } catch {
    return false // no such system, or the process is gone by now: the next look tells
  }
}
