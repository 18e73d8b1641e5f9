import { findRaces, type RaceReport } from '../../../races/find-races.ts'
import { noLeftovers } from '../../../replay/recorded-event.ts'
import { findSessions } from '../../../replay/sessions.ts'
import { openStage } from '../../../replay/stage.ts'
import { ENGINE_FLAGS, ENGINE_USAGE, engineOptions, profileOf, readArguments } from '../../start/flags.ts'
import { interruptible } from '../../start/interruptible.ts'
import { logsNamed } from '../../start/log-source.ts'
import { commandTerminal } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { readingBar } from '../../view/progress-bar.ts'
import { racesView } from './races-view.ts'

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
  const sessions = await findSessions(positionals.length > 0 ? positionals : await logsNamed([], flags))
  const options = engineOptions(flags)
  const stage = await openStage({ kind: 'folder', folder: options.project }, options)
  const bar = readingBar(sessions, () => 'read')
  try {
    const looking = { stage, profile: profileOf(flags.profile), leftovers: noLeftovers(), onBytes: bar.onBytes }
    const { result, interrupted } = await interruptible((signal) => findRaces(sessions, { ...looking, signal }))
    bar.clear()
    if (flags.json) printJson(asJson(result))
    else print(`${racesView(result, commandTerminal(flags)).join('\n')}\n`)
    if (interrupted) return 130
    return result.races.length > 0 ? 1 : 0
  } finally {
    await stage.close()
  }
}

function asJson({ races, ...counts }: RaceReport): object {
  return {
    ...counts,
    races: races.map(({ event: { input, file, line }, ...race }) => ({ ...race, input, file, line })),
  }
}
