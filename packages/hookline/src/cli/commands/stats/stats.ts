import type { Skipped } from '../../../log/read-log.ts'
import type { HookStatistics } from '../../../log/statistics.ts'
import { addRecord, statisticsOf, type Tallies } from '../../../log/statistics.ts'
import { ENGINE_FLAGS, readArguments, UsageError } from '../../start/flags.ts'
import {
  durationIn,
  isSince,
  linesOf,
  logsNamed,
  READING_USAGE,
  SOURCE_USAGE,
  tellSkipped,
} from '../../start/log-source.ts'
import { commandTerminal } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { clipped, shownDuration } from '../../view/layout.ts'
import type { Terminal } from '../../view/terminal.ts'

export const isVerdict = true

export const usage = `hookline stats [FILE …] [flags]

Shows what each hook did in the events that were recorded: how often it ran, how
often its matcher matched, what it blocked, how often it failed or timed out,
how long it took, and how many characters, and about how many tokens, it added
to the model's context. The hooks that took most time come first.

  hookline stats
  hookline stats --since 7d
  hookline stats --budget p95=100ms,max=1s hooks.jsonl

${SOURCE_USAGE}

  --since TIME             only events since then: 30m, 2h, 7d, or a date
  --budget LIMITS          exit with 1 when a hook is over p50, p95 or max
${READING_USAGE}
Exit codes: 0; 1 a hook is over the budget, a mistake in the call, or no log.
`

const FLAGS = { ...ENGINE_FLAGS, since: { type: 'string' }, budget: { type: 'string' } } as const

/** Runs `hookline stats`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  const budgets = values.budget === undefined ? [] : budgetsIn(values.budget)
  const wanted = isSince(values.since, Date.now())
  const logs = await logsNamed(positionals, values)
  const skipped: Skipped = { lines: 0 }
  const tallies: Tallies = new Map()
  let events = 0
  for await (const line of linesOf(logs, skipped)) {
    if (!wanted(line)) continue
    events++
    addRecord(tallies, line.record)
  }
  const hooks = statisticsOf(tallies)
  const over = overruns(hooks, budgets)
  const terminal = commandTerminal(values)
  const view = [
    ...statsView(hooks, terminal),
    '',
    `${events === 1 ? '1 event' : `${events} events`}, ${hooks.length === 1 ? '1 hook' : `${hooks.length} hooks`}`,
    ...over.map((one) => terminal.paint.red(overrunLine(one))),
  ]
  if (values.json) printJson({ events, hooks, over })
  else print(`${view.join('\n')}\n`)
  tellSkipped(skipped)
  return over.length > 0 ? 1 : 0
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
function budgetsIn(text: string): Budget[] {
  return text.split(',').map((part) => {
    const [name = '', limit = ''] = part.split('=', 2)
    const measure = MEASURES.find((one) => one === name.trim())
    const most = durationIn(limit.trim())
    if (measure === undefined || most === null)
      throw new UsageError(`--budget must look like p95=100ms,max=1s (${MEASURES.join(', ')}), not "${part}".`)
    return { measure, most }
  })
}

/** What is over the limits. */
function overruns(hooks: readonly HookStatistics[], budgets: readonly Budget[]): Overrun[] {
  return hooks.flatMap((hook) =>
    budgets.flatMap(({ measure, most }) => {
      const is = hook[measure]
      return is !== null && is > most ? [{ hook: hook.id, measure, most, is }] : []
    }),
  )
}

/** An overrun as a sentence. */
function overrunLine({ hook, measure, most, is }: Overrun): string {
  return `${hook}: ${measure} is ${shownDuration(is)}, the budget is ${shownDuration(most)}.`
}

/** What stands in each column, and how wide it is. */
const COLUMNS: readonly (readonly [title: string, width: number, cell: (hook: HookStatistics) => string])[] = [
  ['runs', 6, ({ ran }) => shownCount(ran)],
  ['matched', 11, ({ matched, seen }) => `${shownCount(matched)}/${shownCount(seen)}`],
  ['blocked', 8, ({ blocked }) => shownCount(blocked)],
  ['failed', 7, ({ failed }) => shownCount(failed)],
  ['late', 5, ({ timedOut }) => shownCount(timedOut)],
  ['p50', 7, ({ p50 }) => shownTime(p50)],
  ['p95', 7, ({ p95 }) => shownTime(p95)],
  ['max', 7, ({ max }) => shownTime(max)],
  ['chars', 7, ({ characters }) => shownCount(characters)],
  ['tokens', 7, ({ tokens }) => shownCount(tokens)],
]

const BAR = 6

/** A table of hooks: each with its id and what it runs, and below it the numbers; the bar is its share of the time. */
function statsView(hooks: readonly HookStatistics[], { width, paint }: Terminal): string[] {
  if (hooks.length === 0) return ['No hook was configured for what was recorded.']
  const whole = hooks.reduce((sum, { total }) => sum + total, 0)
  return [
    paint.dim(`${COLUMNS.map(([title, columns]) => title.padStart(columns)).join('')}  time`),
    ...hooks.flatMap((hook) => {
      const id = clipped(hook.id, width - 2)
      const runs = hook.runs === null ? '' : clipped(hook.runs, Math.max(0, width - id.length - 2))
      return [
        `${paint.bold(id)}  ${runs}`.trimEnd(),
        `${COLUMNS.map(([, columns, cell]) => cell(hook).padStart(columns)).join('')}  ${bar(hook.total, whole)}`,
      ]
    }),
  ]
}

function shownTime(milliseconds: number | null): string {
  return milliseconds === null ? '-' : shownDuration(milliseconds)
}

/** A number in at most five characters. */
function shownCount(count: number): string {
  if (count < 10_000) return String(count)
  return count < 9_999_500 ? `${Math.round(count / 1000)}k` : `${Math.round(count / 1_000_000)}M`
}

function bar(part: number, whole: number): string {
  const full = whole === 0 ? 0 : Math.round((part / whole) * BAR)
  const length = part > 0 ? Math.max(1, full) : 0
  return `${'━'.repeat(length)}${'·'.repeat(BAR - length)}`
}
