import type { EventRow } from '../protocol/event-row.ts'
import type { Decision } from '../protocol/record.ts'
import type { Result } from '../read/result.ts'
import { messagesOf } from './audience.ts'
import { MERGES } from './merge.ts'

/** The result of a hook, with the hook's id. */
export interface HookResult {
  readonly hook: string
  readonly result: Result
}

/** Merges results, which stand in configuration order, into what the host acts on. */
export function decide(row: EventRow, results: readonly HookResult[]): Decision {
  const opinions = results.map(({ result }) => result.opinion)
  const halting = opinions.find(({ halt }) => halt)
  const replaced = opinions.findLast(({ updatedToolOutput }) => updatedToolOutput !== undefined)
  const instructions = opinions.flatMap((opinion) => opinion.instructions ?? [])
  const context = results.flatMap(({ hook, result }) =>
    result.opinion.context.map(({ text, kind }) => ({ text, from: { hook, kind } })),
  )
  return {
    halt: halting !== undefined,
    stopReason: halting?.stopReason ?? null,
    ...MERGES[row.merges](opinions),
    updatedToolOutput: replaced?.updatedToolOutput ?? null,
    context: context.map(({ text }) => text),
    contextFrom: context.map(({ from }) => from),
    instructions: instructions.length > 0 ? instructions.join('\n\n') : null,
    messages: results.flatMap(({ hook, result }) => messagesOf(result, row, hook)),
  }
}
