import type { HookStatistics } from '../../../record/statistics.ts'
import { UsageError } from '../../start/flags.ts'
import { durationIn } from '../../start/log-source.ts'
import { shownDuration } from '../../view/layout.ts'

const MEASURES = ['p50', 'p95', 'max'] as const

/** A limit, in milliseconds, for one of the times of every hook. */
export interface Budget {
  readonly measure: (typeof MEASURES)[number]
  readonly most: number
}

/** A time of a hook that is over its limit. */
export interface Overrun extends Budget {
  readonly hook: string
  readonly is: number
}

/** The limits in a text such as `p95=100ms,max=1s`. */
export function budgetsIn(text: string): Budget[] {
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
export function overruns(hooks: readonly HookStatistics[], budgets: readonly Budget[]): Overrun[] {
  return hooks.flatMap((hook) =>
    budgets.flatMap(({ measure, most }) => {
      const is = hook[measure]
      return is !== null && is > most ? [{ hook: hook.id, measure, most, is }] : []
    }),
  )
}

/** An overrun as a sentence. */
export function overrunLine({ hook, measure, most, is }: Overrun): string {
  return `${hook}: ${measure} is ${shownDuration(is)}, the budget is ${shownDuration(most)}.`
}
