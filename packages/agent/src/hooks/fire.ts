import type { DispatchRecord, HookLine } from 'hookline'
import { classic, type EventName } from 'hookline/protocol'
import { contextsOf } from 'hookline/tools'
import type { Loop } from '../turn/loop-state.ts'
import { haltReason, printedBy } from './words.ts'

/** What goes with an event besides its own fields. */
export interface Firing {
  readonly signal: AbortSignal
  /** Which texts of a hook the host tells the person in words of its own; by default none. */
  readonly retold?: (hook: HookLine, text: string) => boolean
}

/** What came of an event. */
export interface Fired {
  readonly record: DispatchRecord
  readonly decision: DispatchRecord['decision']
  /** What hooks add for the model, in the host's words. */
  readonly contexts: readonly string[]
}

/** Fires an event of a loop: the transcript is with the system before any hook reads it, and every text reaches its readers. */
export async function fire(
  loop: Loop,
  event: EventName,
  fields: Readonly<Record<string, unknown>>,
  { signal, retold = () => false }: Firing,
): Promise<Fired> {
  const { session, agent } = loop
  await loop.transcript.flush()
  const input: Record<string, unknown> & { hook_event_name: string } = {
    hook_event_name: event,
    session_id: session.id,
    transcript_path: session.transcriptPath,
    cwd: session.cwd,
    ...(classic[event].permissionMode ? { permission_mode: session.permissions.mode } : {}),
    ...(agent === null
      ? {}
      : { agent_id: agent.id, agent_type: agent.type, agent_transcript_path: loop.transcript.path }),
    ...fields,
  }
  for await (const progress of session.engine.stream(input, { signal })) {
    session.emit({ type: 'hook', event, progress })
    if (progress.type !== 'decision') continue
    const { record } = progress
    tell(loop, record, retold)
    const { matchOn } = classic[event]
    const matched = matchOn === null ? undefined : String(input[matchOn])
    return { record, decision: record.decision, contexts: contextsOf(record, matched) }
  }
  throw new TypeError(`${event} ended without a decision`)
}

/** Gives the person their texts (PROTOCOL.md, section 12). */
function tell({ session: { emit } }: Loop, record: DispatchRecord, retold: NonNullable<Firing['retold']>): void {
  const { decision, hooks, notices = [] } = record
  const isRetold = (hook: string, text: string): boolean => hooks.some((line) => line.id === hook && retold(line, text))
  for (const text of notices) emit({ type: 'told', to: 'user', text })
  for (const { to, text, hook } of decision.messages) {
    emit({ type: 'told', to: to === 'verbose' || isRetold(hook, text) ? 'verbose' : 'user', text })
  }
  for (const [at, text] of decision.context.entries()) {
    const { hook, kind } = decision.contextFrom[at] ?? {}
    // What a hook printed is shown as its output; what it put into a field for the model is not.
    emit({ type: 'told', to: 'verbose', text: kind === 'stdout' ? printedBy(record, String(hook), text) : text })
  }
  for (const { id, warnings } of hooks) {
    for (const warning of warnings) emit({ type: 'told', to: 'verbose', text: `${id}: ${warning}` })
  }
  if (decision.halt) emit({ type: 'told', to: 'user', text: haltReason(record) })
}
