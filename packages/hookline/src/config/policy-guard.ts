import { type Stats, statSync } from 'node:fs'
import { HooklineError } from '../files/error.ts'

const BY_ANYBODY = 0o002
const BY_OTHERS = 0o022

/**
 * Throws a HooklineError for a policy file that anybody may write; at the system's own place also for one that does not
 * belong to root, or that root's group may write. A file that is missing is fine.
 */
export function refuseUnguardedPolicy(path: string, { ofSystem }: { ofSystem: boolean }): void {
  const stats = statsOf(path)
  if (!stats) return
  const foreign = ofSystem && stats.uid !== 0
  const open = (stats.mode & (ofSystem ? BY_OTHERS : BY_ANYBODY)) !== 0
  if (!foreign && !open) return
  const why = foreign ? 'it does not belong to root' : 'others than its owner may write it'
  throw new HooklineError(`${path} cannot be taken as policy: ${why}. Nothing is run until that is mended.`)
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined // reading it says what is wrong
  }
}
