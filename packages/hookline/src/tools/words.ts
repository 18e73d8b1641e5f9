import type { AnyEngine } from '../engine/engine-interface.ts'
import { readRuns } from '../protocol/record/hook-line.ts'
import type { Decision, DispatchRecord, HookLine, Message } from '../protocol/record/record.ts'

/** Texts that the model reads of hooks. Hosts agree on these texts word for word. */

/** A call that hooks refused. */
export function formatRefusal(record: DispatchRecord, tool: string): string {
  const said = listObjections(record).join('\n') || record.decision.reason || 'refused without a reason'
  return `${record.event}:${tool} hook error: ${said}`
}

/** Lists what hooks have against calls that have already been made, one text a hook; `matched` is the tool of a single one. */
export function listFeedback(record: DispatchRecord, matched?: string): string[] {
  const where = nameEvent(record, matched)
  return listObjecting(record).map(
    ({ text, hook }) => `${where} hook blocking error: ${nameHook(text, findHookLine(record, hook))}`,
  )
}

/**
 * Lists what hooks add for the model, one text each, and why they stopped the turn where the model is to know it. `matched` is what
 * their matchers were tested against.
 */
export function listContexts(record: DispatchRecord, matched?: string): string[] {
  const { decision } = record
  const where = nameEvent(record, matched)
  const contexts = decision.context.map((text, at) => {
    const what = decision.contextFrom[at]?.kind === 'stdout' ? 'hook success' : 'hook additional context'
    return `${where} ${what}: ${text}`
  })
  const stopped = decision.messages.some((message) => isStopReason(decision, message))
  return stopped ? [...contexts, `${where} hook stopped continuation: ${decision.stopReason}`] : contexts
}

const nameEvent = ({ event }: DispatchRecord, matched: string | undefined): string =>
  matched === undefined ? event : `${event}:${matched}`

/** True if a text says why a hook stopped the turn; it objects to nothing. */
const isStopReason = ({ halt, stopReason }: Decision, { to, text }: Message): boolean =>
  halt && to === 'model' && text === stopReason

/** The same, each in a block of its own. */
export function listReminders(record: DispatchRecord, matched?: string): string[] {
  return listContexts(record, matched).map(wrapReminder)
}

/** Lists what hooks object, as the model reads it. */
export function listObjections(record: DispatchRecord): string[] {
  return listObjecting(record).map(({ text }) => escapeReminder(text))
}

/** The instruction with which an agent goes on that wanted to stop. */
export function formatStopFeedback(record: DispatchRecord): string {
  return `Stop hook feedback:\n${listObjections(record).join('\n') || 'go on'}`
}

/** Formats what there is instead of an answer to a prompt that hooks dropped. It does not quote the prompt, and neither does the record. */
export function formatBlockedPrompt({ event, decision }: DispatchRecord): string {
  return `${event} operation blocked by hook:\n${decision.reason ?? 'no reason was given'}`
}

/** Reason why a hook ended the turn, for the user. */
export function readHaltReason({ decision }: DispatchRecord): string {
  return decision.stopReason ?? 'Stopped by hook'
}

/** Lists what a background hook tells the model when it has ended, one text each. */
export function listLateContexts({
  hook,
  context,
  messages,
}: ReturnType<AnyEngine['takeDeliveries']>[number]): string[] {
  const objections = messages.filter(({ to }) => to === 'model').map(({ text }) => text)
  return [...context.map((text) => `Async hook ${hook} additional context: ${text}`), ...objections]
}

const TAG = 'system-reminder'
const DELIMITER = new RegExp(`<(?=\\s*(?:/\\s*)?${TAG})`, 'gi')

/** Wraps text that the user did not write. */
export function wrapReminder(text: string): string {
  return `<${TAG}>\n${escapeReminder(text)}\n</${TAG}>`
}

/** A text of a hook in which nothing looks like that wrapping: no hook can forge the host's own words. */
export function escapeReminder(text: string): string {
  return text.replace(DELIMITER, '&lt;')
}

const listObjecting = ({ decision }: DispatchRecord): Message[] =>
  decision.messages.filter((message) => message.to === 'model' && !isStopReason(decision, message))

const findHookLine = ({ hooks }: DispatchRecord, hook: string): HookLine | undefined =>
  hooks.find(({ id }) => id === hook)

/** stderr has the hook's name before it already, the reason of a JSON answer has not. */
function nameHook(text: string, line: HookLine | undefined): string {
  const name = line && (readRuns(line) ?? line.id)
  return name === undefined || text.startsWith(`[${name}]:`) ? text : `[${name}]: ${text}`
}
