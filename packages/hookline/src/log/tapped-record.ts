import { decide } from '../decide/decision.ts'
import { makeProfileSource } from '../engine/profiles.ts'
import type { ProcessRun } from '../process/process-run.ts'
import type { EventRow } from '../protocol/event-row.ts'
import { CLAUDE_CODE_PROFILE } from '../protocol/profiles.ts'
import type { HookLine, PastRecord } from '../protocol/record/record.ts'
import { read } from '../read/read.ts'
import type { Result } from '../read/result.ts'
import { isUnabridged, type TapLine, type TappedHook, type TappedText } from '../record/tap-line.ts'
import type { RunnableType } from '../run/execute.ts'
import type { TapReader } from './log-line.ts'
import type { LogEntry, LogPlace } from './record-store.ts'

/** Host that fired the events. */
const HOST = { client: 'claude-code' } as const

/** Reads what taps saw as the host itself does: facts become answers, and the answers of one event its decision. */
export async function makeTapReader(): Promise<TapReader> {
  const { events, hookTypes } = await makeProfileSource(CLAUDE_CODE_PROFILE).load(CLAUDE_CODE_PROFILE)
  const type = hookTypes.command
  const [silent] = [...events.values()].filter(({ merges }) => merges === 'nothing')
  if (type === undefined || silent === undefined) throw new TypeError('the profile has no commands')
  return (lines) => {
    const [{ at, input }] = lines
    const row = events.get(input.hook_event_name) ?? { ...silent, name: input.hook_event_name } // of a later version
    const hooks = lines.flatMap(({ hook }) => (hook === null ? [] : [readTappedResult(hook, { row, type, input })]))
    const record: PastRecord = {
      version: 2,
      at,
      sessionId: String(input.session_id ?? ''),
      event: input.hook_event_name,
      profile: CLAUDE_CODE_PROFILE,
      host: HOST,
      decision: decide(
        row,
        hooks.map(({ line, result }) => ({ hook: line.id, row, result })),
      ),
      hooks: hooks.map(({ line }) => line),
      ...(typeof input.agent_id === 'string' ? { agentId: input.agent_id } : {}),
    }
    return { record, input, tapped: lines }
  }
}

interface About {
  readonly row: EventRow
  readonly type: RunnableType
  readonly input: TapLine['input']
}

function readTappedResult(hook: TappedHook, about: About): { readonly line: HookLine; readonly result: Result } {
  const { command, exitCode, signal, stopped, durationMs, stdout, stderr } = hook
  const result = read(toProcessRun(hook), { ...about, name: command, failClosed: null })
  const id = hook.id ?? `tap:${about.row.name}`
  return {
    result,
    line: {
      id,
      verdict: 'ran',
      scope: id.split(':')[0] ?? '',
      file: null,
      line: null,
      matcher: hook.matcher,
      type: 'command',
      command,
      outcome: result.outcome,
      exitCode,
      signal,
      timedOut: stopped,
      durationMs,
      stdoutBytes: stdout.bytes,
      stderrBytes: stderr.bytes,
      truncated: isCut(stdout) || isCut(stderr),
      answer: result.answer,
      warnings: result.warnings,
    },
  }
}

const isCut = ({ text, bytes }: TappedText): boolean => bytes > Buffer.byteLength(text)

function toProcessRun({ exitCode, signal, stopped, durationMs, stdout, stderr }: TappedHook): ProcessRun {
  const makeTail = ({ text, bytes }: TappedText) => {
    const known = Buffer.from(text)
    return { kept: known, bytes: Math.max(bytes, known.length) }
  }
  const said = { durationMs, stdout: makeTail(stdout), stderr: makeTail(stderr), leftChild: false }
  if (stopped) return { ended: 'timed-out', ...said }
  if (exitCode === null) return { ended: 'signalled', signal: signal ?? 'a signal', ...said }
  return { ended: 'exited', code: exitCode, ...said }
}

/** Milliseconds between the starts of the hooks of one event, and the number of lines between what is written of them. */
const SAME_EVENT_MS = 10_000
const MAX_WAITING = 256

/**
 * Makes one entry of what several taps saw of the same event: each saw the same input. Entries stay in the order in which
 * their events were seen first; the others pass.
 */
export async function* joinTaps(
  batches: AsyncIterable<readonly LogEntry[]>,
  readTap: TapReader,
): AsyncGenerator<readonly LogEntry[]> {
  const waiting: LogEntry[] = []
  for await (const entries of batches) {
    if (waiting.length === 0 && !entries.some(({ tapped }) => tapped !== undefined)) yield entries
    else yield entries.flatMap((entry) => joinTap(waiting, entry, readTap))
  }
  yield waiting
}

/** Makes one entry of two, where taps wrote both about the same event; null where they did not. */
export function joinTapEntries(known: LogEntry, entry: LogEntry, readTap: TapReader): LogEntry | null {
  const [first, ...more] = [...(known.tapped ?? []), ...(entry.tapped ?? [])]
  if (first === undefined || !isSameEvent(known, entry)) return null
  return { ...readTap([first, ...more]), place: joinPlaces(known.place, entry.place) }
}

/** Adds an entry to those that wait for what other taps saw; gives those that wait no longer. */
function joinTap(waiting: LogEntry[], entry: LogEntry, readTap: TapReader): LogEntry[] {
  const at = entry.tapped === undefined ? -1 : waiting.findLastIndex((one) => isSameEvent(one, entry))
  const known = waiting[at]
  const joined = known === undefined ? null : joinTapEntries(known, entry, readTap)
  if (joined === null) waiting.push(entry)
  else waiting[at] = joined
  const settled = waiting.findIndex(({ tapped }) => tapped !== undefined)
  const free = settled === -1 ? waiting.length : Math.max(settled, waiting.length - MAX_WAITING)
  return waiting.splice(0, free)
}

function joinPlaces(first: LogPlace | undefined, second: LogPlace | undefined): LogPlace | undefined {
  if (first === undefined || first.file !== second?.file) return first
  return { ...first, spans: [...(first.spans ?? []), ...(second.spans ?? [])] }
}

/** Two taps saw one event: the same input about the same time, and not one tap twice. */
function isSameEvent({ tapped = [], record }: LogEntry, other: LogEntry): boolean {
  const [line] = other.tapped ?? []
  const [first] = tapped
  if (line === undefined || first === undefined) return false
  if (record.event !== other.record.event || record.sessionId !== other.record.sessionId) return false
  const apart = Math.abs(Date.parse(record.at) - Date.parse(line.at))
  if (apart > SAME_EVENT_MS || JSON.stringify(first.input) !== JSON.stringify(line.input)) return false
  return !tapped.some(({ hook }) => hook?.id === line.hook?.id && hook?.command === line.hook?.command)
}

/** True if hooks can be run again on the event of a line: it is there, as hooks got it. */
export function isRepeatable({ input, tapped }: LogEntry): boolean {
  return input !== null && (tapped ?? []).every((line) => isUnabridged(line.input, line.cut === true))
}
