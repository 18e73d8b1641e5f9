import type { AnyEngine } from '../engine/engine-interface.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { DispatchRecord, HookLine } from '../protocol/record/record.ts'
import { toReadableLines } from '../text/visible.ts'
import type { GuardOptions } from './tool-call.ts'

/** Event to fire. */
interface FireOptions {
  readonly signal: AbortSignal | undefined
  /** True if its tool is one of an MCP server; undefined: the name says so. */
  readonly mcp?: boolean | undefined
}

/** Dispatches an event about a call of a loop, and tells the host what came of it. */
export async function fire(
  engine: AnyEngine,
  event: EventInput,
  {
    agent,
    dispatch = (one, options) => engine.dispatch(one, options),
    onRecord,
    onNotice = emitWarning,
    signal,
    mcp,
  }: GuardOptions & FireOptions,
): Promise<DispatchRecord> {
  const input: EventInput = agent === undefined ? event : { ...event, agent_id: agent }
  const record = await dispatch(input, {
    ...(signal === undefined ? {} : { signal }),
    ...(mcp === undefined ? {} : { mcp }),
  })
  onRecord?.(record)
  for (const notice of listNotices(engine, record)) onNotice(notice)
  return record
}

/** Notes that were told about hooks of an engine. */
const told = new WeakMap<AnyEngine, Set<string>>()

/**
 * Lists what the user is to read of an event: what belongs to no hook, what hooks say to the user, and, once each, hooks that do not
 * run for want of trust or of a sound entry, and answers that could not be read. An output that a hook wanted to replace, and that
 * stays, is told each time: it may hold a secret.
 */
function listNotices(engine: AnyEngine, { event, notices = [], decision, hooks }: DispatchRecord): string[] {
  const already = told.get(engine) ?? new Set<string>()
  told.set(engine, already)
  const messages = decision.messages.filter(({ to }) => to === 'user').map(({ text }) => text)
  const skipped = decision.updatedToolOutput === null ? hooks.filter(isReplacingOutput).flatMap(listLineFaults) : []
  const all = [...listUntrusted(event, hooks), ...hooks.flatMap(listLineFaults)]
  const faults = all.filter((fault) => !already.has(fault) || skipped.includes(fault))
  for (const sentence of faults) already.add(sentence)
  return [...notices, ...messages, ...faults]
}

/** Hooks that wait for trust: the notice of it may have stood in the record of another event, which the host did not look at. */
function listUntrusted(event: string, hooks: readonly HookLine[]): string[] {
  const waiting = hooks.filter(({ verdict }) => verdict === 'untrusted')
  if (waiting.length === 0) return []
  return [`Hooks of ${event} that do not run (${waiting.length}): ${waiting[0]?.because}.`]
}

function isReplacingOutput({ answer }: HookLine): boolean {
  const specific = Object(answer?.hookSpecificOutput)
  return 'updatedToolOutput' in specific || 'updatedMCPToolOutput' in specific
}

/** Lists what keeps a hook from deciding: why it does not run, or what could not be read of its answer. */
function listLineFaults(line: HookLine): string[] {
  const { verdict, because = 'its entry cannot be read', warnings } = line
  if (verdict === 'invalid') return [`${formatHookLocation(line)} does not run: ${because}.`]
  return verdict === 'ran' ? warnings.map((warning) => `${formatHookLocation(line)}: ${warning}`) : []
}

function formatHookLocation({ id, file, line }: HookLine): string {
  return file === null ? id : `${file}:${line} (${id})`
}

/** Without `onNotice` a notice is a warning of the process. */
export function emitWarning(notice: string): void {
  process.emitWarning(toReadableLines(notice), 'HooklineWarning')
}
