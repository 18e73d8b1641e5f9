import type { DispatchRecord, HookLine, Message } from '../protocol/record.ts'

/** What the model reads of a call that hooks refused (PROTOCOL.md, section 14). */
export function refusalOf(record: DispatchRecord, tool: string): string {
  const said = objections(record).map(({ text }) => text)
  return `${record.event}:${tool} hook error: ${said.join('\n') || record.decision.reason || 'refused without a reason'}`
}

/** What hooks object to a call that has already been made, each text in a block of its own. */
export function feedbackOf(record: DispatchRecord, tool: string): string[] {
  return objections(record).map(({ text, hook }) =>
    reminder(`${record.event}:${tool} hook blocking error: ${named(text, lineOf(record, hook))}`),
  )
}

/** What hooks add for the model, each text in a block of its own; `matched` is what their matchers were tested against. */
export function remindersOf({ event, decision }: DispatchRecord, matched?: string): string[] {
  const where = matched === undefined ? event : `${event}:${matched}`
  return decision.context.map((text, at) => {
    const what = decision.contextFrom[at]?.kind === 'stdout' ? 'hook success' : 'hook additional context'
    return reminder(`${where} ${what}: ${text}`)
  })
}

const TAG = 'system-reminder'
const DELIMITER = new RegExp(`<(?=\\s*/?\\s*${TAG})`, 'gi')

/** Wraps what a hook says. What looks like the wrapping inside it is escaped: no hook can end its block. */
function reminder(text: string): string {
  return `<${TAG}>\n${text.replace(DELIMITER, '&lt;')}\n</${TAG}>`
}

const objections = ({ decision }: DispatchRecord): Message[] => decision.messages.filter(({ to }) => to === 'model')

const lineOf = ({ hooks }: DispatchRecord, hook: string): HookLine | undefined => hooks.find(({ id }) => id === hook)

/** stderr has the hook's name before it already, the reason of a JSON answer has not. */
function named(text: string, line: HookLine | undefined): string {
  const name = line?.command ?? line?.prompt ?? line?.id
  return name === undefined || text.startsWith(`[${name}]:`) ? text : `[${name}]: ${text}`
}
