import { check } from '../../../check/check.ts'
import { subjectsInPlay } from '../../../check/find-subjects.ts'
import { startFaultsById } from '../../../check/programs.ts'
import type { Engine } from '../../../engine/engine-interface.ts'
import { settle } from '../../../engine/options.ts'
import { readLog } from '../../../log/log.ts'
import { hookKey } from '../../../protocol/hook-key.ts'
import { type Cause, causesElsewhere } from '../../start/elsewhere.ts'
import { eventInput, INPUT_FLAGS, INPUT_USAGE } from '../../start/event-argument.ts'
import {
  ENGINE_FLAGS,
  ENGINE_USAGE,
  type EngineFlags,
  engineOptions,
  readArguments,
  trustCommands,
} from '../../start/flags.ts'
import { listLogs } from '../../start/log-source.ts'
import { commandTerminal, withEngine } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { causeLines } from '../../view/cause-view.ts'
import { hanging } from '../../view/hook-view.ts'
import { indented } from '../../view/layout.ts'
import type { Terminal } from '../../view/terminal.ts'
import { causesOf, type Evidence } from './causes.ts'

export const isVerdict = true

export const usage = `hookline why [Event] [field=value …] [flags]

Says why a hook does not run: the most likely cause in one sentence, what to do
about it, and what else may be the cause. It looks at the settings files, at
files with nearly the right name, at folders above and below, at trust,
matchers, scripts and programs, and into logs, if there are any, for when the
hooks ran last. Nothing is executed.

  hookline why
  hookline why PreToolUse
  hookline why PreToolUse tool_name=Bash tool_input.command='git push'

${INPUT_USAGE}${ENGINE_USAGE}
Exit codes: 0 no cause was found; 1 a cause was found, or a mistake in the call.
`

/** Runs `hookline why`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { ...ENGINE_FLAGS, ...INPUT_FLAGS })
  return withEngine(values, async (engine) => {
    const evidence = await evidenceOf(engine, positionals, values)
    const causes = causesOf(evidence, trustCommands(values))
    const runs = running(evidence)
    const project = engineOptions(values).project
    const recorded = await lastRecorded(evidence, values)
    const { isSeenOnly: _, ...told } = recorded ?? { isSeenOnly: false }
    if (values.json) printJson({ project, event: evidence.event, runs, causes, recorded: recorded && told })
    else print(`${whyView({ ...evidence, causes, runs, project, recorded }, commandTerminal(values)).join('\n')}\n`)
    return causes.length === 0 ? 0 : 1
  })
}

async function evidenceOf(
  engine: Engine,
  words: readonly string[],
  flags: EngineFlags & { readonly input?: string | undefined },
): Promise<Evidence> {
  const options = engineOptions(flags)
  const isAsked = words.length > 0 || flags.input !== undefined
  const input = isAsked ? await eventInput(words, flags, engine.profiles) : null
  const { places, profiles } = await settle(options)
  return {
    event: input?.hook_event_name ?? null,
    problems: engine.problems,
    hooks: engine.list(),
    lines: input === null ? [] : engine.explain(input).hooks,
    trustedLines: input === null ? [] : engine.explain(input, { trusted: true }).hooks,
    startFaults: await startFaultsById(engine.list(), options),
    elsewhere: await causesElsewhere(options, input?.hook_event_name),
    findings: await check(await subjectsInPlay(places, profiles)),
  }
}

/** What logs have of the hooks: when the event was recorded last, and when each of them ran last, by its key. */
interface Recorded {
  readonly event: string | null
  readonly hooks: Readonly<Record<string, string>>
  /** Nothing but that it came was recorded, by `hookline tap` without wrapped hooks. */
  readonly isSeenOnly: boolean
}

/** Looks through the logs of this home for the event that was asked about; null where there is no log. */
async function lastRecorded({ event, hooks }: Evidence, flags: EngineFlags): Promise<Recorded | null> {
  const { found } = await listLogs([], flags)
  if (found.length === 0) return null
  const keys = new Set(hooks.filter(({ hook }) => event === null || hook.event === event).map(({ key }) => key))
  let last: string | null = null
  const ran: Record<string, string> = {}
  let isSeenOnly = true
  for await (const { record, tapped } of readLog(found)) {
    if (event !== null && record.event !== event) continue
    last = record.at
    isSeenOnly &&= tapped !== undefined && record.hooks.length === 0
    for (const line of record.hooks) {
      const key = line.outcome === undefined && line.verdict !== 'backgrounded' ? '' : hookKey(record.event, line)
      if (keys.has(key)) ran[key] = record.at
    }
  }
  return { event: last, hooks: ran, isSeenOnly }
}

/** Whether hooks fired, as far as logs tell. */
function recordedLines(recorded: Recorded | null, event: string | null, width: number): string[] {
  if (recorded === null || recorded.event === null) return []
  const ran = Object.entries(recorded.hooks).map(([key, at]) => `${key} at ${at}`)
  const silence = recorded.isSeenOnly
    ? 'only hooks wrapped by "hookline tap install --wrap" record that they ran'
    : 'none of these hooks ran in what was recorded'
  const hooks = ran.length === 0 ? silence : `last runs: ${ran.join(', ')}`
  return [indented(`Recorded: ${event ?? 'an event'} last at ${recorded.event}; ${hooks}.`, '', width)]
}

/** The ids of the hooks that would run. */
function running({ event, lines, hooks, startFaults }: Evidence): string[] {
  const ids =
    event === null
      ? hooks.filter(({ standing }) => standing.verdict === 'active').map(({ hook }) => hook.id)
      : lines.filter(({ planned }) => planned).map(({ id }) => id)
  return ids.filter((id) => !startFaults.has(id))
}

/** What is told. */
interface Answer extends Pick<Evidence, 'event'> {
  readonly causes: readonly Cause[]
  /** The ids of the hooks that would run. */
  readonly runs: readonly string[]
  readonly project: string
  readonly recorded: Recorded | null
}

function whyView({ event, causes, runs, project, recorded }: Answer, terminal: Terminal): string[] {
  const { width, paint } = terminal
  const [first, ...others] = causes
  const hooks = runs.length === 1 ? '1 hook' : `${runs.length} hooks`
  const count = event === null ? `${hooks} can run` : `${hooks} would run for ${event}`
  if (!first)
    return [
      indented(`${count} in ${project}, and nothing was found that would keep a hook silent.`, '', width),
      indented('hookline fire runs the hooks of an event and shows what they answer.', '', width),
      ...recordedLines(recorded, event, width),
    ]
  return [
    paint.bold('Most likely'),
    indented(first.because, '  ', width),
    paint.green(hanging('fix', first.fix, width)),
    ...(others.length === 0 ? [] : ['', paint.bold('Also possible'), ...causeLines(others, terminal)]),
    '',
    paint.dim(indented(`Project: ${project}. ${count}.`, '', width)),
    ...recordedLines(recorded, event, width),
  ]
}
