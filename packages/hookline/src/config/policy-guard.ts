import { stat } from 'node:fs/promises'
import { HooklineError } from './error.ts'

/** Throws a HooklineError for a policy file that somebody but the system's owner can write. A file that is missing is fine. */
export async function refuseUnguardedPolicy(path: string): Promise<void> {
  const stats = await stat(path).catch(() => null) // reading it says what is wrong
  if (!stats) return
  const owned = stats.uid === 0
  const closed = (stats.mode & 0o022) === 0
  if (owned && closed) return
  const why = owned ? 'others than its owner can write it' : 'it does not belong to root'
  throw new HooklineError(`${path} cannot be taken as policy: ${why}. Nothing is run until that is mended.`)
}
