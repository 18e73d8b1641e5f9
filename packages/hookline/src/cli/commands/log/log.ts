import { setTimeout } from 'node:timers/promises'
import { caseOf } from '../../../cases/case-of.ts'
import { caseText } from '../../../cases/write-case-file.ts'
import { HooklineError } from '../../../files/error.ts'
import { followLog } from '../../../log/follow-log.ts'
import type { LogLine } from '../../../log/log-line.ts'
import type { Skipped } from '../../../log/read-log.ts'
import { isRepeatable, tapReader } from '../../../log/tapped-record.ts'
import { hookKey } from '../../../protocol/hook-key.ts'
import type { HookCase } from '../../../protocol/hook-test.ts'
import type { Profile } from '../../../protocol/profile.ts'
import { loadProfile, PROFILE_NAMES } from '../../../protocol/profiles.ts'
import { ERASED } from '../../../text/erase.ts'
import { textsIn } from '../../../text/json.ts'
import { toProgramText } from '../../../text/program-text.ts'
import { eventRow } from '../../start/event-argument.ts'
import { ENGINE_FLAGS, type EngineFlags, engineOptions, readArguments, UsageError } from '../../start/flags.ts'
import {
  durationIn,
  isSince,
  linesOf,
  logsNamed,
  logsThere,
  READING_USAGE,
  SOURCE_USAGE,
  tellSkipped,
} from '../../start/log-source.ts'
import { commandTerminal } from '../../start/opening.ts'
import { caughtUp, print, printForProgram, printJson, tell } from '../../start/print.ts'
import { agentOf, logView, shortId } from './log-view.ts'

export const usage = `hookline log [FILE …] [flags]

Shows what was recorded, one line per event: when, which event and for what, the
outcome, the hooks that said something and how long they took.

  hookline log
  hookline log --blocked --since 2h
  hookline log --event PreToolUse --hook guard.sh hooks.jsonl
  hookline log --follow --slow 500
  hookline log --text 'rm -rf' --to-test > .claude/hooks/rm.hooktest.yaml

${SOURCE_USAGE}

  --follow                 keep printing new events; Ctrl+C stops it
  --event NAME             only this event (repeatable)
  --hook HOOK              only where this hook ran: its key or id, or a part
                           of its command
  --agent NAME             only events of this agent: codex, gemini, …
  --blocked                only what was blocked, denied or halted
  --slow MS                only where a hook took this long: 500, 500ms, 2s
  --since TIME             only events since then: 30m, 2h, 7d, or a date
  --text TEXT              only where the event's input has this text
  --to-test                print cases for hookline test that expect what
                           happened
${READING_USAGE}
Exit codes: 0 also when nothing was found; 1 a mistake in the call or no log.
`

const FLAGS = {
  ...ENGINE_FLAGS,
  follow: { type: 'boolean' },
  event: { type: 'string', multiple: true },
  hook: { type: 'string' },
  agent: { type: 'string' },
  blocked: { type: 'boolean' },
  slow: { type: 'string' },
  since: { type: 'string' },
  text: { type: 'string' },
  'to-test': { type: 'boolean' },
} as const

type Wanted = (line: LogLine) => boolean

/** Runs `hookline log`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  const profiles = await Promise.all(PROFILE_NAMES.map(loadProfile)) // a log may hold events of each
  const wanted = allOf([
    isOneOf(values.event, profiles),
    concerns(values.hook),
    isOf(values.agent),
    isSlow(values.slow),
    isSince(values.since, Date.now()),
    holds(values.text),
    values.blocked ? ({ record: { decision } }) => decision.blocked || decision.halt : () => true,
  ])
  const logs = values.follow ? await logsToFollow(positionals, values) : await logsNamed(positionals, values)
  const skipped: Skipped = { lines: 0 }
  const view = logView(commandTerminal(values), profiles)
  const show = (line: LogLine): boolean => (values.json ? printJson(line) : print(`${view(line).join('\n')}\n`))
  const lines = only(values.follow ? followed(positionals, logs, skipped) : linesOf(logs, skipped), wanted)
  if (values['to-test']) printForProgram(toProgramText(await casesFrom(lines, engineOptions(values).project)))
  else for await (const line of lines) await caughtUp(show(line))
  tellSkipped(skipped)
  return 0
}

const LOOK_MS = 200

/** The same as without `--follow`, once there is one: waits for the first log where none is there yet. */
async function logsToFollow(named: readonly string[], flags: EngineFlags): Promise<string[]> {
  for (let told = false; ; told = true) {
    const logs = await logsThere(named, flags)
    if (!told && logs.found.length === 0) tell(`Waiting for a log in ${logs.places}. Ctrl+C stops it.\n`)
    if (logs.found.length > 0) return logs.found
    await setTimeout(LOOK_MS)
  }
}

/** The newest log and what comes to it, until an interrupt. */
async function* followed(named: readonly string[], logs: readonly string[], skipped: Skipped): AsyncGenerator<LogLine> {
  const log = logs.at(-1)
  if (named.length > 1 || log === undefined) throw new UsageError('--follow takes one FILE.')
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  if (process.stderr.isTTY) tell(`Following ${log}. Ctrl+C stops it.\n`)
  try {
    yield* followLog(log, skipped, stop.signal, await tapReader())
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

async function* only(lines: AsyncIterable<LogLine>, wanted: Wanted): AsyncGenerator<LogLine> {
  for await (const line of lines) if (wanted(line)) yield line
}

function allOf(conditions: readonly Wanted[]): Wanted {
  return (line) => conditions.every((isMet) => isMet(line))
}

function isOneOf(names: readonly string[] | undefined, profiles: readonly Profile[]): Wanted {
  if (names === undefined) return () => true
  const events = new Map(profiles.flatMap((profile) => [...profile.events]))
  for (const name of names) eventRow(name, { name: '', events }) // of any profile
  return ({ record }) => names.includes(record.event)
}

function concerns(hook: string | undefined): Wanted {
  if (hook === undefined) return () => true
  return ({ record }) =>
    record.hooks.some((line) => {
      const { id, command, outcome, verdict } = line
      if (outcome === undefined && verdict !== 'backgrounded') return false
      return (
        id === hook ||
        shortId(id, record.event) === hook ||
        command?.includes(hook) === true ||
        hookKey(record.event, line) === hook
      )
    })
}

function isOf(agent: string | undefined): Wanted {
  return agent === undefined ? () => true : (line) => agentOf(line) === agent
}

function holds(text: string | undefined): Wanted {
  if (text === undefined) return () => true
  return ({ input }) => textsIn(input).some((one) => one.includes(text))
}

function isSlow(slow: string | undefined): Wanted {
  if (slow === undefined) return () => true
  const least = durationIn(/^\d+$/.test(slow) ? `${slow}ms` : slow)
  if (least === null) throw new UsageError(`--slow must be a number of milliseconds, not "${slow}".`)
  return ({ record }) => record.hooks.some(({ durationMs = -1 }) => durationMs >= least)
}

/** Lines of a log as a file of cases for `hookline test` that expects what happened. */
async function casesFrom(lines: AsyncIterable<LogLine>, project: string): Promise<string> {
  const cases: HookCase[] = []
  for await (const line of lines) {
    const { record, input } = line
    if (input === null || input.prompt === ERASED || !isRepeatable(line)) continue // not all of it was kept
    if (line.tapped !== undefined && record.hooks.length === 0) continue // what hooks said is not known
    cases.push(caseOf({ record, input }, project))
  }
  if (cases.length === 0) throw new HooklineError('No event of the log matches, so there is no case to write.')
  return caseText(cases)
}
