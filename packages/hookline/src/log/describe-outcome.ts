import { readRuns } from '../protocol/record/hook-line.ts'
import type { HookLine, PastRecord } from '../protocol/record/record.ts'
import { hasFailed, hasRun } from './query.ts'

/** Outcome of an event, in a word; `-`: no hook ran. */
export type OutcomeWord = 'halted' | 'denied' | 'blocked' | 'FAILED' | 'asks' | 'defers' | 'allowed' | 'passed' | '-'

/** Names what became of an event, in a word. A hook that failed is told unless another one decided. */
export function nameOutcome({ decision, hooks }: PastRecord): OutcomeWord {
  if (decision.halt) return 'halted'
  if (decision.blocked) return decision.permission === 'deny' ? 'denied' : 'blocked'
  if (hooks.some(hasFailed)) return 'FAILED'
  if (decision.permission === 'ask') return 'asks'
  if (decision.permission === 'defer') return 'defers'
  if (decision.permission === 'allow') return 'allowed'
  return hooks.some(hasRun) ? 'passed' : '-'
}

/** True if the model or the user could notice that a hook ran. */
export function hasSpoken({ id, outcome, answer, verdict }: HookLine, { decision }: PastRecord): boolean {
  if (verdict === 'backgrounded' || outcome !== 'success' || (answer !== null && answer !== undefined)) return true
  return [...decision.contextFrom, ...decision.messages].some(({ hook }) => hook === id)
}

/** Explains why the event ended as it did: the reason of a decision, the words of hooks that failed, and notices. */
export function describeReasons(record: PastRecord): string {
  const { decision, hooks, notices = [] } = record
  const isDecided = decision.blocked || decision.halt
  const failures = isDecided
    ? []
    : hooks.filter(hasFailed).map((line) => `${describeFailure(line, record)} (did not block)`)
  const reasons = [decision.halt ? decision.stopReason : null, decision.reason].filter((text) => text !== null)
  return [...failures, ...reasons, ...notices].join('; ')
}

/** Text in front of a hook's own words in a message about its failure. */
const FAILURE_PREFIX = /^(?:\[[^\]]*\]: |Failed with non-blocking status code: )+/

/** Describes how a hook failed: its exit code, and the first line of what it wrote. */
function describeFailure({ id, exitCode, signal, timedOut, failed }: HookLine, { decision }: PastRecord): string {
  const told = decision.messages.find(({ hook }) => hook === id)?.text.replace(FAILURE_PREFIX, '') ?? ''
  const [words = ''] = told.trim().split('\n', 1)
  const code = typeof exitCode === 'number' ? `exit ${exitCode}` : (signal ?? 'failed')
  const end = timedOut ? 'timed out' : (failed ?? code)
  if (words === '' || words.startsWith(end)) return words || end
  return `${end}: ${words}`
}

/** A word of a command, quoted parts included. */
const COMMAND_WORD = /(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])+/g
/** A file with one of these endings is a script, whatever stands before it. */
const SCRIPT = /\.(?:sh|bash|zsh|fish|py|js|mjs|cjs|ts|mts|rb|pl|php|lua|ps1|cmd|bat|exe)$/i

/** Finds the script that a command runs, without its folder; null where it runs none. */
export function findScriptName(line: HookLine): string | null {
  return line.command === undefined ? null : findCommandScript(readRuns(line) ?? '')
}

/** Finds the script in the text of a command. */
export function findCommandScript(command: string): string | null {
  const words = command.match(COMMAND_WORD) ?? []
  const plain = words.map((word) => word.replaceAll(/["']/g, '').replace(/(?<![;&|)])[;&|)]+$/, ''))
  const [program = ''] = plain
  const script = plain.find((word) => SCRIPT.test(word)) ?? (program.includes('/') ? program : undefined)
  return script === undefined ? null : script.replace(/^.*[/\\]/, '')
}
