import { openEngine } from '../../../engine/engine.ts'
import { HooklineError } from '../../../files/error.ts'
import { openFileStore } from '../../../log/file-store.ts'
import { checkModelStanding } from '../../../models/address.ts'
import { toReplayedLogEntry } from '../../../replay/as-entries.ts'
import { FOREIGN_LINE_NAME } from '../../../replay/log-events.ts'
import { type Leftovers, makeLeftovers } from '../../../replay/past-event.ts'
import { planReplay, type ReplayedEvent, replay } from '../../../replay/replay.ts'
import { countEvents } from '../../../replay/session-events.ts'
import { findSessions, type SessionFiles } from '../../../replay/sessions.ts'
import { openStage, type PlacedOptions, type Stage } from '../../../replay/stage.ts'
import {
  addPlanned,
  addReplayed,
  countDifferences,
  makeTotals,
  sumEvents,
  type Totals,
} from '../../../replay/totals.ts'
import { UNTYPED_LINE } from '../../../replay/transcript-line.ts'
import { findVersion } from '../../../scratch/project-version.ts'
import { runInterruptible } from '../../start/call.ts'
import {
  ENGINE_FLAGS,
  ENGINE_USAGE,
  MODEL_FLAGS,
  MODEL_USAGE,
  RUNNING_FLAGS,
  RUNNING_USAGE,
  readArguments,
  toEngineOptions,
  UsageError,
} from '../../start/flags.ts'
import { provideModels, readModelOptions } from '../../start/models.ts'
import { openCommandTerminal } from '../../start/opening.ts'
import { print, printJson, waitForReader } from '../../start/print.ts'
import { openProgressBar, openReadingBar } from '../../view/progress-bar.ts'
import type { Terminal } from '../../view/terminal.ts'
import {
  formatAlike,
  formatDifference,
  formatHookCounts,
  formatTotals,
  toPlannedEntry,
  toReplayedEntry,
  toTotalsEntry,
} from './replay-view.ts'

export const isVerdict = true

export const usage = `hookline replay <transcript.jsonl | folder> … [flags]

Runs today's hooks on old sessions: on transcripts as clients write them, and on
logs of Hookline. Shows for each event what was decided then and what would be
decided now, differences first. Costs no tokens.

  hookline replay ~/.claude/projects/my-project
  hookline replay session.jsonl --against main
  hookline replay session.jsonl --plan --json

Hooks run in a scratch copy of the project, one event after the other. In the
copy node_modules and .venv are links, and .git shares the real objects. Paths
of the project are mapped to the copy. What hooks do outside of it really
happens. Later events of a session are those that happened, whatever is refused
now.

  --against VERSION        compare with the hooks of a git ref or of a folder,
                           instead of with what happened then
  --plan                   run nothing; only say which hooks would run
  --models                 ask the model where a hook needs one: costs tokens
${MODEL_USAGE}  --log FILE               also write what hooks did to a log, in sessions that are
                           called "ID (replayed)", to compare with what happened
  --exit-code              exit 1 when something would be decided differently
${ENGINE_USAGE}${RUNNING_USAGE}
With --json: one line of JSON per event, and a last one with the totals.

Exit codes: 0 replayed; 1 a mistake in the call, or with --exit-code a
difference; 130 interrupted; 3 a fault of Hookline.
`

const FLAGS = {
  ...ENGINE_FLAGS,
  ...RUNNING_FLAGS,
  against: { type: 'string' },
  plan: { type: 'boolean' },
  ...MODEL_FLAGS,
  models: { type: 'boolean' },
  log: { type: 'string' },
  'exit-code': { type: 'boolean' },
} as const

type ReplayFlags = ReturnType<typeof readArguments<typeof FLAGS>>['values']

/** More events that are decided alike are only counted. */
const MAX_ALIKE_SHOWN = 50
/** More differences are only counted. */
const MAX_DIFFERENCES_SHOWN = 1000

/** Replay under way. */
interface Replay {
  readonly sessions: readonly SessionFiles[]
  readonly options: PlacedOptions
  readonly flags: ReplayFlags
  readonly terminal: Terminal
  readonly totals: Totals
  readonly leftovers: Leftovers
}

/** Runs `hookline replay`. */
export async function run(args: string[]): Promise<number> {
  const { values: flags, positionals } = readArguments(args, FLAGS)
  if (positionals.length === 0) throw new UsageError('which sessions? Name a transcript, a log, or a folder of them.')
  if (flags.plan && flags.against !== undefined) throw new UsageError('--plan and --against do not go together.')
  if (flags.plan && flags.log !== undefined) throw new UsageError('--plan runs nothing, so --log has nothing to write.')
  const under: Replay = {
    sessions: await findSessions(positionals),
    options: toEngineOptions(flags),
    flags,
    terminal: openCommandTerminal(flags),
    totals: makeTotals(),
    leftovers: makeLeftovers(),
  }
  const { interrupted } = await runInterruptible((signal) => (flags.plan ? plan : runAll)(under, signal))
  if (interrupted) return 130
  return flags['exit-code'] && countDifferences(under.totals) > 0 ? 1 : 0
}

/** Throws a HooklineError where not one line of the files is of a session or of a log. */
function refuseForeign({ sessions, totals, leftovers }: Replay): void {
  const { skipped, torn } = leftovers
  const others = [...skipped].filter(([type]) => type !== UNTYPED_LINE && type !== FOREIGN_LINE_NAME)
  const lines = torn + (skipped.get(UNTYPED_LINE) ?? 0) + (skipped.get(FOREIGN_LINE_NAME) ?? 0)
  if (sumEvents(totals) > 0 || others.length > 0 || lines === 0) return
  throw new HooklineError(
    `${sessions.flatMap(({ files }) => files).join(', ')}: not a transcript, and not a log of Hookline. None of ${lines} lines tells of an event. Name a file that a client wrote, such as ~/.claude/projects/…/….jsonl, or a log.`,
  )
}

async function plan(under: Replay, signal: AbortSignal): Promise<void> {
  const { sessions, options, flags, terminal, totals, leftovers } = under
  const engine = await openEngine(options)
  const bar = openReadingBar(sessions, () => `${sumEvents(totals)} events`)
  for (const { hook, standing } of engine.list()) if (standing.verdict === 'untrusted') totals.untrusted.add(hook.id)
  try {
    for await (const planned of planReplay(sessions, { engine, leftovers, signal, onBytes: bar.onBytes })) {
      for (const one of planned) {
        addPlanned(totals, one)
        if (flags.json) await waitForReader(printJson(toPlannedEntry(one)))
      }
    }
  } finally {
    bar.clear()
    await engine.close()
  }
  refuseForeign(under)
  if (flags.json) return waitForReader(printJson(toTotalsEntry(totals, leftovers, sessions.length)))
  const lines = [...formatHookCounts(totals, terminal), '', ...formatReplaySummary(under)]
  print(`${lines.join('\n')}\n`)
}

async function runAll(under: Replay, signal: AbortSignal): Promise<void> {
  const { flags, options } = under
  const stages: Stage[] = []
  try {
    const stage = await openStage({ kind: 'folder', folder: options.project }, withModels(options, flags))
    stages.push(stage)
    if (flags.against === undefined) return await follow(under, { stage, signal })
    const version = await findVersion(flags.against, options.project)
    const against = await openStage(version, withModels(options, flags))
    stages.push(against)
    await follow(under, { stage, against, signal })
  } finally {
    await Promise.all(stages.map((stage) => stage.close()))
  }
}

async function follow(under: Replay, stages: { stage: Stage; against?: Stage; signal: AbortSignal }): Promise<void> {
  const { sessions, flags, terminal, totals, leftovers } = under
  const bar = openProgressBar()
  bar.show(0, 'counting the events')
  const all = bar.isDrawn ? await countEvents(sessions, stages.signal) : 0
  const different: string[][] = []
  const alike: string[] = []
  const store = flags.log === undefined ? null : openFileStore(flags.log)
  try {
    for await (const one of replay(sessions, { ...stages, leftovers })) {
      addReplayed(totals, one)
      const entry = store === null ? null : toReplayedLogEntry(one)
      if (entry !== null) await store?.append([entry])
      const done = sumEvents(totals)
      bar.show(done / Math.max(1, all), `${done} of ${all} events, ${countDifferences(totals)} differences`)
      if (flags.json) await waitForReader(printJson(toReplayedEntry(one)))
      else if (one.difference !== null) {
        if (different.length < MAX_DIFFERENCES_SHOWN) different.push(formatDifference(one, terminal))
      } else if (alike.length < MAX_ALIKE_SHOWN && isWorthALine(one)) alike.push(formatAlike(one, terminal))
    }
  } finally {
    bar.clear()
  }
  refuseForeign(under)
  if (flags.json) return waitForReader(printJson(toTotalsEntry(totals, leftovers, sessions.length)))
  const lines = [
    ...formatSection('Differences', different.flat(), countDifferences(totals) - different.length, terminal),
    ...formatSection('Decided alike', alike, sumEvents(totals) - countDifferences(totals) - alike.length, terminal),
    ...formatReplaySummary(under),
  ]
  print(`${lines.join('\n')}\n`)
}

/** True if something ran, or was refused then: the rest is only counted. */
function isWorthALine({ event, now }: ReplayedEvent): boolean {
  return event.before.was === 'refused' || (now?.ran.length ?? 0) > 0
}

/** Lines below a title, and how many more there are; nothing when there is no line. */
function formatSection(title: string, lines: readonly string[], more: number, { paint }: Terminal): string[] {
  if (lines.length === 0) return []
  return [paint.bold(title), ...lines, ...(more > 0 ? [`  … and ${more} more; --json has them all`] : []), '']
}

function formatReplaySummary({ totals, leftovers, terminal, sessions, flags }: Replay): string[] {
  const about = { terminal, sessions: sessions.length, ran: flags.plan !== true }
  return formatTotals(totals, leftovers, about)
}

/** The engine's options, with a model to ask when --models says so. */
function withModels(options: PlacedOptions, flags: ReplayFlags): PlacedOptions {
  if (!flags.models) return options
  const standing = checkModelStanding(readModelOptions(flags))
  if (standing.ready === false) throw new UsageError(`--models: ${standing.missing}`)
  return { ...options, ...provideModels(flags) }
}
