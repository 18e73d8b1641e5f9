import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { HooklineError } from '../../../files/error.ts'
import type { GuardName } from '../../../guards/guard.ts'
import { LEVELS, type Verdict } from '../../../guards/judge.ts'
import { judgeHere, openSurroundings, type Surroundings } from '../../../guards/surroundings.ts'
import { makeLeftovers, type PastEvent, type PastOutcome } from '../../../replay/past-event.ts'
import { iterateEvents } from '../../../replay/session-events.ts'
import { findSessions } from '../../../replay/sessions.ts'
import { toShellWord } from '../../../text/quote.ts'
import { runInterruptible } from '../../start/call.ts'
import { readArguments, toEngineOptions, UsageError } from '../../start/flags.ts'
import { openCommandTerminal } from '../../start/opening.ts'
import { print, printJson, tell, waitForReader } from '../../start/print.ts'
import { clipText, formatColumns } from '../../view/layout.ts'
import { openReadingBar } from '../../view/progress-bar.ts'
import { redactVerdict } from '../../view/redact-verdict.ts'
import type { Terminal } from '../../view/terminal.ts'

const FLAGS = {
  project: { type: 'string' },
  home: { type: 'string' },
  level: { type: 'string' },
  open: { type: 'boolean' },
  json: { type: 'boolean' },
  'no-color': { type: 'boolean' },
} as const

/** Calls that are shown one by one; more are only counted. */
const MAX_SHOWN = 40

/** One call of an old session that the guards would have spoken about. */
interface PastFinding {
  readonly answer: 'deny' | 'ask'
  readonly guard: GuardName
  readonly says: string
  readonly tool: string
  readonly call: string
  readonly before: PastOutcome['was']
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
  readonly guards: Map<GuardName, { denied: number; asked: number; went: number; refused: number }>
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
  const counts: Counts = { sessions: sessions.length, calls: 0, denied: 0, asked: 0, newly: 0, guards: new Map() }
  const shown: PastFinding[] = []
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
      const spoken = toPastFinding(event, verdict)
      addPastFinding(counts, spoken)
      if (values.json) await waitForReader(printJson(spoken))
      else if (shown.length < MAX_SHOWN) shown.push(spoken)
    }
  })
  bar.clear()
  if (interrupted) return 130
  if (counts.calls === 0 && leftovers.torn > 0 && sessions.length > 0)
    throw new HooklineError('None of these files tells of a call. Name transcripts, logs, or folders of them.')
  if (values.json) await waitForReader(printJson({ ...counts, guards: Object.fromEntries(counts.guards) }))
  else print(`${formatBacktest(counts, shown, openCommandTerminal(values)).join('\n')}\n`)
  if (values.open) await tellInspector(paths, home)
  return 0
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

function toPastFinding({ input, before, file, line }: PastEvent, { answer, findings, view }: Verdict): PastFinding {
  const [first] = findings
  const step = view.effects.find(({ from }) => from.length > 0)?.from[0]?.text
  return {
    answer: answer === 'deny' ? 'deny' : 'ask',
    guard: first?.guard ?? 'system',
    says: first?.says ?? '',
    // The name of the tool was looked at before.
    tool: String((input as Readonly<Record<string, unknown>>).tool_name),
    call: step ?? first?.subject ?? '',
    before: before.was,
    file,
    line,
  }
}

function addPastFinding(counts: Counts, { answer, guard, before }: PastFinding): void {
  const row = counts.guards.get(guard) ?? { denied: 0, asked: 0, went: 0, refused: 0 }
  counts.guards.set(guard, row)
  if (answer === 'deny') {
    counts.denied += 1
    row.denied += 1
  } else {
    counts.asked += 1
    row.asked += 1
  }
  if (before === 'refused') row.refused += 1
  else {
    counts.newly += 1
    row.went += 1
  }
}

function formatBacktest(counts: Counts, shown: readonly PastFinding[], { width, paint }: Terminal): string[] {
  const { sessions, calls, denied, asked, newly, guards } = counts
  const share = calls === 0 ? '0' : ((100 * (denied + asked)) / calls).toFixed(1)
  const rows = [...guards].map(([name, row]) => [
    `  ${name}`,
    String(row.denied),
    String(row.asked),
    String(row.went),
    String(row.refused),
  ])
  const table =
    rows.length > 0
      ? ['', ...formatColumns([['  guard', 'refused', 'asked', 'went on then', 'refused then'], ...rows], width)]
      : []
  const lines = shown.flatMap(({ answer, guard, says, call, file, line, before }) => [
    `  ${answer === 'deny' ? paint.red('refused') : paint.yellow('asked  ')}  ${clipText(call, width - 12)}`,
    paint.dim(`           ${clipText(`${guard}: ${says}; then: ${before}`, width - 12)}`),
    paint.dim(`           ${file}:${line}`),
  ])
  const more = denied + asked - shown.length
  return [
    `${calls} calls in ${sessions} sessions: ${denied} refused, ${asked} asked about (${share} %); ${newly} of them went on then.`,
    ...table,
    ...(lines.length > 0 ? ['', ...lines] : []),
    ...(more > 0 ? [`  and ${more} more; --json prints all`] : []),
    '',
    paint.dim('Files were looked at as they are today. Nothing was run.'),
  ]
}

/** Says how these sessions are shown in the inspector, and where one runs. */
async function tellInspector(paths: readonly string[], home: string): Promise<void> {
  const { findInspector } = await import('../../../inspect/running.ts') // loaded where it is asked for
  const address = await findInspector(home, join(home, '.hookline', 'log.jsonl'))
  tell(`Show them in the inspector: hookline inspect --transcripts ${paths.map(toShellWord).join(' ')}\n`)
  if (address !== null) tell(`The one that runs shows recorded sessions: ${address}\n`)
}
