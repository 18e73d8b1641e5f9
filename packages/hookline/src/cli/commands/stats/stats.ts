import type { Skipped } from '../../../record/read-log.ts'
import { addRecord, statisticsOf, type Tallies } from '../../../record/statistics.ts'
import { ENGINE_FLAGS, readArguments } from '../../start/flags.ts'
import { isSince, linesOf, logsNamed, READING_USAGE, SOURCE_USAGE, tellSkipped } from '../../start/log-source.ts'
import { commandTerminal } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { budgetsIn, overrunLine, overruns } from './stats-budget.ts'
import { statsView } from './stats-view.ts'

export const isVerdict = true

export const usage = `hookline stats [FILE …] [flags]

Shows what each hook did in the events that were recorded: how often it ran, how
often its matcher matched of how often it was tried, what it blocked, how
often it failed or was late, how long it took, and how many characters, about
how many tokens, it put before the model. What took most time comes first.

  hookline stats
  hookline stats --since 7d
  hookline stats --budget p95=100ms,max=1s hooks.jsonl

${SOURCE_USAGE}

  --since TIME             only what is not older: 30m, 2h, 7d, or a date
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
