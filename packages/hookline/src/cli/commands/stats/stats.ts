import { type Cost, measureCost } from '../../../log/cost.ts'
import { GROUPINGS, type GroupStatistics, type HookStatistics, readStatistics } from '../../../log/statistics.ts'
import {
  countSkipped,
  finishReading,
  LOG_FILE_USAGE,
  parseDuration,
  QUERY_FLAGS,
  QUERY_USAGE,
  READING_FLAGS,
  READING_USAGE,
  requireLogs,
  toQuery,
} from '../../input/log-source.ts'
import { makeUnknownWordError, readArguments, UsageError } from '../../start/flags.ts'
import { openCommandTerminal } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { formatCommandName } from '../../view/hook-name.ts'
import { clipText, formatCount, formatDuration, indentText } from '../../view/layout.ts'
import type { Terminal } from '../../view/terminal.ts'

export const isVerdict = true

export const usage = `hookline stats [FILE …] [flags]

Shows what each hook did in the events that were recorded: how often it ran, how
often its matcher matched, what it blocked, how often it failed or timed out,
how long it took, and how many characters, and about how many tokens, it added
to the model's context. The hooks that took most time come first; the last line
names hooks that never matched, that fail, and that got slower.

  hookline stats
  hookline stats --by session --project . --since 7d
  hookline stats --budget p95=100ms,max=1s hooks.jsonl

${LOG_FILE_USAGE}

  --by WHAT                a line per day, project or session; default: hook
  --cost                   also what calls waited in all, refusals by reason,
                           context by event, and with --json medians over time
${QUERY_USAGE}  --budget LIMITS          exit with 1 when a hook is over p50, p95 or max
${READING_USAGE}
Exit codes: 0; 1 a hook is over the budget, a mistake in the call, no log, or a
file that is not a log.
`

const FLAGS = {
  ...READING_FLAGS,
  ...QUERY_FLAGS,
  by: { type: 'string' },
  cost: { type: 'boolean' },
  budget: { type: 'string' },
} as const

/** Runs `hookline stats`. */
export async function run(args: string[]): Promise<number> {
  const { values: flags, positionals } = readArguments(args, FLAGS)
  const budgets = flags.budget === undefined ? [] : parseBudgets(flags.budget)
  const by = GROUPINGS.find((grouping) => grouping === (flags.by ?? 'hook'))
  if (by === undefined) throw makeUnknownWordError(`${flags.by}`, GROUPINGS)
  const query = toQuery(flags, Date.now())
  const logs = await requireLogs(positionals, flags)
  const { skipped, onSkipped } = countSkipped()
  if (flags.cost && by !== 'hook') throw new UsageError('--cost and --by exclude each other.')
  const cost = flags.cost ? await measureCost(logs, { ...query, onSkipped }) : null
  const { events, hooks, groups } =
    cost === null ? await readStatistics(logs, { ...query, by, onSkipped }) : { ...cost, groups: [] }
  await finishReading(logs, { events, skipped })
  const over = findOverruns(hooks, budgets)
  const terminal = openCommandTerminal(flags)
  const { paint, width } = terminal
  const remarks = listHookRemarks(hooks)
  const view = [
    ...(by === 'hook' ? formatStats(hooks, terminal) : formatGroups(groups, terminal)),
    '',
    `${formatCount(events, 'event', 'events')}, ${formatCount(hooks.length, 'hook', 'hooks')}`,
    ...(cost === null ? [] : formatCost(cost, terminal)),
    ...over.map((one) => paint.red(formatOverrun(one))),
    ...(remarks.length === 0 ? [] : [paint.yellow(indentText(`Look at: ${remarks.join('; ')}.`, '', width))]),
  ]
  if (flags.json) printJson({ events, hooks, ...cost, ...(by === 'hook' ? {} : { by, groups }), over })
  else print(`${view.join('\n')}\n`)
  return over.length > 0 ? 1 : 0
}

/** Formats the time that calls waited in all, refusals by reason and context by event. */
function formatCost({ waitedMs, reasons, tokensByEvent }: Cost, { width, paint }: Terminal): string[] {
  const formatLine = (figure: string, words: string): string => clipText(`${figure.padStart(8)}  ${words}`, width)
  return [
    `Calls waited ${formatDuration(waitedMs)} for hooks in all.`,
    ...(reasons.length === 0 ? [] : ['', paint.bold('Refusals by reason')]),
    ...reasons.map(({ reason, count }) => formatLine(String(count), reason.replaceAll('\n', ' '))),
    ...(tokensByEvent.length === 0 ? [] : ['', paint.bold('Context by event, in tokens')]),
    ...tokensByEvent.map(({ event, tokens }) => formatLine(String(tokens), event)),
  ]
}

/** Hooks that are worth a look: what never matched, what fails, what got slower. */
function listHookRemarks(hooks: readonly HookStatistics[]): string[] {
  return hooks.flatMap((hook) => {
    const { seen, matched, ran, failed, timedOut, slower } = hook
    const id = remarkName(hook)
    return [
      ...(matched === 0 ? [`${id} never matched (${formatCount(seen, 'event', 'events')})`] : []),
      ...(failed + timedOut > 0 ? [`${id} failed ${failed + timedOut} of ${formatCount(ran, 'time', 'times')}`] : []),
      ...(slower === null
        ? []
        : [`${id} got slower (p50 ${formatDuration(slower.before)}, now ${formatDuration(slower.after)})`]),
    ]
  })
}

/** A hook as a user knows it: its script, with the id that the table has. */
function remarkName({ id, runs }: HookStatistics): string {
  return runs === null ? id : `${formatCommandName(runs)} (${id})`
}

/** Columns of a table of days, projects or sessions. */
const GROUP_COLUMNS: readonly (readonly [title: string, width: number, cell: (group: GroupStatistics) => string])[] = [
  ['events', 7, ({ events }) => formatStatCount(events)],
  ['runs', 7, ({ ran }) => formatStatCount(ran)],
  ['blocked', 8, ({ blocked }) => formatStatCount(blocked)],
  ['failed', 7, ({ failed }) => formatStatCount(failed)],
  ['time', 8, ({ total }) => formatDuration(total)],
  ['tokens', 7, ({ tokens }) => formatStatCount(tokens)],
]

/** Columns that are kept for the slowest hook of a line. */
const MIN_SLOWEST_WIDTH = 24

/** A line per day, project or session, with its slowest hook at the end. */
function formatGroups(groups: readonly GroupStatistics[], { width, paint }: Terminal): string[] {
  if (groups.length === 0) return ['No event was recorded.']
  const taken = GROUP_COLUMNS.reduce((sum, [, columns]) => sum + columns, 0)
  const names = Math.min(
    Math.max(...groups.map(({ name }) => name.length), 7),
    Math.max(10, width - taken - MIN_SLOWEST_WIDTH),
  )
  const formatGroupLine = (name: string, cells: readonly string[], slowest: string): string =>
    clipText(`${clipText(name, names).padEnd(names)}${cells.join('')}  ${slowest}`, width).trimEnd()
  return [
    paint.dim(
      formatGroupLine(
        '',
        GROUP_COLUMNS.map(([title, columns]) => title.padStart(columns)),
        'slowest',
      ),
    ),
    ...groups.map((group) => {
      const cells = GROUP_COLUMNS.map(([, columns, cell]) => cell(group).padStart(columns))
      const { slowest } = group
      return formatGroupLine(
        group.name === '' ? '(unknown)' : group.name,
        cells,
        slowest === null ? '' : `${formatDuration(slowest.durationMs)} ${formatCommandName(slowest.hook)}`,
      )
    }),
  ]
}

const MEASURES = ['p50', 'p95', 'max'] as const

/** A limit, in milliseconds, for one of the times of every hook. */
interface Budget {
  readonly measure: (typeof MEASURES)[number]
  readonly most: number
}

/** A time of a hook that is over its limit. */
interface Overrun extends Budget {
  readonly hook: string
  readonly is: number
}

/** The limits in a text such as `p95=100ms,max=1s`. */
function parseBudgets(text: string): Budget[] {
  return text.split(',').map((part) => {
    const [name = '', limit = ''] = part.split('=', 2)
    const measure = MEASURES.find((one) => one === name.trim())
    const most = parseDuration(limit.trim())
    if (measure === undefined || most === null)
      throw new UsageError(`--budget must look like p95=100ms,max=1s (${MEASURES.join(', ')}), not "${part}".`)
    return { measure, most }
  })
}

/** Finds what is over the limits. */
function findOverruns(hooks: readonly HookStatistics[], budgets: readonly Budget[]): Overrun[] {
  return hooks.flatMap((hook) =>
    budgets.flatMap(({ measure, most }) => {
      const is = hook[measure]
      return is !== null && is > most ? [{ hook: hook.id, measure, most, is }] : []
    }),
  )
}

/** An overrun as a sentence. */
function formatOverrun({ hook, measure, most, is }: Overrun): string {
  return `${hook}: ${measure} is ${formatDuration(is)}, the budget is ${formatDuration(most)}.`
}

/** Columns, and their widths. */
const COLUMNS: readonly (readonly [title: string, width: number, cell: (hook: HookStatistics) => string])[] = [
  ['runs', 6, ({ ran }) => formatStatCount(ran)],
  ['matched', 11, ({ matched, seen }) => `${formatStatCount(matched)}/${formatStatCount(seen)}`],
  ['blocked', 8, ({ blocked }) => formatStatCount(blocked)],
  ['failed', 7, ({ failed }) => formatStatCount(failed)],
  ['late', 5, ({ timedOut }) => formatStatCount(timedOut)],
  ['p50', 7, ({ p50 }) => formatStatTime(p50)],
  ['p95', 7, ({ p95 }) => formatStatTime(p95)],
  ['max', 7, ({ max }) => formatStatTime(max)],
  ['chars', 7, ({ characters }) => formatStatCount(characters)],
  ['tokens', 7, ({ tokens }) => formatStatCount(tokens)],
]

const BAR = 6

/** A table of hooks: each with its id and what it runs, and below it the numbers; the bar is its share of the time. */
function formatStats(hooks: readonly HookStatistics[], { width, paint }: Terminal): string[] {
  if (hooks.length === 0)
    return [
      'No hook was recorded: none was configured, or hookline tap saw the events alone',
      '(hookline tap install --wrap all records hooks, too).',
    ]
  const whole = hooks.reduce((sum, { total }) => sum + total, 0)
  return [
    paint.dim(`${COLUMNS.map(([title, columns]) => title.padStart(columns)).join('')}  time`),
    ...hooks.flatMap((hook) => {
      const id = clipText(hook.id, width - 2)
      const runs = hook.runs === null ? '' : clipText(hook.runs, Math.max(0, width - id.length - 2))
      return [
        `${paint.bold(id)}  ${runs}`.trimEnd(),
        `${COLUMNS.map(([, columns, cell]) => cell(hook).padStart(columns)).join('')}  ${formatBar(hook.total, whole)}`,
      ]
    }),
  ]
}

function formatStatTime(milliseconds: number | null): string {
  return milliseconds === null ? '-' : formatDuration(milliseconds)
}

/** A number in at most five characters. */
function formatStatCount(count: number): string {
  if (count < 10_000) return String(count)
  return count < 9_999_500 ? `${Math.round(count / 1000)}k` : `${Math.round(count / 1_000_000)}M`
}

function formatBar(part: number, whole: number): string {
  const full = whole === 0 ? 0 : Math.round((part / whole) * BAR)
  const length = part > 0 ? Math.max(1, full) : 0
  return `${'━'.repeat(length)}${'·'.repeat(BAR - length)}`
}
