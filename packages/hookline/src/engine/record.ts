import type { ConfiguredHook } from '../config/hook.ts'
import { lineOf } from '../match/listeners.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { Decision, DispatchRecord, HookLine } from '../protocol/record.ts'
import type { Result } from '../read/result.ts'
import { NOTHING, type Run } from '../run/run.ts'
import type { Session } from './session.ts'

/** The record of an event; takes the notices that have gathered. */
export function recordOf(
  { options, notices }: Session,
  { name }: EventRow,
  input: EventInput,
  { lines, decision }: { lines: readonly HookLine[]; decision: Decision },
): DispatchRecord {
  return {
    version: 1,
    at: new Date().toISOString(),
    sessionId: String(input.session_id),
    event: name,
    profile: options.profile.name,
    decision,
    hooks: lines as HookLine[], // lines that tell of no run are shared and frozen
    ...(notices.length > 0 ? { notices: notices.splice(0) } : {}),
  }
}

/** The line of a hook that ran and was read. */
export function ranLine(hook: ConfiguredHook, run: Run, result: Result): HookLine {
  const { stdout, stderr } = 'stdout' in run ? run : { stdout: NOTHING, stderr: NOTHING }
  const { warnings, ...line } = lineOf(hook, 'ran')
  return {
    ...line,
    outcome: result.outcome,
    ...(result.failed !== null && result.opinion.blocks ? { failed: result.failed } : {}),
    exitCode: run.ended === 'exited' ? run.code : null,
    signal: run.ended === 'signalled' ? run.signal : null,
    timedOut: run.ended === 'timed-out',
    durationMs: run.durationMs,
    stdoutBytes: stdout.bytes,
    stderrBytes: stderr.bytes,
    truncated: stdout.bytes > stdout.kept.length || stderr.bytes > stderr.kept.length,
    answer: result.answer,
    warnings: [...warnings, ...result.warnings],
  }
}

/** The line of a hook that was to run and of which there is nothing to read. */
export function unreadLine(hook: ConfiguredHook, verdict: 'backgrounded' | 'not-reached', because?: string): HookLine {
  return { ...lineOf(hook, verdict, because) }
}
