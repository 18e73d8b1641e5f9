import type { DispatchRecord, HookLine } from 'hookline'
import { readRuns } from 'hookline/internal'
import { listObjections } from 'hookline/tools'

/** Texts that the model and the user read of hooks besides calls. Hosts agree on these texts word for word. */

/** The words with which a task stays open, or a teammate goes back to work. */
export function formatHookFeedback(record: DispatchRecord): string {
  return `${record.event} hook feedback:\n${listObjections(record).join('\n') || 'go on'}`
}

/** True if a text is an objection to a prompt, of which `blockedPrompt` speaks. */
export function isObjection({ outcome, answer }: HookLine, text: string): boolean {
  return outcome === 'blocking' && text !== answer?.systemMessage
}

/** Formats what the user who typed a prompt reads when hooks dropped it, once: it is kept nowhere else. Some hooks do not want it shown. */
export function formatBlockedPromptForUser(
  { error, hidesPrompt }: { readonly error: string; readonly hidesPrompt?: true },
  prompt: string,
): string {
  return hidesPrompt ? error : `${error}\n\nOriginal prompt: ${prompt}`
}

/** True if the prompt is not shown beside the reason: a hook says so, or none objected and one that failed blocks by its `onFailure`. */
export function isPromptHidden({ decision, hooks }: DispatchRecord): boolean {
  const blocking = hooks.filter(({ outcome, failed }) => outcome === 'blocking' || failed !== undefined)
  const onlyFailed = blocking.length > 0 && blocking.every(({ failed = '' }) => /^(failed|timed out)$/.test(failed))
  return decision.suppressOriginalPrompt === true || onlyFailed
}

/** True if a hook's texts are what it printed, of which `compactionLines` and `endFailures` speak. */
export function isPrinted({ answer = null }: HookLine): boolean {
  return answer === null
}

/** Formats what the user reads of a compaction that hooks blocked. */
export function formatBlockedCompaction(record: DispatchRecord): string {
  return `Compaction blocked by PreCompact hook: ${formatObjection(record)}`
}

/** Formats what hooks object, for a user who is told in words of the host. */
export function formatObjection({ decision }: DispatchRecord): string {
  const said = decision.messages.filter(({ to }) => to === 'user').map(({ text }) => text)
  return said.join('\n') || (decision.reason ?? 'no reason was given')
}

/** Formats what the user reads of the hooks of a compaction, one line each. */
export function formatCompactionLines(record: DispatchRecord): string[] {
  return listRanLines(record).map((line) => {
    const said = readPrinted(record, line)
    return `PreCompact [${nameHookLine(line)}] ${describeEnding(line)}${said === '' ? '' : `: ${said}`}`
  })
}

function describeEnding(line: HookLine): string {
  if (line.outcome === 'success') return 'completed successfully'
  return isInterrupted(line) ? 'was interrupted' : 'failed'
}

/** True if the host gave up on a hook, as when the user presses Esc: it neither failed nor ran out of time or turns. */
export function isInterrupted({ outcome, timedOut, turns }: HookLine): boolean {
  return outcome === 'cancelled' && timedOut !== true && turns === undefined
}

/** Lists what stderr carries of hooks that failed when the session ended and said why. */
export function listEndFailures(record: DispatchRecord): string[] {
  return listRanLines(record).flatMap((line) => {
    const said = line.outcome === 'success' ? '' : readPrinted(record, line)
    return said === '' ? [] : `SessionEnd hook [${nameHookLine(line)}] failed: ${said}`
  })
}

/** Formats what a hook printed for the model, as its output. */
export function formatPrinted({ event, hooks }: DispatchRecord, hook: string, text: string): string {
  const line = hooks.find(({ id }) => id === hook)
  return `${event} hook [${line ? nameHookLine(line) : hook}]: ${text}`
}

/** Reason why a halt happened. */
export function describeHalt({ decision }: DispatchRecord): string {
  return decision.stopReason ?? 'Stopped by hook'
}

const listRanLines = ({ hooks }: DispatchRecord): HookLine[] => hooks.filter(({ verdict }) => verdict === 'ran')

/** A hook as the user configured it. */
function nameHookLine(line: HookLine): string {
  return readRuns(line) ?? line.id
}

const FAILURE = /^Failed with non-blocking status code: /

/** Reads what a hook printed, stdout first, without what the engine put around it; an answer in JSON is not for reading. */
function readPrinted({ decision }: DispatchRecord, line: HookLine): string {
  const { stdoutBytes = 0, stderrBytes = 0 } = line
  if (!isPrinted(line) || stdoutBytes + stderrBytes === 0) return '' // words of the engine about it are no output
  const named = `[${nameHookLine(line)}]: `
  const texts = decision.messages.filter(({ hook }) => hook === line.id).map(({ text }) => text)
  const errors = texts.filter((text) => text.startsWith(named) || FAILURE.test(text))
  const longest = errors.reduce((one, other) => (other.length > one.length ? other : one), '') // the first line stands alone too
  const error = longest.startsWith(named) ? longest.slice(named.length) : longest.replace(FAILURE, '')
  const printed = texts.filter((text) => !errors.includes(text))
  const isReason = longest.startsWith(named) // of exit 2, which may come from stdout
  return [...printed, stderrBytes > 0 || isReason ? error : ''].join('\n').trim()
}
