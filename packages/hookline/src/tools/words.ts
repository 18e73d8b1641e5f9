import { lineRuns } from '../protocol/hook-line.ts'
import type { DispatchRecord, HookLine, Message } from '../protocol/record.ts'

/** What the model reads of hooks. Hosts agree on these texts word for word. */

/** A call that hooks refused. */
export function refusalOf(record: DispatchRecord, tool: string): string {
  const said = objectionsOf(record).join('\n') || record.decision.reason || 'refused without a reason'
  return `${record.event}:${tool} hook error: ${said}`
}

/** What hooks have against a call that has already been made, one text a hook. */
export function feedbackOf(record: DispatchRecord, tool: string): string[] {
  return objecting(record).map(
    ({ text, hook }) => `${record.event}:${tool} hook blocking error: ${named(text, lineOf(record, hook))}`,
  )
}

/** What hooks add for the model, one text each; `matched` is what their matchers were tested against. */
export function contextsOf({ event, decision }: DispatchRecord, matched?: string): string[] {
  const where = matched === undefined ? event : `${event}:${matched}`
  return decision.context.map((text, at) => {
    const what = decision.contextFrom[at]?.kind === 'stdout' ? 'hook success' : 'hook additional context'
    return `${where} ${what}: ${text}`
  })
}

/** The same, each in a block of its own. */
export function remindersOf(record: DispatchRecord, matched?: string): string[] {
  return contextsOf(record, matched).map(reminder)
}

/** What hooks object, as the model reads it. */
export function objectionsOf(record: DispatchRecord): string[] {
  return objecting(record).map(({ text }) => escaped(text))
}

const TAG = 'system-reminder'
const DELIMITER = new RegExp(`<(?=\\s*/?\\s*${TAG})`, 'gi')

/** Wraps text that the user did not write. */
export function reminder(text: string): string {
  return `<${TAG}>\n${escaped(text)}\n</${TAG}>`
}

/** A text of a hook in which nothing looks like that wrapping: no hook can forge the host's own words. */
export function escaped(text: string): string {
  return text.replace(DELIMITER, '&lt;')
}

const objecting = ({ decision }: DispatchRecord): Message[] => decision.messages.filter(({ to }) => to === 'model')

const lineOf = ({ hooks }: DispatchRecord, hook: string): HookLine | undefined => hooks.find(({ id }) => id === hook)

/** stderr has the hook's name before it already, the reason of a JSON answer has not. */
function named(text: string, line: HookLine | undefined): string {
  const name = line && (lineRuns(line) ?? line.id)
  return name === undefined || text.startsWith(`[${name}]:`) ? text : `[${name}]: ${text}`
}
