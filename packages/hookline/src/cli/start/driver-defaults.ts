import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineOptions } from '../../engine/options.ts'
import { makeTempFolder } from '../../files/temp-folder.ts'
import { newSessionId } from './session-id.ts'

/** What the commands fill in for a host that is not there: a session and a permission mode. */
export function driverDefaults(options: EngineOptions): EngineOptions {
  return { ...options, sessionId: newSessionId(), permissionMode: 'default' }
}

/**
 * Does something while there is an empty transcript for hooks to find; null where no file can be made: then events name
 * none.
 */
export async function withTranscript<Result>(
  sessionId: string | undefined,
  act: (path: string | null) => Promise<Result>,
): Promise<Result> {
  const folder = await makeTempFolder('session').catch(() => null) // a full disk, or a temp folder that is closed to us
  if (folder === null) return act(null)
  const path = join(folder.path, `${sessionId}.jsonl`)
  try {
    writeFileSync(path, '', { mode: 0o600 })
    return await act(path)
  } finally {
    await folder.remove()
  }
}
