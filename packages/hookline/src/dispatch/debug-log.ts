import type { ConfiguredHook } from '../config/hook.ts'
import type { Plan } from '../match/plan.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { Result } from '../read/result.ts'
import type { Run } from '../run/run.ts'
import { removeControls } from '../text/clean.ts'
import type { Erase } from '../text/erase.ts'
import { toReadableLines } from '../text/visible.ts'

/** Target of a debug log, and its categories. */
export interface DebugOptions {
  readonly categories: readonly string[]
  readonly write: (line: string) => void
}

/** Writes a line of the debug log; the text is made only when the log is read. */
export type DebugLog = (level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR', text: () => string) => void

/** The log of one category; null unless the host asked for it. */
export function openDebugLog(debug: DebugOptions | undefined, category: string): DebugLog | null {
  if (!debug?.categories.includes(category)) return null
  return (level, text) => debug.write(`[${level}] ${toLogLine(text())}`)
}

/** Turns words of a hook or a provider into one line, so that they cannot look like a line of the log. */
function toLogLine(text: string): string {
  return toReadableLines(removeControls(text)).trimEnd().replaceAll('\n', '\\n')
}

/** Log of a session. */
interface LogHolder {
  readonly log: DebugLog | null
}

/** Verdicts under which an event's hooks are skipped as a whole. */
const SKIPPING = new Set(['untrusted', 'policy-off', 'disabled'])

/** Logs which hooks an event found, in the words that Claude Code's own debug log has for it. */
export function logPlan({ log }: LogHolder, row: EventRow, input: EventInput, { lines, runs }: Plan): void {
  if (log === null) return
  const value = row.matchOn === null ? null : String(input[row.matchOn])
  const label = value === null ? row.name : `${row.name}:${value}`
  log('DEBUG', () => `Executing hooks for ${label}`)
  const query = value === null ? '' : ` with query: ${value}`
  log('DEBUG', () => `Getting matching hook commands for ${row.name}${query}`)
  log('DEBUG', () => `Found ${lines.length} hook matchers in settings`)
  log('DEBUG', () => `Matched ${runs.length} hooks${value === null ? '' : ` for query "${value}"`}`)
  log('DEBUG', () => `Found ${runs.length} hook commands to execute`)
  for (const { id, verdict, because } of lines) {
    if (SKIPPING.has(verdict)) log?.('DEBUG', () => `Skipping ${id} for ${label}: ${verdict}, ${because}`)
  }
}

/** Logs that a hook is started. */
export function logStart({ log }: LogHolder, hook: ConfiguredHook, timeoutMs: number | null): void {
  if (log === null) return
  const timeout = timeoutMs === null ? 'no timeout' : `timeout ${timeoutMs}ms`
  log('DEBUG', () =>
    hook.shown.asks === undefined
      ? `Executing hook command: ${hook.shown.shell ?? hook.id} with ${timeout}`
      : `Asking ${hook.shown.asks} for ${hook.written.type} hook ${hook.id} with ${timeout}`,
  )
}

/** Logs what became of a hook, without texts that the decision may still erase. */
export function logEnd(
  { log }: LogHolder,
  hook: ConfiguredHook,
  { run, result, erase = (text) => text }: { run: Run; result: Result; erase?: Erase | undefined },
): void {
  if (log === null) return
  log('DEBUG', () => erase(describeEnding(run, hook)))
  log(
    'DEBUG',
    () =>
      `Answer of ${hook.id} after ${run.durationMs}ms read as ${result.answer === null ? 'text or nothing' : 'JSON'}: ${result.outcome}`,
  )
  const { failed, opinion } = result
  if (failed !== null) log('WARN', () => `Hook ${hook.id} failed: ${erase(failed)}`)
  if (opinion.halt)
    log('INFO', () => `Hook ${hook.id} requested stop: ${erase(opinion.stopReason ?? 'no reason given')}`)
}

function describeEnding(run: Run, { id }: ConfiguredHook): string {
  if ('usage' in run) {
    const { model, attempts, usage } = run
    const said = run.ended === 'judged' ? `: ${run.text}` : ''
    const tokens = `${usage.inputTokens ?? 'unknown'} input and ${usage.outputTokens ?? 'unknown'} output tokens`
    return `Model ${model ?? '(none)'} for ${id}: ${run.ended}, asked ${attempts} times, ${tokens}${said}`
  }
  const status = run.ended === 'exited' ? `status ${run.code}` : run.ended
  const stdout = 'stdout' in run ? run.stdout.kept.toString('utf8') : ''
  return `Hook command completed with ${status}: ${stdout}`
}
