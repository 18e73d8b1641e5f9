import type { ConfiguredHook } from '../config/hook.ts'
import type { Plan } from '../match/plan.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { Result } from '../read/result.ts'
import type { Run } from '../run/run.ts'
import type { Erase } from '../text/erase.ts'
import type { Session } from './session.ts'

/** Verdicts under which an event's hooks are skipped as a whole. */
const SKIPPING = new Set(['untrusted', 'policy-off', 'disabled'])

/** Which hooks an event found, in the words that Claude Code's own debug log has for it. */
export function logPlan({ log }: Session, row: EventRow, input: EventInput, { lines, runs }: Plan): void {
  if (log === null) return
  const value = row.matchOn === null ? null : String(input[row.matchOn])
  const label = value === null ? row.name : `${row.name}:${value}`
  log('DEBUG', () => `Executing hooks for ${label}`)
  log('DEBUG', () => `Getting matching hook commands for ${row.name} with query: ${value}`)
  log('DEBUG', () => `Found ${lines.length} hook matchers in settings`)
  log('DEBUG', () => `Matched ${runs.length} hooks for query "${value}"`)
  log('DEBUG', () => `Found ${runs.length} hook commands to execute`)
  for (const { id, verdict, because } of lines) {
    if (SKIPPING.has(verdict)) log?.('DEBUG', () => `Skipping ${id} for ${label}: ${verdict}, ${because}`)
  }
}

export function logStart({ log }: Session, hook: ConfiguredHook, timeoutMs: number | null): void {
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
  { log }: Session,
  hook: ConfiguredHook,
  { run, result, erase = (text) => text }: { run: Run; result: Result; erase?: Erase | undefined },
): void {
  if (log === null) return
  log('DEBUG', () => erase(ending(run, hook)))
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

function ending(run: Run, { id }: ConfiguredHook): string {
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
