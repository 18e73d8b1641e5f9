import type { LogLine } from '../../../log/log-line.ts'
import type { Profile } from '../../../protocol/profile.ts'
import type { HookLine, PastRecord } from '../../../protocol/record.ts'
import { widthOf } from '../../../text/width.ts'
import { clipped, shownDuration } from '../../view/layout.ts'
import type { Paint, Terminal } from '../../view/terminal.ts'

const LABEL = 20
const OUTCOME = 7

/** Shows lines of a log one after the other; each day begins with its date. */
export function logView({ width, paint }: Terminal, profiles: readonly Profile[]): (line: LogLine) => string[] {
  let lastDay = ''
  return (line) => {
    const { day, time } = localTime(line.record.at)
    const isNew = day !== lastDay
    lastDay = day
    const [outcome, colour] = summaryOf(line.record)
    const label = clipped(labelOf(line, profiles), Math.max(LABEL, width - 60))
    const start = `${time}  ${label}${' '.repeat(Math.max(0, LABEL - widthOf(label)))}  `
    const told = clipped(whatHappened(line), Math.max(10, width - widthOf(start) - OUTCOME - 2))
    return [
      ...(isNew ? [paint.bold(day)] : []),
      `${start}${paint[colour](outcome)}${' '.repeat(OUTCOME - outcome.length)}  ${told}`,
    ]
  }
}

/** A hook's id without the event, which stands beside it. */
export function shortId(id: string, event: string): string {
  return id.replace(`:${event}:`, ':')
}

/** The other agent whose event it was; null when a bridge had no part in it. */
export function agentOf({ input }: LogLine): string | null {
  const host = input?.host
  if (typeof host !== 'object' || host === null || !('agent' in host)) return null
  return typeof host.agent === 'string' ? host.agent : null
}

function localTime(at: string): { day: string; time: string } {
  const date = new Date(at)
  const two = (number: number): string => String(number).padStart(2, '0')
  return {
    day: `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
    time: [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':'),
  }
}

/** The event, and what its matchers were tested against. */
function labelOf({ record, input }: LogLine, profiles: readonly Profile[]): string {
  const profile = profiles.find(({ name }) => name === record.profile)
  const field = profile?.events.get(record.event)?.matchOn
  const value = field ? input?.[field] : undefined
  return typeof value === 'string' ? `${record.event}:${value}` : record.event
}

function summaryOf({ decision, hooks }: PastRecord): [string, keyof Paint] {
  if (decision.halt) return ['halted', 'red']
  if (decision.blocked) return [decision.permission === 'deny' ? 'denied' : 'blocked', 'red']
  if (decision.permission === 'ask') return ['asks', 'yellow']
  if (decision.permission === 'defer') return ['defers', 'yellow']
  if (decision.permission === 'allow') return ['allowed', 'green']
  return hooks.some(hasRun) ? ['passed', 'green'] : ['-', 'dim']
}

function hasRun({ outcome, verdict }: HookLine): boolean {
  return outcome !== undefined || verdict === 'backgrounded'
}

/** The hooks that said something with their times, how many did not, and why the event ended as it did. */
function whatHappened(line: LogLine): string {
  const { record } = line
  const { hooks, decision, event, notices = [] } = record
  const agent = agentOf(line)
  const ran = hooks.filter(hasRun)
  const spoke = ran.filter((hook) => hasSpoken(hook, record))
  const silent = ran.length - spoke.length
  const who = [
    ...(agent === null ? [] : [`agent: ${agent}`]),
    ...spoke.map((hook) => `${shortId(hook.id, event)} ${ending(hook)}`),
    ...(silent > 0 ? [`${silent} silent${spoke.length === 0 ? ` ${longest(ran)}` : ''}`] : []),
    ...(ran.length === 0 ? [line.tapped === undefined ? 'no hook ran' : 'seen by hookline tap'] : []),
  ].join(', ')
  const why = [decision.halt ? decision.stopReason : null, decision.reason, ...notices].filter((text) => text !== null)
  return why.length === 0 ? who : `${who}: ${why.join('; ')}`
}

/** Whether the model or the user could notice that a hook ran. */
function hasSpoken({ id, outcome, answer, verdict }: HookLine, { decision }: PastRecord): boolean {
  if (verdict === 'backgrounded' || outcome !== 'success' || (answer !== null && answer !== undefined)) return true
  return [...decision.contextFrom, ...decision.messages].some(({ hook }) => hook === id)
}

function ending({ verdict, outcome, timedOut, failed, durationMs = 0 }: HookLine): string {
  if (verdict === 'backgrounded') return 'in background'
  if (timedOut) return `timed out ${shownDuration(durationMs)}`
  const word = outcome === 'non_blocking_error' || failed !== undefined ? 'failed ' : ''
  return `${word}${shownDuration(durationMs)}`
}

function longest(lines: readonly HookLine[]): string {
  return shownDuration(Math.max(...lines.map(({ durationMs = 0 }) => durationMs)))
}
