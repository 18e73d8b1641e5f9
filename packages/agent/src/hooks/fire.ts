import type { CurrentEvents, DispatchRecord, Engine, HookLine } from 'hookline'
import { listContexts } from 'hookline/tools'
import type { AgentEvent, AgentName } from '../output/events.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { describeHalt, formatPrinted } from './words.ts'

/** An event that the agent fires, where its profile has it. */
export type AgentEventName = keyof CurrentEvents

/** Loop that an event happens in, as hooks are told of it, and how they are asked. */
export interface HookedLoop {
  /** null: the session's own. */
  readonly agent: AgentName | null
  readonly transcript: Transcript
  /** The model it talks to, and how hard that thinks, where it can be told. */
  readonly model: { readonly effort?: string }
  /** The folder that its commands run in. */
  readonly cwd: string
  readonly session: {
    readonly id: string
    readonly engine: Pick<Engine, 'stream' | 'profile'>
    readonly transcriptPath: string
    readonly permissions: { readonly mode: string }
    /** The turn under way; its prompt has no id while there was none. */
    readonly turn: { readonly promptId: string | null }
    readonly emit: (event: AgentEvent) => void
    /** Aborts when the session ends. */
    readonly closing: AbortSignal
    /** Tells hooks of settings that were edited, before another event makes the edits count; null: they never count by themselves. */
    readonly tellEdits: (() => Promise<void>) | null
  }
}

/** Facts that go with an event besides its own fields. */
export interface FireOptions {
  readonly signal: AbortSignal
  /** Test for texts of a hook that the host tells the user in words of its own; by default none. */
  readonly retold?: (hook: HookLine, text: string) => boolean
  /** The id of the call that it is about, where its fields do not say it. */
  readonly call?: string
  /** Fields of every such event that this one does not have; by default none. */
  readonly without?: readonly ('prompt_id' | 'effort')[]
}

/** Outcome of an event. */
export interface FiredEvent {
  readonly record: DispatchRecord
  readonly decision: DispatchRecord['decision']
  /** Contexts of hooks for the model, in the host's words. */
  readonly contexts: readonly string[]
}

/** Facts about an event that the profile does not have. */
const UNKNOWN = { permissionMode: false, matchOn: null, inputFields: [] as readonly string[] }

/** Fires an event of a loop: the transcript is with the system before any hook reads it, and every text reaches its readers. */
export async function fire(
  loop: HookedLoop,
  event: AgentEventName,
  fields: Readonly<Record<string, unknown>>,
  { signal, retold = () => false, call: about, without = [] }: FireOptions,
): Promise<FiredEvent> {
  const { session, agent } = loop
  const { events, rules } = session.engine.profile
  const { permissionMode, matchOn, inputFields } = events.get(event) ?? UNKNOWN
  const { promptId } = session.turn
  const { effort } = loop.model
  const hasField = (field: string): boolean =>
    (inputFields.includes(field) || rules.hostFields.some((one) => one === field)) &&
    !without.some((one) => one === field)
  if (session.tellEdits !== null && event !== 'ConfigChange') await session.tellEdits()
  await loop.transcript.flush()
  const input: Record<string, unknown> & { hook_event_name: string } = {
    hook_event_name: event,
    session_id: session.id,
    transcript_path: session.transcriptPath,
    cwd: loop.cwd,
    ...(promptId !== null && hasField('prompt_id') ? { prompt_id: promptId } : {}),
    ...(permissionMode ? { permission_mode: session.permissions.mode } : {}),
    ...(effort !== undefined && hasField('effort') ? { effort: { level: effort } } : {}),
    ...(agent === null ? {} : { agent_id: agent.id, agent_type: agent.type }),
    ...(agent !== null && hasField('agent_transcript_path') ? { agent_transcript_path: loop.transcript.path } : {}),
    ...fields,
  }
  const call = typeof fields.tool_use_id === 'string' ? fields.tool_use_id : (about ?? null)
  for await (const progress of session.engine.stream(input, { signal })) {
    session.emit({ type: 'hook', event, progress, call })
    if (progress.type !== 'decision') continue
    const { record } = progress
    tellUser(loop, record, retold)
    const matched = matchOn === null ? undefined : String(input[matchOn])
    return { record, decision: record.decision, contexts: listContexts(record, matched) }
  }
  throw new TypeError(`${event} ended without a decision`)
}

/** The same for an event that not every profile has; null: this one does not. */
export async function fireIfKnown(
  loop: HookedLoop,
  event: AgentEventName,
  fields: Readonly<Record<string, unknown>>,
  firing: FireOptions,
): Promise<FiredEvent | null> {
  return hasEvent(loop.session, event) ? fire(loop, event, fields, firing) : null
}

/** True if the profile in force has an event. */
export function hasEvent({ engine }: { readonly engine: Pick<Engine, 'profile'> }, event: AgentEventName): boolean {
  return engine.profile.events.has(event)
}

/** True if the profile in force knows a value of what matchers of an event are tested against. */
export function hasValue(
  { engine }: { readonly engine: Pick<Engine, 'profile'> },
  event: AgentEventName,
  value: string,
): boolean {
  return engine.profile.events.get(event)?.values.includes(value) === true
}

/** Gives the user the texts that are meant for them. */
function tellUser(
  { session: { emit } }: HookedLoop,
  record: DispatchRecord,
  retold: NonNullable<FireOptions['retold']>,
): void {
  const { decision, hooks, notices = [] } = record
  const isRetold = (hook: string, text: string): boolean => hooks.some((line) => line.id === hook && retold(line, text))
  for (const text of notices) emit({ type: 'told', to: 'user', text })
  for (const { to, text, hook } of decision.messages) {
    emit({ type: 'told', to: to === 'verbose' || isRetold(hook, text) ? 'verbose' : 'user', text })
  }
  for (const [at, text] of decision.context.entries()) {
    const { hook, kind } = decision.contextFrom[at] ?? {}
    // output of a hook is shown as such; what it put into a field for the model is not.
    emit({ type: 'told', to: 'verbose', text: kind === 'stdout' ? formatPrinted(record, String(hook), text) : text })
  }
  for (const { id, warnings } of hooks) {
    for (const warning of warnings) emit({ type: 'told', to: 'verbose', text: `${id}: ${warning}` })
  }
  if (decision.halt) emit({ type: 'told', to: 'user', text: describeHalt(record) })
  for (const sequence of decision.terminalSequences ?? []) emit({ type: 'terminal', sequence })
}
