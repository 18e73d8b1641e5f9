import { errorCode } from './read.ts'

/** Whether there is a process of this number, whoever's. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) !== 'ESRCH'
  }
}
