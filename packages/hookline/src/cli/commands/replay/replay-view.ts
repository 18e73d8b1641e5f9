import { formatPath } from '../../../files/paths.ts'
import { describeEvent } from '../../../log/describe-event.ts'
import type { Subject } from '../../../protocol/event-subject.ts'
import type { ReplayOutcome } from '../../../replay/outcome.ts'
import type { Leftovers, PastEvent } from '../../../replay/past-event.ts'
import type { PlannedEvent, ReplayedEvent } from '../../../replay/replay.ts'
import { countDifferences, type Totals } from '../../../replay/totals.ts'
import { formatHanging } from '../../view/hook-view.ts'
import { clipText, formatColumns, indentText } from '../../view/layout.ts'
import type { Terminal } from '../../view/terminal.ts'

/** One and many of what events are about. */
const SUBJECT_NAMES: Readonly<Record<Subject, readonly [one: string, many: string]>> = {
  prompt: ['prompt', 'prompts'],
  call: ['call', 'calls'],
  result: ['result', 'results'],
  failure: ['failure', 'failures'],
  stop: ['stop', 'stops'],
  other: ['other event', 'other events'],
}

/** Words for a refusal of each of them. */
const REFUSED: Readonly<Record<Subject, string>> = {
  prompt: 'dropped',
  call: 'refused',
  result: 'objected to',
  failure: 'objected to',
  stop: 'sent on',
  other: 'blocked',
}

/** Parties that refused something then. */
const REFUSER: Readonly<Record<keyof Totals['refusedThen'], string>> = {
  hook: 'by a hook',
  person: 'by the user',
  rule: 'by a rule',
}

/** An event that is decided otherwise, for people: then and now, where it stands, who says so and why. */
export function formatDifference({ event, now, against }: ReplayedEvent, { width, paint }: Terminal): string[] {
  const then = against === undefined ? describeThen(event) : describeNow(event, against)
  const is = describeNow(event, now)
  const colour = now?.is === 'passed' ? paint.green : paint.red
  return [
    `  ${paint.bold(clipText(describeSubject(event), width - 2))}`,
    formatHanging(against === undefined ? 'then' : 'against', then, width),
    colour(formatHanging('now', is === then ? `${is}, with different text` : is, width)),
    ...(now === null || now.by.length === 0 ? [] : [formatHanging('by', now.by.join(', '), width)]),
    ...(now?.reason ? [formatHanging('because', now.reason, width)] : []),
    formatHanging('where', formatPlace(event), width),
  ]
}

/** An event that is decided alike, on one line. */
export function formatAlike({ event, now }: ReplayedEvent, { width }: Terminal): string {
  return clipText(`  ${describeNow(event, now).padEnd(11)}  ${describeSubject(event)}`, width)
}

/** Formats what it all comes to. */
export function formatTotals(
  totals: Totals,
  leftovers: Leftovers,
  { terminal, sessions, ran }: { terminal: Terminal; sessions: number; ran: boolean },
): string[] {
  const { width, paint } = terminal
  const subjects = Object.keys(SUBJECT_NAMES) as Subject[] // the table's own keys
  const held = subjects
    .filter((subject) => totals.events[subject] > 0)
    .map((subject) => formatSubjectCount(totals, subject))
  const changes = ran ? subjects.flatMap((subject) => listSubjectChanges(totals, subject)) : []
  const colour = countDifferences(totals) > 0 ? paint.yellow : paint.green
  return [
    indentText(`${formatAmount(sessions, 'session', 'sessions')}: ${held.join(', ') || 'no event'}.`, '', width),
    ...changes.map((line) => colour(line)),
    ...formatLeftovers(totals, leftovers).map((line) => paint.dim(indentText(line, '', width))),
  ]
}

/** Formats how often each hook would run. */
export function formatHookCounts({ hooks }: Totals, { width }: Terminal): string[] {
  if (hooks.size === 0) return ['No hook would run.']
  const rows = [...hooks].sort(([, a], [, b]) => b - a).map(([id, times]) => [`  ${times} ×`, id])
  return formatColumns(rows, width)
}

function listSubjectChanges(totals: Totals, subject: Subject): string[] {
  const all = `${totals.events[subject]} ${SUBJECT_NAMES[subject][totals.events[subject] === 1 ? 0 : 1]}`
  const lines: [number, string][] = [
    [totals.refused[subject], `newly ${REFUSED[subject]}`],
    [totals.asked[subject], 'newly asked about'],
    [totals.deferred[subject], 'newly deferred'],
    [totals.milder[subject], `no longer ${REFUSED[subject]}`],
    [totals.other[subject], 'same decision, different text or input'],
  ]
  return lines
    .filter(([count], at) => count > 0 || (at === 0 && subject === 'call' && totals.events.call > 0))
    .map(([count, words]) => `${count} of ${all} ${words}`)
}

function formatLeftovers(
  { modelHooks, untrusted, unfit, refusedThen }: Totals,
  { skipped, torn }: Leftovers,
): string[] {
  const lines = [...skipped.values()].reduce((sum, count) => sum + count, 0)
  const kinds = [...skipped].map(([type, count]) => `${type} ${count}`).join(', ')
  const refusals = Object.entries(refusedThen).filter(([, count]) => count > 0) as [keyof typeof REFUSER, number][] // the table's own keys
  return [
    ...(refusals.length > 0 ? [`Refused then: ${refusals.map(([by, n]) => `${n} ${REFUSER[by]}`).join(', ')}.`] : []),
    ...(modelHooks.size > 0
      ? [`${formatAmount(modelHooks.size, 'hook', 'hooks')} left out: without --models no model is asked.`]
      : []),
    ...(untrusted.size > 0
      ? [
          `${formatAmount(untrusted.size, 'hook', 'hooks')} left out: not trusted yet. See hookline trust, or use --trust.`,
        ]
      : []),
    ...(unfit > 0 ? [`${formatAmount(unfit, 'event', 'events')} that this profile does not know.`] : []),
    ...(lines > 0 ? [`${formatAmount(lines, 'line', 'lines')} skipped: ${kinds}.`] : []),
    ...(torn > 0 ? [`${formatAmount(torn, 'line', 'lines')} skipped: not complete JSON.`] : []),
  ]
}

function formatSubjectCount({ events }: Totals, subject: Subject): string {
  return formatAmount(events[subject], ...SUBJECT_NAMES[subject])
}

const formatAmount = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

function describeThen({ before, subject }: PastEvent): string {
  if (before.was === 'unknown') return 'no result in the file'
  if (before.was === 'refused') return `${REFUSED[subject]} ${REFUSER[before.by]}`
  return before.was === 'passed' ? PASSED[subject] : HELD[before.was]
}

const PASSED: Readonly<Record<Subject, string>> = {
  prompt: 'sent',
  call: 'ran',
  result: 'taken',
  failure: 'taken',
  stop: 'stopped',
  other: 'passed',
}

function describeNow({ subject }: PastEvent, now: ReplayOutcome | null): string {
  if (now === null) return 'not an event of this profile'
  if (now.is === 'passed') return PASSED[subject]
  return now.is === 'refused' ? REFUSED[subject] : HELD[now.is]
}

/** Words for hooks that neither let a call run nor refuse it. */
const HELD = { asked: 'asks', deferred: 'defers' } as const

function formatPlace({ file, line }: PastEvent): string {
  return `${formatPath(file, process.cwd())}:${line}`
}

/** Describes what an event is about, in a few words. */
function describeSubject({ input }: PastEvent): string {
  const { hook_event_name: event, tool_name } = input
  const { label, call } = describeEvent(event, input)
  return [typeof tool_name === 'string' && label === tool_name ? `${event}  ${label}` : label, call]
    .filter((part) => part !== '')
    .join('  ')
}

/** An event whose hooks ran, for programs. */
export function toReplayedEntry({ event, now, against, difference }: ReplayedEvent): object {
  const { input, before } = event
  return { ...toReplayEntry(event), input, before, now, ...(against === undefined ? {} : { against }), difference }
}

/** An event whose hooks were only matched, for programs. */
export function toPlannedEntry({ event, hooks }: PlannedEvent): object {
  return { ...toReplayEntry(event), wouldRun: hooks?.map(({ id }) => id) ?? null }
}

/** Makes what it all comes to, for programs. */
export function toTotalsEntry(totals: Totals, { skipped, torn }: Leftovers, sessions: number): object {
  const { hooks, modelHooks, untrusted, ...counts } = totals
  return {
    totals: {
      sessions,
      ...counts,
      differences: countDifferences(totals),
      hooks: Object.fromEntries(hooks),
      modelHooks: [...modelHooks],
      untrusted: [...untrusted],
      skipped: Object.fromEntries(skipped),
      torn,
    },
  }
}

function toReplayEntry({ input, subject, file, line }: PastEvent): object {
  const { hook_event_name: event, session_id: session } = input
  return { event, subject, session, file, line }
}
