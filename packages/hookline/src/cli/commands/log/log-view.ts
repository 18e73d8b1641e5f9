import { describeEvent } from '../../../log/describe-event.ts'
import { describeReasons, hasSpoken } from '../../../log/describe-outcome.ts'
import { findBridgedAgent, hasFailed, hasRun } from '../../../log/query.ts'
import type { LogEntry } from '../../../log/record-store.ts'
import type { HookLine } from '../../../protocol/record/record.ts'
import { measureWidth } from '../../../text/width.ts'
import { formatHookName } from '../../view/hook-name.ts'
import { clipText, formatDuration } from '../../view/layout.ts'
import { describeOutcome, formatLocalTime } from '../../view/outcome-view.ts'
import type { Terminal } from '../../view/terminal.ts'

/** The columns of an event whose widths depend on what is shown. */
const COLUMNS = ['label', 'call', 'hooks'] as const

type Cells = Readonly<Record<(typeof COLUMNS)[number] | 'words', string>>

const OUTCOME_WIDTH = 7
/** Width of time and outcome, with the gaps behind them. */
const START_WIDTH = 8 + 2 + OUTCOME_WIDTH + 2
/** Words that do not fit into so many columns behind the rest get a line of their own. */
const MIN_WORDS_WIDTH = 24
/** Narrower terminals show the words of an outcome below the event. */
const MIN_WIDE_WIDTH = 100
const WORDS_INDENT = ' '.repeat(10)

/** Shows entries of a log, some at a time: columns fit what was shown so far. Each day begins with its date. */
export function makeLogFormatter({ width, paint }: Terminal): (entries: readonly LogEntry[]) => string[] {
  let lastDay = ''
  const widest = { label: 0, call: 0, hooks: 0 }
  return (entries) => {
    const rows = entries.map((entry) => ({ entry, cells: makeCells(entry) }))
    for (const { cells } of rows)
      for (const name of COLUMNS) widest[name] = Math.max(widest[name], measureWidth(cells[name]))
    const widths = fitColumns(widest, width)
    return rows.flatMap(({ entry, cells }) => {
      const { day, time } = formatLocalTime(entry.record.at)
      const isNew = day !== lastDay
      lastDay = day
      const [outcome, colour] = describeOutcome(entry.record)
      const start = `${time}  ${paint[colour](outcome)}${' '.repeat(OUTCOME_WIDTH - outcome.length)}  `
      const columns = COLUMNS.filter((name) => widths[name] > 0).map((name) => padCell(cells[name], widths[name]))
      return [...(isNew ? [paint.bold(day)] : []), ...placeWords(`${start}${columns.join('  ')}`, cells.words, width)]
    })
  }
}

/** Gives each column what it needs, or its share of what there is: a call has most to say. */
function fitColumns(
  widest: Readonly<Record<(typeof COLUMNS)[number], number>>,
  width: number,
): Record<(typeof COLUMNS)[number], number> {
  const label = Math.min(widest.label, Math.max(8, Math.floor(width / 5)))
  const left = width - START_WIDTH - label - 4
  const isWide = width >= MIN_WIDE_WIDTH // then the words stand on the same line
  const hooks = Math.min(widest.hooks, Math.max(8, Math.floor(left * (isWide ? 0.33 : 0.55))))
  const call = Math.min(widest.call, isWide ? Math.floor(left * 0.4) : Math.max(0, left - hooks))
  return { label, call: call < 6 ? 0 : call, hooks }
}

function padCell(text: string, width: number): string {
  const shown = clipText(text, width)
  return `${shown}${' '.repeat(Math.max(0, width - measureWidth(shown)))}`
}

/** Puts the words of an outcome behind the rest where there is room, else below it. */
function placeWords(line: string, words: string, width: number): string[] {
  const shown = line.trimEnd()
  if (words === '') return [shown]
  const room = width - measureWidth(line) - 2
  if (room >= Math.min(MIN_WORDS_WIDTH, measureWidth(words))) return [`${line}  ${clipText(words, room)}`]
  return [shown, `${WORDS_INDENT}${clipText(words, width - WORDS_INDENT.length)}`]
}

function makeCells(entry: LogEntry): Cells {
  const { record, input } = entry
  return { ...describeEvent(record.event, input), hooks: describeHooks(entry), words: describeReasons(record) }
}

/** The hooks that said something with their times, and how many did not. */
function describeHooks(entry: LogEntry): string {
  const { record } = entry
  const agent = findBridgedAgent(entry)
  const ran = record.hooks.filter(hasRun)
  const spoke = ran.filter((hook) => hasSpoken(hook, record))
  const silent = ran.length - spoke.length
  const isDecided = record.decision.blocked || record.decision.halt
  return [
    ...(agent === null ? [] : [`agent: ${agent}`]),
    ...spoke.map((hook) => `${formatHookName(hook)} ${describeEnd(hook, isDecided)}`),
    ...(silent > 0 ? [`${silent} silent${spoke.length === 0 ? ` ${findLongestLine(ran)}` : ''}`] : []),
    ...(ran.length === 0 ? [entry.tapped === undefined ? 'no hook ran' : 'seen by hookline tap'] : []),
  ].join(', ')
}

/** Formats how long a hook took, and that it failed where the outcome of the event does not say so. */
function describeEnd(line: HookLine, isDecided: boolean): string {
  const { verdict, timedOut, durationMs = 0 } = line
  if (verdict === 'backgrounded') return 'in background'
  if (timedOut) return `timed out ${formatDuration(durationMs)}`
  return `${hasFailed(line) && isDecided ? 'failed ' : ''}${formatDuration(durationMs)}`
}

function findLongestLine(lines: readonly HookLine[]): string {
  return formatDuration(Math.max(...lines.map(({ durationMs = 0 }) => durationMs)))
}
