import type { ConfiguredHook } from '../config/hook.ts'
import { lineOf, lineStart } from '../match/listeners.ts'
import { cleaned } from '../protocol/clean-text.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { Decision, DispatchRecord, HookLine } from '../protocol/record.ts'
import type { Result } from '../read/result.ts'
import { NOTHING, type Run } from '../run/run.ts'
import type { Session } from './session.ts'

/** The record of an event; takes the notices that have gathered, and is noted in the log, if there is one. */
export function recordOf(
  { options, notices, recordLog }: Session,
  { name }: EventRow,
  input: EventInput,
  { lines, decision }: { lines: readonly HookLine[]; decision: Decision },
): DispatchRecord {
  const record: DispatchRecord = {
    version: 1,
    at: new Date().toISOString(),
    sessionId: String(input.session_id),
    event: name,
    profile: options.profile.name,
    decision,
    hooks: lines as HookLine[], // lines that tell of no run are shared and frozen
    ...(notices.length > 0 ? { notices: notices.splice(0) } : {}),
  }
  recordLog?.add(record, input)
  return record
}

/** The line of a hook that ran and was read. */
export function ranLine(hook: ConfiguredHook, run: Run, result: Result): HookLine {
  const { stdout, stderr } = 'stdout' in run ? run : { stdout: NOTHING, stderr: NOTHING }
  return {
    ...lineStart(hook, 'ran'),
    outcome: result.outcome,
    ...(result.failed !== null && result.opinion.blocks ? { failed: result.failed } : {}),
    exitCode: run.ended === 'exited' ? run.code : null,
    signal: run.ended === 'signalled' ? run.signal : null,
    timedOut: run.ended === 'timed-out',
    durationMs: run.durationMs,
    stdoutBytes: stdout.bytes,
    stderrBytes: stderr.bytes,
    truncated: stdout.bytes > stdout.kept.length || stderr.bytes > stderr.kept.length,
    ...('launcher' in run && run.launcher !== undefined ? { launcher: run.launcher } : {}),
    ...spending(run),
    answer: result.answer,
    warnings: [...hook.warnings, ...result.warnings],
  }
}

/** What a model's judgement took, as far as it is known. */
function spending(run: Run): Pick<HookLine, 'model' | 'inputTokens' | 'outputTokens' | 'turns' | 'attempts'> {
  if (!('usage' in run)) return {}
  const { model, usage, turns, attempts } = run
  return {
    ...(model === null ? {} : { model: cleaned(model) }),
    ...(usage.inputTokens === null ? {} : { inputTokens: usage.inputTokens }),
    ...(usage.outputTokens === null ? {} : { outputTokens: usage.outputTokens }),
    ...(turns === null ? {} : { turns }),
    ...(attempts > 1 ? { attempts } : {}),
  }
}

/** The line of a hook that was to run and of which there is nothing to read. */
export function unreadLine(hook: ConfiguredHook, verdict: 'backgrounded' | 'not-reached', because?: string): HookLine {
  return { ...lineOf(hook, verdict, because) }
}
