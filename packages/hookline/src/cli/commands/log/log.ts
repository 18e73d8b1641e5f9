import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { makeCases } from '../../../cases/cases-from.ts'
import { formatCases } from '../../../cases/write-case-file.ts'
import { HooklineError } from '../../../files/error.ts'
import { compareWithToday } from '../../../inspect/event-view.ts'
import { findInspector, formatEventAddress } from '../../../inspect/running.ts'
import { compareSessions } from '../../../log/compare-sessions.ts'
import { readEntryId, summariseEvent } from '../../../log/event-summary.ts'
import { openFileStore } from '../../../log/file-store.ts'
import { readEntries } from '../../../log/log.ts'
import { withMissReasons } from '../../../log/miss-reasons.ts'
import type { LogEntry, ReadOptions } from '../../../log/record-store.ts'
import { listSessions, type SessionSummary } from '../../../log/sessions.ts'
import { loadProfile, PROFILE_NAMES } from '../../../protocol/profiles.ts'
import { toProgramText } from '../../../text/program-text.ts'
import { findEventRow } from '../../input/event-argument.ts'
import {
  countSkipped,
  finishReading,
  LOG_FILE_USAGE,
  listLogs,
  parseDuration,
  QUERY_FLAGS,
  QUERY_USAGE,
  READING_FLAGS,
  READING_USAGE,
  requireLogs,
  type SkippedCounts,
  toQuery,
} from '../../input/log-source.ts'
import { explainInFull, toExplainedJson } from '../../start/explaining.ts'
import { readArguments, toEngineOptions, UsageError } from '../../start/flags.ts'
import { openCommandTerminal, withEngine } from '../../start/opening.ts'
import { PAGER_FLAGS, PAGER_USAGE, withPager } from '../../start/pager.ts'
import { hasReader, printForProgram, printJson, printLines, tell, waitForReader } from '../../start/print.ts'
import { makeLogFormatter } from './log-view.ts'
import { formatComparison, formatSessions } from './sessions-view.ts'
import { findEntry, formatEntry, formatToday } from './show.ts'
import { verify } from './verify.ts'

export const usage = `hookline log [FILE …] [flags]
hookline log show ID [FILE …] [flags]
hookline log verify [--json]

Shows what was recorded, one line per event: when, the outcome, the call, the
hooks that said something and how long they took, and why. FAILED: a hook ended
without an answer. "show" prints one event whole: every hook with its verdict,
what was decided, who read what, the input before and after. "verify" checks
the records that wait for a fleet: whether one was changed, and whether one is
missing.

  hookline log -n 20
  hookline log --failed --since 2h
  hookline log --tool Bash --project . --blocked
  hookline log show 19:45:50
  hookline log show last --today
  hookline log --follow --slow 500
  hookline log --text 'rm -rf' --to-test > .claude/hooks/rm.hooktest.yaml

${LOG_FILE_USAGE}

ID is what --ids shows, or its end; a time as the log shows it; or "last".

  -n, --last N             only the newest N events
  --follow                 keep printing new events, each with its address
                           where hookline inspect runs; Ctrl+C stops it
  --event NAME             only this event (repeatable)
  --tool NAME              only calls of this tool
  --hook HOOK              only where this hook ran: its key or id, or a part
                           of its command
  --agent NAME             only events of this agent: codex, gemini, …
  --blocked                only what was blocked, denied or halted
  --failed                 only where a hook failed or timed out
  --slow MS                only where a hook took this long: 500, 500ms, 2s
  --text TEXT              only where the event's input has this text
${QUERY_USAGE}  --to-test                print cases for hookline test that expect what
                           happened: one per distinct input and outcome
  --ids                    print the id of each event in front of it
  --rows                   with --json: a short line per event, as the page of
                           hookline inspect lists it
  --today                  with show: what would happen today instead, hook by
                           hook, with the hooks of this folder or --project;
                           runs nothing
  --sessions               print the sessions instead, the newest first
  --compare A B            print what went differently in session B than in A
${PAGER_USAGE}${READING_USAGE}
Exit codes: 0 also when nothing was found; 1 a mistake in the call, no log, a
file that is not a log, or records that are not as they were written.
`

const FLAGS = {
  ...READING_FLAGS,
  ...QUERY_FLAGS,
  ...PAGER_FLAGS,
  last: { type: 'string', short: 'n' },
  follow: { type: 'boolean' },
  event: { type: 'string', multiple: true },
  tool: { type: 'string' },
  hook: { type: 'string' },
  agent: { type: 'string' },
  blocked: { type: 'boolean' },
  failed: { type: 'boolean' },
  slow: { type: 'string' },
  text: { type: 'string' },
  'to-test': { type: 'boolean' },
  ids: { type: 'boolean' },
  rows: { type: 'boolean' },
  today: { type: 'boolean' },
  sessions: { type: 'boolean' },
  compare: { type: 'boolean' },
} as const

type LogFlags = ReturnType<typeof readArguments<typeof FLAGS>>['values']

/** Runs `hookline log`. */
export async function run(args: string[]): Promise<number> {
  const { values: flags, positionals } = readArguments(args, FLAGS)
  const { skipped, onSkipped } = countSkipped()
  const query = await makeQuery(flags)
  const options = { ...query, ...(flags.today ? { project: undefined } : {}), onSkipped } // --project has the hooks then
  const [first, id, ...files] = positionals
  const isShow = first === 'show'
  if (first === 'verify' && positionals.length === 1) return verify(flags)
  if (isShow && id === undefined)
    throw new UsageError(
      'which event? hookline log --ids lists their ids; a time such as 19:45:50 and "last" will do too.',
    )
  if (flags.rows && !flags.json) throw new UsageError('--rows goes with --json.')
  if (flags.today && !isShow) throw new UsageError('--today goes with show: hookline log show ID --today')
  if (flags.compare) return compare(positionals, flags)
  const named = isShow ? files : positionals
  const logs = flags.follow ? await waitForLogs(named, flags) : await requireLogs(named, flags)
  if (isShow) {
    const entry = await findEntry(logs, id ?? '', options)
    return flags.today ? showToday(entry, flags) : showEntry(await withMissReasons(entry), flags)
  }
  if (flags.sessions) return printSessions(await listSessions(logs, options), { logs, skipped, flags })
  if (flags['to-test']) {
    const { cases, left } = await makeCases(logs, chooseProjectFolder(flags), options)
    if (cases.length === 0) throw new HooklineError(left === 0 ? NO_EVENT : NO_ANSWERS)
    printForProgram(toProgramText(formatCases(cases)))
    if (left > 0) tell(`${left} more ${left === 1 ? 'event was' : 'events were'} the same, or not kept whole.\n`)
    return 0
  }
  const batches = flags.follow ? followNewest(named, logs, options) : readEntries(logs, options)
  const isPaged = !(flags.json || flags.follow || flags['no-pager'])
  const findAddress = flags.follow ? makeAddressFinder(flags) : async () => null
  const events = await withPager(isPaged, () => printAll(batches, flags, findAddress))
  await finishReading(logs, { events, skipped })
  return 0
}

const NO_EVENT = 'No event of the log matches, so there is no case to write.'
const NO_ANSWERS =
  'Events of the log match, but not with what hooks said about them, so there is no case to write. hookline tap install --wrap all records it from now on; hookline test --new EVENT field=value … writes a case of what hooks say today.'

/** Prints sessions, the newest first. */
async function printSessions(
  sessions: readonly SessionSummary[],
  { logs, skipped, flags }: { logs: readonly string[]; skipped: SkippedCounts; flags: LogFlags },
): Promise<number> {
  const isPaged = !(flags.json || flags['no-pager'])
  await withPager(isPaged, async () => {
    if (flags.json) for (const session of sessions) await waitForReader(printJson(session))
    else printLines(formatSessions(sessions, openCommandTerminal(flags)))
    return 0
  })
  await finishReading(logs, { events: sessions.reduce((sum, { events }) => sum + events, 0), skipped })
  return 0
}

/** Prints what went differently in one session than in another. */
async function compare([a, b, ...named]: readonly string[], flags: LogFlags): Promise<number> {
  if (a === undefined || b === undefined)
    throw new UsageError(
      '--compare takes two sessions: their ids, or the beginnings. hookline log --sessions lists them.',
    )
  const logs = await requireLogs(named, flags)
  const [before, after] = [await readSession(logs, a), await readSession(logs, b)]
  const comparison = compareSessions(before, after)
  if (flags.json) printJson(comparison)
  else printLines(formatComparison(comparison, openCommandTerminal(flags)))
  return 0
}

/** The events of one session, by its id or the beginning of it. Throws a HooklineError where that is none, or more than one. */
async function readSession(logs: readonly string[], session: string): Promise<LogEntry[]> {
  const found: LogEntry[] = []
  for await (const entries of readEntries(logs, { session })) found.push(...entries)
  const ids = new Set(found.map(({ record }) => record.sessionId))
  const exact = ids.has(session) ? found.filter(({ record }) => record.sessionId === session) : found
  if (found.length === 0)
    throw new HooklineError(`no recorded session has the id "${session}". hookline log --sessions lists them.`)
  if (ids.size > 1 && exact === found)
    throw new HooklineError(`${ids.size} sessions begin with "${session}". hookline log --sessions lists them.`)
  return exact
}

/** Finds the address of an event on the page of an inspector that runs; null where none shows it. */
type AddressFinder = (entry: LogEntry) => Promise<string | null>

function makeAddressFinder({ home }: LogFlags): AddressFinder {
  const options = toEngineOptions({ home })
  return async (entry) => {
    const address = entry.place === undefined ? null : await findInspector(options.home, entry.place.file)
    return address === null ? null : formatEventAddress(address, entry)
  }
}

/** Prints entries as they come, with the address of each where an inspector runs. Gives how many there were. */
async function printAll(
  batches: AsyncIterable<readonly LogEntry[]>,
  flags: LogFlags,
  findAddress: AddressFinder,
): Promise<number> {
  const terminal = openCommandTerminal(flags)
  const view = makeLogFormatter(terminal)
  let events = 0
  for await (const entries of batches) {
    if (!hasReader()) break
    events += entries.length
    if (!flags.follow && !flags.json && !flags.ids) {
      await waitForReader(printLines(view(entries)))
      continue
    }
    for (const entry of entries) {
      const inspect = await findAddress(entry)
      const lines = [...(flags.ids ? [readEntryId(entry)] : []), ...view([entry])]
      const address = inspect === null ? [] : [terminal.paint.dim(`          ${inspect}`)]
      await waitForReader(
        flags.json ? printJson(toPrinted(entry, { flags, inspect })) : printLines([...lines, ...address]),
      )
    }
  }
  return events
}

/** An entry as JSON: whole or in short, with its address where it has one. */
function toPrinted(entry: LogEntry, { flags, inspect }: { flags: LogFlags; inspect: string | null }): object {
  const { place: _, ...whole } = entry
  return { ...(flags.rows ? summariseEvent(entry) : whole), ...(inspect === null ? {} : { inspect }) }
}

async function showEntry(entry: LogEntry, flags: LogFlags): Promise<number> {
  if (flags.json) {
    const { place: _, ...kept } = entry
    printJson(kept)
    return 0
  }
  const shown = await formatEntry(entry, openCommandTerminal(flags))
  return withPager(flags['no-pager'] !== true, async () => {
    printLines(shown)
    return 0
  })
}

/** Prints what today's hooks would make of an event, beside what happened. */
async function showToday(entry: LogEntry, flags: LogFlags): Promise<number> {
  const { record, input } = entry
  if (input === null) throw new HooklineError('The input of this event was not kept.')
  const project = chooseProjectFolder(flags)
  return withEngine({ project, home: flags.home }, async (engine) => {
    const event = { ...input, hook_event_name: record.event }
    const { hooks } = toExplainedJson(await explainInFull(engine, event, { project }))
    const lines = compareWithToday(entry, hooks)
    if (flags.json) printJson({ lines })
    else printLines(formatToday(lines, openCommandTerminal(flags)))
    return 0
  })
}

const LOOK_MS = 200

/** The same as without `--follow`, once there is one: waits for the first log where none is there yet. */
async function waitForLogs(named: readonly string[], flags: LogFlags): Promise<string[]> {
  for (let told = false; ; told = true) {
    const logs = await listLogs(named, flags)
    if (!told && logs.found.length === 0) tell(`Waiting for a log in ${logs.places}. Ctrl+C stops it.\n`)
    if (logs.found.length > 0) return logs.found
    await setTimeout(LOOK_MS)
  }
}

/** The newest log and what comes to it, until an interrupt. */
async function* followNewest(
  named: readonly string[],
  logs: readonly string[],
  options: ReadOptions,
): AsyncGenerator<readonly LogEntry[]> {
  const log = logs.at(-1)
  if (named.length > 1 || log === undefined) throw new UsageError('--follow takes one FILE.')
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  if (process.stderr.isTTY) tell(`Following ${log}. Ctrl+C stops it.\n`)
  try {
    yield* openFileStore(log).follow({ ...options, signal: stop.signal })
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

/** The folder whose paths cases name as the project's: that of `--project`, unless it is only a name. */
function chooseProjectFolder({ project }: LogFlags): string {
  const isFolder = project !== undefined && statSync(project, { throwIfNoEntry: false })?.isDirectory() === true
  return resolve(isFolder ? project : '.')
}

/** The events that the flags choose. Throws a UsageError for what cannot be meant. */
async function makeQuery(flags: LogFlags): Promise<ReadOptions> {
  const { event: events, tool, hook, agent, blocked, failed, slow, text, last } = flags
  if (events !== undefined) {
    const profiles = await Promise.all(PROFILE_NAMES.map(loadProfile)) // a log may hold events of each
    const known = new Map(profiles.flatMap((profile) => [...profile.events]))
    for (const name of events) findEventRow(name, { name: '', events: known })
  }
  return {
    ...toQuery(flags, Date.now()),
    ...{ events, tool, hook, agent, blocked, failed, text },
    slowMs: slow === undefined ? undefined : parseSlow(slow),
    last: last === undefined ? undefined : parseCount(last),
  }
}

function parseSlow(text: string): number {
  const least = parseDuration(/^\d+$/.test(text) ? `${text}ms` : text)
  if (least === null) throw new UsageError(`--slow must be a number of milliseconds, not "${text}".`)
  return least
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new UsageError(`-n must be a number of events such as 20, not "${text}".`)
  return Number(text)
}
