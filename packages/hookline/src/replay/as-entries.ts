import type { LogEntry } from '../log/record-store.ts'
import type { PastRecord } from '../protocol/record/record.ts'
import { VERSION } from '../text/version.ts'
import type { PastOutcome } from './past-event.ts'
import type { PlannedEvent, ReplayedEvent } from './replay.ts'

/** Words behind the id of a session whose hooks were run again. */
const REPLAYED = ' (replayed)'

/** Name of the session that holds the replay of another one. */
function nameReplayedSession(session: string): string {
  return `${session}${REPLAYED}`
}

/** The entry that a log would have of an event that was replayed; null where it is not an event here. */
export function toReplayedLogEntry({ event, record }: ReplayedEvent): LogEntry | null {
  if (record === null) return null
  const at = event.time === 0 ? record.at : new Date(event.time).toISOString()
  return { record: { ...record, at, sessionId: nameReplayedSession(record.sessionId) }, input: event.input }
}

/**
 * The entry that a log would have of an event of a transcript: its outcome as the transcript tells it, and of every hook of today what
 * would become of it. Lines of hooks that would run are `planned`: nothing was run. An `outcome` of theirs is what they would have answered.
 */
export function toPlannedLogEntry({ event, plan }: Pick<PlannedEvent, 'event' | 'plan'>, nth: number): LogEntry {
  const { input, before, time } = event
  const record: PastRecord = {
    version: 2,
    id: `transcript/${nth}`,
    at: new Date(time).toISOString(),
    durationMs: 0,
    sessionId: String(input.session_id),
    ...(typeof input.agent_id === 'string' ? { agentId: input.agent_id } : {}),
    event: input.hook_event_name,
    profile: '',
    host: { client: 'transcript' },
    engine: VERSION,
    project: { name: findFolderName(input.cwd), pathHash: '' },
    snapshot: '',
    decision: toPastDecision(before),
    hooks: plan ?? [],
  }
  return { record, input }
}

function findFolderName(cwd: unknown): string {
  return typeof cwd === 'string' ? (cwd.split(/[/\\]/).at(-1) ?? '') : ''
}

const PERMISSIONS = { passed: null, asked: 'ask', deferred: 'defer', refused: 'deny', unknown: null } as const
const REFUSERS = { hook: 'a hook', person: 'the user', rule: 'a rule' } as const

function toPastDecision(before: PastOutcome): PastRecord['decision'] {
  const isRefused = before.was === 'refused'
  return {
    ...{ halt: false, stopReason: null, blocked: isRefused, interrupt: false },
    permission: PERMISSIONS[before.was],
    reason: isRefused ? `refused then by ${REFUSERS[before.by]}` : null,
    ...{ updatedInput: null, updatedPermissions: null, updatedToolOutput: null },
    ...{ context: [], contextFrom: [], instructions: null, messages: [] },
  }
}
