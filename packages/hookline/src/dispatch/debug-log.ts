import type { ConfiguredHook } from '../config/hook.ts'
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

/** Logs that a hook is started. */
export function logStart(log: DebugLog, hook: ConfiguredHook, timeoutMs: number | null): void {
  const timeout = timeoutMs === null ? 'no timeout' : `timeout ${timeoutMs}ms`
  log('DEBUG', () =>
    hook.shown.asks === undefined
      ? `Executing hook command: ${hook.shown.shell ?? hook.id} with ${timeout}`
      : `Asking ${hook.shown.asks} for ${hook.written.type} hook ${hook.id} with ${timeout}`,
  )
}

/** Logs what became of a hook, without texts that the decision may still erase. */
export function logEnd(
  log: DebugLog,
  hook: ConfiguredHook,
  { run, result, erase = (text) => text }: { run: Run; result: Result; erase?: Erase | undefined },
): void {
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
