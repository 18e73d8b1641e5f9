import { formatPath } from '../../../files/paths.ts'
import { type FoundRace, findRaces, type RaceReport } from '../../../races/find-races.ts'
import type { MergedAnswer, RaceKind } from '../../../races/races.ts'
import { makeLeftovers } from '../../../replay/past-event.ts'
import { findSessions } from '../../../replay/sessions.ts'
import { openStage } from '../../../replay/stage.ts'
import { toSafeJson } from '../../../text/visible.ts'
import { listEventsUnder } from '../../input/event-argument.ts'
import { requireLogs } from '../../input/log-source.ts'
import { runInterruptible } from '../../start/call.ts'
import { ENGINE_FLAGS, ENGINE_USAGE, readArguments, readProfilesInForce, toEngineOptions } from '../../start/flags.ts'
import { openCommandTerminal } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { formatHanging } from '../../view/hook-view.ts'
import { clipText, indentText } from '../../view/layout.ts'
import { openReadingBar } from '../../view/progress-bar.ts'
import type { Terminal } from '../../view/terminal.ts'

export const isVerdict = true

export const usage = `hookline check-races [log or transcript …] [flags]

Finds hooks whose answers to the same tool call conflict. Hookline merges them
in the order of the configuration, so its decision is always the same. Other
clients take the answers as they come in: there the last hook to end decides.
This names each pair of hooks for which that matters, with a call that shows it.

  hookline check-races ~/.claude/projects/my-project
  hookline check-races session.jsonl --json

Every hook that a call is for runs once, in a scratch copy of the project; then
the orders that matter are tried on the answers. Without a file it reads the logs
that hookline log reads. hookline validate finds pairs that may conflict without
running anything.

${ENGINE_USAGE}
Exit codes: 0 no conflict; 1 conflicts, or a mistake in the call; 130
interrupted; 3 a fault of Hookline.
`

/** Runs `hookline check-races`. */
export async function run(args: string[]): Promise<number> {
  const { values: flags, positionals } = readArguments(args, ENGINE_FLAGS)
  const sessions = await findSessions(positionals.length > 0 ? positionals : await requireLogs([], flags))
  const options = toEngineOptions(flags)
  const stage = await openStage({ kind: 'folder', folder: options.project }, options)
  const bar = openReadingBar(sessions, () => 'read')
  try {
    const { events } = await listEventsUnder((await readProfilesInForce(flags)).choices)
    const looking = { stage, events, leftovers: makeLeftovers(), onBytes: bar.onBytes }
    const { result, interrupted } = await runInterruptible((signal) => findRaces(sessions, { ...looking, signal }))
    bar.clear()
    if (flags.json) printJson(toRacesJson(result))
    else print(`${formatRaces(result, openCommandTerminal(flags)).join('\n')}\n`)
    if (interrupted) return 130
    return result.races.length > 0 ? 1 : 0
  } finally {
    await stage.close()
  }
}

function toRacesJson({ races, ...counts }: RaceReport): object {
  return {
    ...counts,
    races: races.map(({ event: { input, file, line }, ...race }) => ({ ...race, input, file, line })),
  }
}

const TITLES: Readonly<Record<RaceKind, string>> = {
  rewrite: 'both rewrite the input, and the last to end wins',
  reason: 'both give a reason, and only that of the last to end is read',
  undone: 'one refuses by exit code 2, and the other undoes it',
}

/** The pairs of hooks that conflict, for people: what is decided here, and what a client that takes the last to finish would. */
function formatRaces({ calls, contested, races }: RaceReport, terminal: Terminal): string[] {
  const looked = `${calls} ${calls === 1 ? 'call' : 'calls'}, ${contested} with more than one opinion`
  const found = races.length === 1 ? '1 pair of hooks conflicts' : `${races.length || 'No'} pairs of hooks conflict`
  const colour = races.length > 0 ? terminal.paint.yellow : terminal.paint.green
  return [...races.flatMap((race) => [...formatRace(race, terminal), '']), colour(`${found}: ${looked}.`)]
}

function formatRace({ kind, hooks, here, there, event, times }: FoundRace, { width, paint }: Terminal): string[] {
  const [first, second] = hooks
  const { tool_name, tool_input } = event.input
  return [
    paint.bold(indentText(`${first} and ${second}`, '', width)),
    formatHanging('what', TITLES[kind], width),
    formatHanging('here', `always ${answerText(here, kind)}`, width),
    ...(kind === 'undone'
      ? [formatHanging('there', answerText(there[0], kind), width)]
      : [
          formatHanging('there', `${answerText(there[0], kind)}, when ${first} ends last`, width),
          formatHanging('', `${answerText(there[1], kind)}, when ${second} ends last`, width),
        ]),
    formatHanging('such as', clipText(`${tool_name}  ${toSafeJson(tool_input ?? {})}`, width - 13), width),
    formatHanging(
      'where',
      `${formatPath(event.file, process.cwd())}:${event.line}${times > 1 ? `, and ${times - 1} more` : ''}`,
      width,
    ),
  ]
}

function answerText({ permission, reason, updatedInput }: MergedAnswer, kind: RaceKind): string {
  if (kind === 'rewrite') return updatedInput === null ? 'the input as it is' : toSafeJson(updatedInput)
  if (kind === 'reason') return toSafeJson(reason)
  const words = {
    deny: 'refused',
    defer: 'the call is deferred',
    ask: 'the user is asked',
    allow: 'the call runs',
    none: 'no opinion',
  }
  return words[permission ?? 'none']
}
