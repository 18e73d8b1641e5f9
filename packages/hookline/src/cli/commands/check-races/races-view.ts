import { shownPath } from '../../../files/paths.ts'
import type { FoundRace, RaceReport } from '../../../races/find-races.ts'
import type { MergedAnswer, RaceKind } from '../../../races/races.ts'
import { safeJson } from '../../../text/visible.ts'
import { hanging } from '../../view/hook-view.ts'
import { clipped, indented } from '../../view/layout.ts'
import type { Terminal } from '../../view/terminal.ts'

const TITLES: Readonly<Record<RaceKind, string>> = {
  rewrite: 'both rewrite the input, and the last to end wins',
  reason: 'both give a reason, and only that of the last to end is read',
  undone: 'one refuses by exit code 2, and the other undoes it',
}

/** The pairs of hooks that conflict, for people: what is decided here, and what a client that takes the last to finish would. */
export function racesView({ calls, contested, races }: RaceReport, terminal: Terminal): string[] {
  const looked = `${calls} ${calls === 1 ? 'call' : 'calls'}, ${contested} with more than one opinion`
  const found = races.length === 1 ? '1 pair of hooks conflicts' : `${races.length || 'No'} pairs of hooks conflict`
  const colour = races.length > 0 ? terminal.paint.yellow : terminal.paint.green
  return [...races.flatMap((race) => [...raceView(race, terminal), '']), colour(`${found}: ${looked}.`)]
}

function raceView({ kind, hooks, here, there, event, times }: FoundRace, { width, paint }: Terminal): string[] {
  const [first, second] = hooks
  const { tool_name, tool_input } = event.input
  return [
    paint.bold(indented(`${first} and ${second}`, '', width)),
    hanging('what', TITLES[kind], width),
    hanging('here', `always ${answerText(here, kind)}`, width),
    ...(kind === 'undone'
      ? [hanging('there', answerText(there[0], kind), width)]
      : [
          hanging('there', `${answerText(there[0], kind)}, when ${first} ends last`, width),
          hanging('', `${answerText(there[1], kind)}, when ${second} ends last`, width),
        ]),
    hanging('such as', clipped(`${tool_name}  ${safeJson(tool_input ?? {})}`, width - 13), width),
    hanging(
      'where',
      `${shownPath(event.file, process.cwd())}:${event.line}${times > 1 ? `, and ${times - 1} more` : ''}`,
      width,
    ),
  ]
}

function answerText({ permission, reason, updatedInput }: MergedAnswer, kind: RaceKind): string {
  if (kind === 'rewrite') return updatedInput === null ? 'the input as it is' : safeJson(updatedInput)
  if (kind === 'reason') return safeJson(reason)
  return { deny: 'refused', ask: 'the user is asked', allow: 'the call runs', none: 'no opinion' }[permission ?? 'none']
}
