import type { Plan } from '../match/plan.ts'
import type { DebugLog } from './debug-log.ts'
import type { FiredEvent, Stage } from './pipe.ts'

/** Verdicts under which an event's hooks are skipped as a whole. */
const SKIPPING = new Set(['untrusted', 'policy-off', 'disabled'])

/** Logs which hooks an event finds. */
export const loggedPlan: Stage = {
  plan: ({ log }, { row, input }, planned) => {
    if (log !== null) logPlan(log, { row, input }, planned)
    return planned
  },
}

/** Logs a plan in the words that Claude Code's own debug log has for it. */
function logPlan(log: DebugLog, { row, input }: Pick<FiredEvent, 'row' | 'input'>, { lines, runs }: Plan): void {
  const value = row.matchOn === null ? null : String(input[row.matchOn])
  const label = value === null ? row.name : `${row.name}:${value}`
  log('DEBUG', () => `Executing hooks for ${label}`)
  const query = value === null ? '' : ` with query: ${value}`
  log('DEBUG', () => `Getting matching hook commands for ${row.name}${query}`)
  log('DEBUG', () => `Found ${lines.length} hook matchers in settings`)
  log('DEBUG', () => `Matched ${runs.length} hooks${value === null ? '' : ` for query "${value}"`}`)
  log('DEBUG', () => `Found ${runs.length} hook commands to execute`)
  for (const { id, verdict, because } of lines) {
    if (SKIPPING.has(verdict)) log('DEBUG', () => `Skipping ${id} for ${label}: ${verdict}, ${because}`)
  }
}
