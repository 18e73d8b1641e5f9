import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineOptions } from '../engine/options.ts'
import { makeTempFolder } from '../files/temp-folder.ts'
import { newSessionId } from './session-id.ts'

/** What the commands fill in for a host that is not there: a session and a permission mode. */
export function driverDefaults(options: EngineOptions): EngineOptions {
  return { ...options, sessionId: newSessionId(), permissionMode: 'default' }
}

/**
 * Lets a command that runs hooks name a transcript that is there, empty, until the command is done. Where no file can be
 * made, events name none.
 */
export async function withTranscript<Result>(
  options: EngineOptions,
  act: (options: EngineOptions) => Promise<Result>,
): Promise<Result> {
  const folder = await makeTempFolder('session').catch(() => null) // a full disk, or a temp folder that is closed to us
  if (folder === null) return act(options)
  const transcriptPath = join(folder.path, `${options.sessionId}.jsonl`)
  try {
    await writeFile(transcriptPath, '', { mode: 0o600 })
    return await act({ ...options, transcriptPath })
  } finally {
    await folder.remove()
  }
}
