import { plan } from '../match/plan.ts'
import type { HookLine } from '../protocol/record.ts'
import { acceptInput } from './event-input.ts'
import { listenersFor, type Session } from './session.ts'

/** What an event would do, without doing it. */
export interface Explanation {
  readonly event: string
  readonly profile: string
  /** What the event's matchers are tested against; null when it takes none. */
  readonly matched: { readonly field: string; readonly value: string } | null
  /** One line per configured hook; `ran` with `planned` stands for what is going to run. */
  readonly hooks: readonly HookLine[]
}

/** Plans an event and stops there. */
export function explain(session: Session, given: unknown): Explanation {
  const { row, input } = acceptInput(session, given)
  const { lines } = plan(listenersFor(session, row, input), input)
  const matched = row.matchOn === null ? null : { field: row.matchOn, value: String(input[row.matchOn]) }
  const hooks = lines.map((line) =>
    line.verdict === 'matcher-miss' && matched ? { ...line, because: missed(matched) } : line,
  )
  return { event: row.name, profile: session.options.profile.name, matched, hooks }
}

const missed = ({ field, value }: { field: string; value: string }): string =>
  `${field} is ${value}, which its matcher does not hit`
