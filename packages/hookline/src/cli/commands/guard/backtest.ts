import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { HooklineError } from '../../../files/error.ts'
import type { GuardName } from '../../../guards/guard.ts'
import { LEVELS, type Verdict } from '../../../guards/judge.ts'
import { listSteps } from '../../../guards/messages.ts'
import { judgeHere, openSurroundings, type Surroundings } from '../../../guards/surroundings.ts'
import { makeLeftovers, type PastEvent, type PastOutcome } from '../../../replay/past-event.ts'
import { iterateEvents } from '../../../replay/session-events.ts'
import { findSessions } from '../../../replay/sessions.ts'
import { runInterruptible } from '../../start/call.ts'
import { readArguments, toEngineOptions, UsageError } from '../../start/flags.ts'
import { openCommandTerminal } from '../../start/opening.ts'
import { print, printJson, tell, waitForReader } from '../../start/print.ts'
import { clipText, formatColumns, formatCount } from '../../view/layout.ts'
import { openReadingBar } from '../../view/progress-bar.ts'
import { redactVerdict } from '../../view/redact-verdict.ts'
import type { Terminal } from '../../view/terminal.ts'
import { addSpokenCall, makeBacktestLog, type SpokenCalls } from './backtest-log.ts'

const FLAGS = {
  project: { type: 'string' },
  home: { type: 'string' },
  level: { type: 'string' },
  open: { type: 'boolean' },
  'no-open': { type: 'boolean' },
  json: { type: 'boolean' },
  'no-color': { type: 'boolean' },
} as const

/** Calls that are shown one by one; more are only counted. */
const MAX_SHOWN = 40

/** Outcomes back then: who refused a call, or that it went on. */
const PAST_OUTCOMES = ['user', 'rules', 'asked', 'went', 'unknown'] as const

/** Counts of calls by their outcome back then. */
type OutcomeCounts = Record<(typeof PAST_OUTCOMES)[number], number>

/** One call of an old session that the guards would have spoken about. */
interface PastFinding {
  readonly answer: 'deny' | 'ask'
  readonly guard: GuardName
  readonly says: string
  readonly tool: string
  readonly call: string
  readonly before: PastOutcome['was']
  readonly outcome: keyof OutcomeCounts
  readonly file: string
  readonly line: number
}

/** Counts of a backtest. */
interface Counts {
  sessions: number
  calls: number
  denied: number
  asked: number
  /** Refusals and questions about calls that went on then, which a user would have been stopped at. */
  newly: number
  readonly outcomes: OutcomeCounts
  readonly guards: Map<GuardName, { denied: number; asked: number; readonly outcomes: OutcomeCounts }>
}

/** Calls that are told as one: the same finding about the same command. */
interface RepeatedFinding {
  readonly first: PastFinding
  readonly outcomes: OutcomeCounts
  times: number
}

/** Runs `hookline guard backtest`: the verdicts of today's guards on the calls of old sessions. Nothing is run. */
export async function runBacktest(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  const { home } = toEngineOptions(values)
  const level = LEVELS.find((each) => each === values.level)
  if (values.level !== undefined && !level)
    throw new UsageError(`--level must be ${LEVELS.join(', ')}, not "${values.level}".`)
  const paths = positionals.length > 0 ? positionals : findPastSessions(home)
  const sessions = await findSessions(paths)
  const counts = makeCounts(sessions.length)
  const repeated = new Map<string, RepeatedFinding>()
  const spoken: SpokenCalls = new Map()
  const places = new Map<string, Surroundings>()
  const leftovers = makeLeftovers()
  const bar = openReadingBar(sessions, () => `${counts.calls} calls`)
  const { interrupted } = await runInterruptible(async (signal) => {
    const events = iterateEvents(sessions, { leftovers, signal, onBytes: bar.onBytes, onSessionEnd: async () => {} })
    for await (const event of events) {
      const verdict = event.subject === 'call' ? await judgePast(event, { home, places, level }) : null
      if (!verdict) continue
      counts.calls += 1
      if (verdict.answer === 'pass') continue
      const finding = toPastFinding(event, verdict)
      addPastFinding(counts, finding)
      addRepeated(repeated, finding)
      addSpokenCall(spoken, event, verdict.findings)
      if (values.json) await waitForReader(printJson(finding))
    }
  })
  bar.clear()
  if (interrupted) return 130
  if (counts.calls === 0 && leftovers.torn > 0 && sessions.length > 0)
    throw new HooklineError('None of these files tells of a call. Name transcripts, logs, or folders of them.')
  if (values.json) await waitForReader(printJson({ ...counts, guards: Object.fromEntries(counts.guards) }))
  else print(`${formatBacktest(counts, [...repeated.values()], openCommandTerminal(values)).join('\n')}\n`)
  if (!values.open && !values['no-open']) return 0
  if (spoken.size === 0) {
    tell('The guards would not have spoken: there is nothing to open.\n')
    return 0
  }
  const { showMadeLog } = await import('../../input/serve-inspector.ts') // a server and a page, for those who ask for them
  return showMadeLog(await makeBacktestLog(sessions, spoken), values)
}

function makeCounts(sessions: number): Counts {
  return { sessions, calls: 0, denied: 0, asked: 0, newly: 0, outcomes: countNoOutcomes(), guards: new Map() }
}

function countNoOutcomes(): OutcomeCounts {
  return { user: 0, rules: 0, asked: 0, went: 0, unknown: 0 }
}

/** Sessions of Claude Code and the log of Hookline, where they usually are. */
function findPastSessions(home: string): readonly string[] {
  const found = [join(home, '.claude', 'projects'), join(home, '.hookline', 'log.jsonl')].filter((path) =>
    existsSync(path),
  )
  if (found.length > 0) return found
  throw new HooklineError(
    'There are no past sessions in ~/.claude/projects. Name transcripts or logs: hookline guard backtest session.jsonl',
  )
}

interface PastOptions {
  readonly home: string
  readonly places: Map<string, Surroundings>
  readonly level: (typeof LEVELS)[number] | undefined
}

/** Judges a call in the folder that it was made in, as the disk is today. */
async function judgePast({ input }: PastEvent, { home, places, level }: PastOptions): Promise<Verdict | null> {
  // Events of calls have these fields by their schema; a file may hold others all the same.
  const { tool_name: tool, tool_input: given, cwd } = input as Readonly<Record<string, unknown>>
  if (typeof tool !== 'string' || typeof given !== 'object' || given === null) return null
  const folder = typeof cwd === 'string' && cwd !== '' ? cwd : process.cwd()
  const here = places.get(folder) ?? (await openSurroundings({ folder, home, now: Date.now() }))
  places.set(folder, here)
  const call = { tool, input: { ...given } }
  return redactVerdict(judgeHere(here, call, level ? { level } : {}), call, process.env)
}

function toPastFinding({ input, before, file, line }: PastEvent, { answer, findings }: Verdict): PastFinding {
  const [first] = findings
  const [step] = first ? listSteps(first) : []
  return {
    answer: answer === 'deny' ? 'deny' : 'ask',
    guard: first?.guard ?? 'system',
    says: first?.says ?? '',
    // The name of the tool was looked at before.
    tool: String((input as Readonly<Record<string, unknown>>).tool_name),
    call: step?.text ?? first?.subject ?? '',
    before: before.was,
    outcome: nameOutcome(before),
    file,
    line,
  }
}

function nameOutcome(before: PastOutcome): keyof OutcomeCounts {
  if (before.was === 'refused') return before.by === 'person' ? 'user' : 'rules'
  if (before.was === 'unknown') return 'unknown'
  return before.was === 'passed' ? 'went' : 'asked'
}

function addPastFinding(counts: Counts, { answer, guard, outcome }: PastFinding): void {
  const row = counts.guards.get(guard) ?? { denied: 0, asked: 0, outcomes: countNoOutcomes() }
  counts.guards.set(guard, row)
  for (const sum of [counts, row]) {
    sum[answer === 'deny' ? 'denied' : 'asked'] += 1
    sum.outcomes[outcome] += 1
  }
  if (outcome === 'went') counts.newly += 1
}

function addRepeated(repeated: Map<string, RepeatedFinding>, finding: PastFinding): void {
  const name = JSON.stringify([finding.answer, finding.guard, finding.tool, finding.call])
  const row = repeated.get(name) ?? { first: finding, outcomes: countNoOutcomes(), times: 0 }
  repeated.set(name, row)
  row.times += 1
  row.outcomes[finding.outcome] += 1
}

/** Titles of the columns, by outcome. */
const TITLES: Readonly<Record<keyof OutcomeCounts, string>> = {
  user: 'you refused',
  rules: 'a rule or hook did',
  asked: 'was asked',
  went: 'went on',
  unknown: 'not known',
}

function formatBacktest(counts: Counts, repeated: readonly RepeatedFinding[], terminal: Terminal): string[] {
  const { sessions, calls, denied, asked } = counts
  const spoken = denied + asked
  const often = spoken === 0 ? '' : `, one call in ${Math.round(calls / spoken)}`
  const found = `${formatCount(calls, 'call', 'calls')} in ${formatCount(sessions, 'session', 'sessions')}`
  return [
    `${found}: ${denied} refused, ${asked} asked about${often}.`,
    ...(spoken === 0 ? [] : formatRightness(counts, terminal)),
    ...formatRepeated(repeated, terminal),
    '',
    terminal.paint.dim('Files were looked at as they are today. Nothing was run.'),
  ]
}

/** The table of guards with what became of these calls then, and what follows from it. */
function formatRightness({ guards, outcomes: counts }: Counts, { width }: Terminal): string[] {
  const outcomes = PAST_OUTCOMES.filter((each) => counts[each] > 0)
  const rows = [...guards]
    .sort(([, one], [, other]) => other.denied + other.asked - (one.denied + one.asked))
    .map(([name, row]) => [
      `  ${name}`,
      String(row.denied),
      String(row.asked),
      ...outcomes.map((each) => String(row.outcomes[each])),
    ])
  const titles = ['  guard', 'would refuse', 'ask', ...outcomes.map((each) => `then: ${TITLES[each]}`)]
  const rightly = counts.user + counts.rules
  const judged = [
    ...(rightly > 0 ? [`Rightly: ${formatCount(rightly, 'call that was', 'calls that were')} refused then, too.`] : []),
    ...(counts.asked > 0
      ? [`Nothing new: ${formatCount(counts.asked, 'call', 'calls')} that a hook asked about then.`]
      : []),
    ...(counts.went > 0
      ? [
          `To look at: ${formatCount(counts.went, 'call that', 'calls that')} went on then. No file says whether that did harm.`,
        ]
      : []),
  ]
  return ['', ...formatColumns([titles, ...rows], width), '', ...judged]
}

function formatRepeated(repeated: readonly RepeatedFinding[], { width, paint }: Terminal): string[] {
  const sorted = [...repeated].sort((one, other) => other.times - one.times)
  const lines = sorted.slice(0, MAX_SHOWN).flatMap(({ first, outcomes, times }) => {
    const { answer, guard, says, call, file, line } = first
    const known = PAST_OUTCOMES.filter((each) => outcomes[each] > 0).map((each) =>
      times === 1 ? TITLES[each] : `${TITLES[each]} ${outcomes[each]}`,
    )
    const word = answer === 'deny' ? paint.red('refused') : paint.yellow('asked  ')
    return [
      `  ${word}  ${clipText(`${times > 1 ? `${times} times: ` : ''}${call}`, width - 12)}`,
      paint.dim(`           ${clipText(`${guard}: ${says}; then: ${known.join(', ')}`, width - 12)}`),
      paint.dim(`           ${file}:${line}`),
    ]
  })
  const more = sorted.length - MAX_SHOWN
  return [...(lines.length > 0 ? ['', ...lines] : []), ...(more > 0 ? [`  and ${more} more; --json prints all`] : [])]
}
