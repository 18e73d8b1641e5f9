import { join } from 'node:path'
import type { EngineOptions } from '../engine/options.ts'
import { newSessionId } from './session-id.ts'

/** What the commands fill in for a host that is not there: a session, a transcript's path, a permission mode. */
export function driverDefaults(options: EngineOptions & { home: string }): EngineOptions {
  const sessionId = newSessionId()
  return {
    ...options,
    sessionId,
    transcriptPath: join(options.home, '.hookline', 'sessions', `${sessionId}.jsonl`),
    permissionMode: 'default',
  }
}
