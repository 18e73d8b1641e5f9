import type { SessionComparison } from '../../../log/compare-sessions.ts'
import type { SessionSummary } from '../../../log/sessions.ts'
import { clipText, formatColumns, formatDuration, indentText } from '../../view/layout.ts'
import { formatLocalTime } from '../../view/outcome-view.ts'
import type { Terminal } from '../../view/terminal.ts'

const MAX_WORD_WIDTH = 24

/** Shows sessions, a line each: when, where, how much was refused and failed, the slowest hook. */
export function formatSessions(sessions: readonly SessionSummary[], { width, paint }: Terminal): string[] {
  const head = ['Last event', 'Session', 'Project', 'Events', 'Refused', 'Failed', 'Tokens', 'Slowest']
  const rows = sessions.map((one) => {
    const { day, time } = formatLocalTime(one.to)
    const slowest = one.slowest === null ? '' : `${formatDuration(one.slowest.durationMs)} ${one.slowest.hook}`
    return [
      `${day} ${time}`,
      clipText(one.id, MAX_WORD_WIDTH),
      clipText(one.project, MAX_WORD_WIDTH),
      ...[one.events, one.blocked, one.failed, one.tokens].map(String),
      clipText(slowest, MAX_WORD_WIDTH),
    ]
  })
  const [title = '', ...lines] = formatColumns([head, ...rows], width)
  return sessions.length === 0 ? ['No session was recorded.'] : [paint.dim(title), ...lines]
}

/** Shows what went differently in two sessions, a line each. */
export function formatComparison({ paired, differences, problem }: SessionComparison, { width }: Terminal): string[] {
  const rows = differences.map(({ kind, event, hook, a, b }) => [
    kind,
    clipText(hook ?? '', MAX_WORD_WIDTH),
    clipText(event, MAX_WORD_WIDTH),
    `${clipText(a, MAX_WORD_WIDTH) || '(none)'} -> ${clipText(b, MAX_WORD_WIDTH) || '(none)'}`,
  ])
  const none = problem === null ? 'they went the same way' : 'no other'
  const summary = differences.length === 0 ? none : `${differences.length} differences`
  const note = problem === null ? [] : [indentText(problem, '', width)]
  return [...formatColumns(rows, width), `${paired} events in both; ${summary}.`, ...note]
}
