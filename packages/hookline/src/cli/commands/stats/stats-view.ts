import type { HookStatistics } from '../../../record/statistics.ts'
import { clipped, shownDuration } from '../../view/layout.ts'
import type { Terminal } from '../../view/terminal.ts'

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
export function statsView(hooks: readonly HookStatistics[], { width, paint }: Terminal): string[] {
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
