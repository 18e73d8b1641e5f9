import { formatProblem, type Problem } from '../config/problem.ts'
import type { Session } from '../dispatch/pipe.ts'
import { findShortage } from '../process/system-error.ts'
import type { DispatchRecord } from '../protocol/record/record.ts'
import { removeControls } from '../text/clean.ts'
import { listHooks } from './listing.ts'

/** Fault of something that was configured and can never run here. */
export interface HookFault {
  /** The hook; null where not even that can be said, as of a misspelt event. */
  readonly hook: string | null
  /** Place of the hook, and the reason why it does not run. */
  readonly text: string
}

/** Rules about groups and events: what breaks them never becomes a hook that could be listed. */
const OUTSIDE_HOOKS: readonly string[] = ['V-HK-02', 'V-HK-03', 'V-HK-49']

/** Lists what was configured and can never run here; a hook that only waits for trust is not among them. */
export function listFaults(session: Session, problems: readonly Problem[]): HookFault[] {
  const unable = listHooks(session).flatMap(({ hook, standing }) =>
    standing.verdict === 'invalid' || standing.verdict === 'unsupported' ? [{ hook, because: standing.because }] : [],
  )
  const isListed = ({ file, line }: Problem): boolean =>
    unable.some(({ hook }) => hook.file === file && hook.line === line)
  const outside = problems.filter((problem) => OUTSIDE_HOOKS.includes(problem.rule) && !isListed(problem))
  return [
    ...outside.map((problem) => ({ hook: null, text: formatProblem(problem) })),
    ...unable.map(({ hook, because }) => ({
      hook: hook.id,
      text: `${hook.file === null ? hook.id : `${hook.file}:${hook.line}`}  This ${hook.event} hook does not run: ${because}.`,
    })),
  ]
}

/**
 * Finds the shortage of the system for which a hook of an event was not started; null where there was none. A program that is not
 * there is the hook's own fault, as in Claude Code; a system that has no room for it is not.
 */
export function findStartShortage({ hooks, decision: { messages } }: DispatchRecord): string | null {
  const unstarted = hooks.filter(
    ({ outcome, exitCode, signal }) =>
      outcome === 'non_blocking_error' && typeof exitCode !== 'number' && typeof signal !== 'string',
  )
  const texts = messages.flatMap(({ hook, text }) => (unstarted.some(({ id }) => id === hook) ? [text] : []))
  return texts.map(findShortage).find((one) => one !== null) ?? null
}

/** The most faults that are named; the others are counted. */
const MAX_FAULTS = 10

/** Puts faults into the record that comes next. */
export function noteFaults({ told, notices, log }: Session, faults: readonly HookFault[]): void {
  for (const { hook, text } of faults.slice(0, MAX_FAULTS)) {
    notices.push(removeControls(text))
    log?.('WARN', () => text)
    if (hook !== null) told.add(hook)
  }
  if (faults.length > MAX_FAULTS)
    notices.push(`${faults.length - MAX_FAULTS} more hooks do not run: hookline validate names them all.`)
}
