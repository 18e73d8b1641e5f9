import { diffFile } from '../../../config/text-diff.ts'
import { HooklineError } from '../../../files/error.ts'
import type { TodayLine } from '../../../inspect/api.ts'
import { describeEvent } from '../../../log/describe-event.ts'
import { readEntryId } from '../../../log/event-summary.ts'
import { readLog } from '../../../log/log.ts'
import { findBridgedAgent } from '../../../log/query.ts'
import type { LogEntry, ReadOptions } from '../../../log/record-store.ts'
import type { RecordHost } from '../../../protocol/record/record.ts'
import { stringifyJson } from '../../../text/json.ts'
import { diffView } from '../../view/diff-view.ts'
import { formatHanging } from '../../view/hook-view.ts'
import { clipText, formatDuration, indentText, wrapHangingLine } from '../../view/layout.ts'
import { describeOutcome, formatLocalTime } from '../../view/outcome-view.ts'
import { formatRecord } from '../../view/record-view.ts'
import type { Terminal } from '../../view/terminal.ts'

/** More events that an id may mean are only counted. */
const MAX_NAMED = 10

/**
 * Finds the one event that an id means: a record's id or its end, the time that `hookline log` shows, an ISO date, or `last`.
 * Throws a HooklineError where there is none, or more than one.
 */
export async function findEntry(logs: readonly string[], id: string, options: ReadOptions): Promise<LogEntry> {
  const found: LogEntry[] = []
  for await (const entry of readLog(logs, options)) {
    if (id === 'last') found[0] = entry
    else if (isEntryNamed(entry, id)) found.push(entry)
  }
  const [entry, ...others] = found
  if (entry === undefined)
    throw new HooklineError(
      `no recorded event has the id "${id}". hookline log --ids lists them; a time such as 19:45:50 and "last" will do too.`,
    )
  if (others.length === 0) return entry
  const named = found.slice(0, MAX_NAMED).map((one) => `  ${readEntryId(one)}  ${formatOneLine(one)}`)
  const more = found.length > MAX_NAMED ? [`  and ${found.length - MAX_NAMED} more`] : []
  throw new HooklineError([`${found.length} events are meant by "${id}". Name one:`, ...named, ...more].join('\n'))
}

function isEntryNamed(entry: LogEntry, id: string): boolean {
  const { record } = entry
  if (record.id === id || record.id?.endsWith(`/${id}`) || record.at === id) return true
  const { day, time } = formatLocalTime(record.at)
  return time === id || `${day} ${time}` === id || `${day}T${time}` === id
}

function formatOneLine({ record, input }: LogEntry): string {
  const { label, call } = describeEvent(record.event, input)
  const [outcome] = describeOutcome(record)
  return clipText(`${formatLocalTime(record.at).time}  ${outcome}  ${label}  ${call}`, 60)
}

/** Shows one event whole: what it was, every hook with what became of it, what was decided, who reads what, before and after. */
export async function formatEntry(entry: LogEntry, terminal: Terminal): Promise<string[]> {
  const { record, input } = entry
  const { width, paint } = terminal
  const { label, call } = describeEvent(record.event, input)
  return [
    paint.bold(clipText(`${label}  ${call}`.trimEnd(), width)),
    ...listFacts(entry).map(([word, text]) => formatHanging(word, text, width)),
    '',
    ...formatRecord(record, terminal),
    ...(entry.partial ? ['', indentText('The hooks that did not run are not in this log any more.', '  ', width)] : []),
    ...(await changeView(entry, terminal)),
  ]
}

/** Shows what became of each hook then and what would today, differences with a mark. */
export function formatToday(lines: readonly TodayLine[], { width, paint }: Terminal): string[] {
  const changed = lines.filter((line) => line.changed).length
  const hooks = changed === 1 ? '1 hook would be different' : `${changed} hooks would be different`
  return [
    ...lines.flatMap(({ name, before, today, because, changed: isChanged }) => {
      const words = `${before ?? 'not configured'} -> ${today ?? 'not configured'}`
      const line = `${isChanged ? '*' : ' '} ${words}  ${clipText(name, Math.max(10, width - words.length - 4))}`
      return [isChanged ? paint.bold(line) : line, ...(because === null ? [] : [indentText(because, '    ', width)])]
    }),
    '',
    lines.length === 0
      ? 'No hook was configured for the event, and none is today.'
      : `${changed === 0 ? 'The same hooks would run' : hooks}.`,
  ]
}

function listFacts(entry: LogEntry): [string, string][] {
  const { record, input, place } = entry
  const { day, time } = formatLocalTime(record.at)
  const took = record.durationMs === undefined ? '' : `, took ${formatDuration(record.durationMs)}`
  const facts: [string, string | undefined | null][] = [
    ['when', `${day} ${time}${took}`],
    ['id', readEntryId(entry)],
    ['session', record.sessionId],
    ['project', record.project?.name ?? (typeof input?.cwd === 'string' ? input.cwd : null)],
    ['subagent', record.agentId],
    ['agent', findBridgedAgent(entry)],
    ['host', record.host && describeHost(record.host)],
    ['profile', record.profile],
    ['engine', record.engine],
    ['adds to', record.lateOf],
    ['place', place && `${place.file}:${place.line}`],
  ]
  return facts.filter((fact): fact is [string, string] => typeof fact[1] === 'string' && fact[1] !== '')
}

const describeHost = ({ client, version, launcher }: RecordHost): string =>
  `${[client, version].filter((word) => word !== undefined).join(' ')}${launcher === 'resident' ? ', by the resident engine' : ''}`

/** The input of the event; what hooks rewrote as a difference. */
async function changeView({ record, input }: LogEntry, terminal: Terminal): Promise<string[]> {
  const { paint, width } = terminal
  if (input === null) return ['', indentText('The input of this event was not kept.', '  ', width)]
  const { updatedInput } = record.decision
  const shown = [paint.bold('Input'), ...formatJsonLines(input, width)]
  if (updatedInput === null) return ['', ...shown]
  const change = await diffFile('tool_input', formatJson(input.tool_input), formatJson(updatedInput))
  return [
    '',
    ...shown,
    '',
    paint.bold('Rewritten by hooks'),
    ...(change === null ? [] : diffView(change.diff, terminal)),
  ]
}

/** JSON on lines of a width: what does not fit follows below, and nested lines keep their indent. */
function formatJsonLines(value: unknown, width: number): string[] {
  return formatJson(value)
    .trimEnd()
    .split('\n')
    .map((line) => wrapHangingLine(line.trimStart(), `    ${/^ */.exec(line)?.[0] ?? ''}`, width))
}

const formatJson = (value: unknown): string => `${JSON.stringify(JSON.parse(stringifyJson(value)), null, 2)}\n`
