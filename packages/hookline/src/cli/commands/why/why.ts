import { check } from '../../../check/check.ts'
import { findSubjectsInPlay } from '../../../check/find-subjects.ts'
import { startFaultsById } from '../../../check/programs.ts'
import type { ConfiguredHook } from '../../../config/hook.ts'
import type { Engine } from '../../../engine/engine-interface.ts'
import { settle } from '../../../engine/options.ts'
import { reviewTrust } from '../../../engine/trust-review.ts'
import { listKnownValues } from '../../../pattern/catalogue.ts'
import { CLAUDE_CODE_PROFILE } from '../../../protocol/profiles.ts'
import { isRecorderCommand } from '../../../protocol/wrapped-command.ts'
import { type Cause, findCausesElsewhere } from '../../input/elsewhere.ts'
import { INPUT_FLAGS, INPUT_USAGE, readEventInput } from '../../input/event-argument.ts'
import {
  ENGINE_FLAGS,
  ENGINE_USAGE,
  type EngineFlags,
  readArguments,
  readProfilesInForce,
  toEngineOptions,
  trustCommands,
} from '../../start/flags.ts'
import { openCommandTerminal, withEnabledPlugins, withEngine } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { formatCauses } from '../../view/cause-view.ts'
import { formatHanging } from '../../view/hook-view.ts'
import { indentText } from '../../view/layout.ts'
import type { Terminal } from '../../view/terminal.ts'
import { type Evidence, listDroppedFiles, rankCauses } from './causes.ts'
import { describeRecorded, findLastRecorded } from './recorded.ts'
import { findScriptFindings } from './script-answers.ts'

export const isVerdict = true

export const usage = `hookline why [Event] [field=value …] [flags]

Says why a hook does nothing in Claude Code: the most likely cause in one
sentence, the edit or command that fixes it, and what else may be the cause. It
looks at the settings files, at files with nearly the right name, at folders
above and below, at plugins, switches, matchers, scripts and programs, and into
logs, if there are any, for when the hooks ran last in this project. Hooks are
read as Claude Code reads them, unless a profile was chosen. Nothing is executed.

  hookline why
  hookline why PreToolUse
  hookline why PreToolUse tool_name=Bash tool_input.command='git push'

${INPUT_USAGE}${ENGINE_USAGE}
Exit codes: 0 no cause was found; 1 a cause was found, or a mistake in the call.
`

/** Runs `hookline why`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { ...ENGINE_FLAGS, ...INPUT_FLAGS })
  const flags = await toClientFlags(values)
  return withEngine(flags, async (engine) => {
    const evidence = await collectEvidence(engine, positionals, flags)
    const causes = rankCauses(evidence)
    const runs = listRunningIds(evidence)
    const notes = await trustNotes(engine, values)
    const recorded = await findLastRecorded(evidence, values)
    const { isSeenOnly: _, ...told } = recorded ?? { isSeenOnly: false }
    const { event, project } = evidence
    if (values.json) printJson({ project, event, runs, causes, notes, recorded: recorded && told })
    else {
      const sentence = describeRecorded(recorded, event, Date.now())
      const answer = { event, causes, runs, project, notes, recorded: sentence }
      print(`${formatWhy(answer, openCommandTerminal(values)).join('\n')}\n`)
    }
    return causes.length === 0 ? 0 : 1
  })
}

/**
 * The flags with which hooks stand as in Claude Code: its profile where no profile was chosen, and without Hookline's own trust, which
 * it does not know.
 */
async function toClientFlags<Flags extends EngineFlags>(flags: Flags): Promise<Flags> {
  const { choices } = await readProfilesInForce(flags)
  const isChosen = [choices.own, choices.project].some(({ by }) => by !== 'default')
  return { ...flags, ...(isChosen ? {} : { profile: CLAUDE_CODE_PROFILE }), trust: true }
}

async function collectEvidence(
  engine: Engine,
  words: readonly string[],
  flags: EngineFlags & { readonly input?: string | undefined },
): Promise<Evidence> {
  const options = await withEnabledPlugins(toEngineOptions(flags))
  const isAsked = words.length > 0 || flags.input !== undefined
  const input = isAsked ? await readEventInput(words, flags, engine.profiles) : null
  const { places, profiles } = await settle(options)
  const subjects = await findSubjectsInPlay(places, profiles)
  const explained = input === null ? null : engine.explain(input)
  // The recorder of hookline tap is no hook that anyone misses, nor one that speaks.
  const isRecorder = ({ shown }: ConfiguredHook): boolean => isRecorderCommand(shown.shell ?? '')
  const recorders = new Set(engine.hooks.filter(isRecorder).map(({ id }) => id))
  const hooks = engine.list().filter(({ hook }) => !recorders.has(hook.id))
  const row = input === null ? undefined : engine.profile.events.get(input.hook_event_name)
  const event = input?.hook_event_name ?? null
  return {
    event,
    matched: explained?.matched ?? null,
    known: row === undefined ? [] : listKnownValues(row),
    input: input ?? {},
    project: options.project,
    hooks,
    lines: (explained?.hooks ?? []).filter(({ id }) => !recorders.has(id)),
    startFaults: await startFaultsById(hooks, { project: options.project, ofInvalid: true }),
    elsewhere: await findCausesElsewhere(options, event ?? undefined),
    modules: engine.configuration.modules,
    subjects,
    findings: [...(await findScriptFindings(subjects)), ...(await check(subjects))],
  }
}

/** The ids of the hooks that Claude Code would run. */
function listRunningIds(evidence: Evidence): string[] {
  const { event, lines, hooks, startFaults } = evidence
  const dropped = listDroppedFiles(evidence)
  const lost = new Set(hooks.filter(({ hook }) => dropped.has(hook.file ?? '')).map(({ hook }) => hook.id))
  const ids =
    event === null
      ? hooks.filter(({ standing }) => standing.verdict === 'active').map(({ hook }) => hook.id)
      : lines.filter(({ planned }) => planned).map(({ id }) => id)
  return ids.filter((id) => !startFaults.has(id) && !lost.has(id))
}

/** A remark that is not about Claude Code, with what to do about it. */
interface Note {
  readonly note: string
  readonly because: string
  readonly fix: string
}

/** Trust in Hookline keeps hooks from running in its own hosts, and never in Claude Code. */
async function trustNotes(engine: Engine, flags: EngineFlags): Promise<Note[]> {
  const count = engine.hooks.filter(({ trust }) => trust !== 'none').length
  if (flags.trust === true || count === 0) return []
  const { accepted } = await reviewTrust(await withEnabledPlugins(toEngineOptions(flags)))
  if (accepted) return []
  const { show, accept } = trustCommands(flags)
  const hooks = count === 1 ? '1 hook of this project is' : `${count} hooks of this project are`
  const them = count === 1 ? 'it' : 'them'
  const because = `${hooks} not trusted in Hookline yet: hookline fire and other hosts of Hookline do not run ${them}. Claude Code does not know of this trust.`
  return [{ note: 'untrusted', because, fix: `${accept}, after ${show}` }]
}

/** Answer of `why`. */
interface Answer extends Pick<Evidence, 'event' | 'project'> {
  readonly causes: readonly Cause[]
  /** The ids of the hooks that would run. */
  readonly runs: readonly string[]
  readonly notes: readonly Note[]
  readonly recorded: string | null
}

function formatWhy({ event, causes, runs, project, notes, recorded }: Answer, terminal: Terminal): string[] {
  const { width, paint } = terminal
  const [first, ...others] = causes
  const hooks = runs.length === 1 ? '1 hook' : `${runs.length} hooks`
  const count = event === null ? `${hooks} can run` : `${hooks} would run for ${event}`
  const last = [
    ...(recorded === null ? [] : [indentText(recorded, '', width)]),
    ...notes.flatMap(({ because, fix }) => [
      '',
      paint.dim(indentText(`Note: ${because}`, '', width)),
      formatHanging('run', fix, width),
    ]),
  ]
  if (!first)
    return [
      indentText(`${count} in ${project}, and nothing was found that would keep a hook silent.`, '', width),
      indentText('hookline fire runs the hooks of an event and shows what they answer.', '', width),
      ...last,
    ]
  return [
    paint.bold('Most likely'),
    indentText(first.because, '  ', width),
    paint.green(formatHanging('fix', first.fix, width)),
    ...(others.length === 0 ? [] : ['', paint.bold('Also possible'), ...formatCauses(others, terminal)]),
    '',
    paint.dim(indentText(`Project: ${project}. ${count} in Claude Code.`, '', width)),
    ...last,
  ]
}
