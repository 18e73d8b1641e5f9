import type { DispatchRecord, HookLine } from '../../src/protocol/record/record.ts'

/** A hook that ran, with what is said about it here. */
export function ranHook(id: string, line: Partial<HookLine> = {}): HookLine {
  const ended = { outcome: 'success', exitCode: 0, signal: null, timedOut: false, durationMs: 5 } as const
  const said = { stdoutBytes: 0, stderrBytes: 0, truncated: false, answer: null, warnings: [] }
  const place = { scope: 'project', file: '.claude/settings.json', line: 6, matcher: null, type: 'command' } as const
  return { id, verdict: 'ran', ...place, command: './hook.sh', ...ended, ...said, ...line }
}

/** A record in which nothing happened but what is said here. */
export function recordWith({ decision = {}, ...rest }: RecordParts = {}): DispatchRecord {
  const nothing = {
    ...{ halt: false, stopReason: null, blocked: false, permission: null, reason: null, interrupt: false },
    ...{ updatedInput: null, updatedPermissions: null, updatedToolOutput: null },
    ...{ context: [], contextFrom: [], instructions: null, messages: [] },
  }
  const event = { sessionId: 's', event: 'Stop', profile: 'classic', hooks: [] }
  const origin = { engine: '0.1.0', project: { name: 'lamp', pathHash: 'e1' }, snapshot: 'a0' }
  const time = { at: '2026-11-15T09:30:00.000Z', durationMs: 5 }
  return { version: 2, id: 'm/e/1', ...time, ...event, ...origin, ...rest, decision: { ...nothing, ...decision } }
}

type RecordParts = Partial<Omit<DispatchRecord, 'decision'>> & { decision?: Partial<DispatchRecord['decision']> }

/** A line of a log, without its newline, of a session of this name. */
export function lineOf(sessionId: string): string {
  return JSON.stringify({ record: recordWith({ sessionId }), input: { hook_event_name: 'Stop' } })
}

/** A log of one line. */
export function logOf(sessionId: string): string {
  return `${lineOf(sessionId)}\n`
}
