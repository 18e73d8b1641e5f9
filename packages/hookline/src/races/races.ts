import { isDeepStrictEqual } from 'node:util'
import type { EventRow } from '../protocol/event-row.ts'
import type { Decision, DispatchRecord, HookLine } from '../protocol/record/record.ts'
import type { JsonObject } from '../read/answer-text.ts'
import { keepCountedFields, readOpinion } from '../read/opinion.ts'

/** Answer of one hook to an event, and the manner of it: other clients treat exit codes and JSON differently. */
export interface HookAnswer {
  readonly hook: string
  readonly permission: 'allow' | 'ask' | 'defer' | 'deny' | null
  readonly by: 'json' | 'exit-code'
  readonly reason: string | null
  readonly updatedInput: JsonObject | null
}

/** Decision of a client about several answers. */
export interface MergedAnswer {
  readonly permission: 'allow' | 'ask' | 'defer' | 'deny' | null
  /** Text that the model reads of a refusal, or the user of a question. */
  readonly reason: string | null
  readonly updatedInput: JsonObject | null
}

/**
 * Kind of conflict between two hooks in a client that takes the last to finish. `rewrite`: which of two inputs is used depends on which
 * of them ends last. `reason`: so does what the model reads. `undone`: the refusal of one is undone by the other, in either order.
 */
export type RaceKind = 'rewrite' | 'reason' | 'undone'

/** Two hooks that conflict over one event. */
export interface Race {
  readonly kind: RaceKind
  /** In configuration order. */
  readonly hooks: readonly [string, string]
  /** Decision here, in either order. */
  readonly here: MergedAnswer
  /** Decisions of a client that takes the last to finish, when the first of them ends last, and when the second does. */
  readonly there: readonly [MergedAnswer, MergedAnswer]
}

/** The answers of a record's hooks, in configuration order, without those that say nothing. */
export function listHookAnswers(record: DispatchRecord, row: EventRow): HookAnswer[] {
  return record.hooks.map((line) => findAnswer(line, record, row)).filter((answer) => answer !== null)
}

function findAnswer(line: HookLine, { decision }: DispatchRecord, row: EventRow): HookAnswer | null {
  const { id: hook, outcome, answer } = line
  if (outcome === 'blocking' && !answer) {
    const reason = decision.messages.find((message) => message.hook === hook && message.to === row.reasonTo)?.text
    return { hook, permission: 'deny', by: 'exit-code', reason: reason ?? null, updatedInput: null }
  }
  if (!answer || (outcome !== 'success' && outcome !== 'blocking')) return null
  const { blocks, permission, reason, updatedInput } = readOpinion(keepCountedFields(answer, row), row)
  if (!blocks && permission === null && updatedInput === null) return null
  return { hook, permission: blocks ? 'deny' : permission, by: 'json', reason, updatedInput }
}

/**
 * Every pair of hooks whose answers conflict. In whatever order n hooks end, only the last rewrite and the last reason count, so it is
 * enough to let each two of them end last, both ways round.
 */
export function findRacesBetween(answers: readonly HookAnswer[], decision: Decision): Race[] {
  const here = { permission: decision.permission, reason: decision.reason, updatedInput: decision.updatedInput }
  return answers.flatMap((one, at) =>
    answers.slice(at + 1).flatMap((other): Race[] => {
      const rest = answers.filter((answer) => answer !== one && answer !== other)
      const there = [decideByLast([...rest, other, one]), decideByLast([...rest, one, other])] as const
      const kind = nameRaceKind([one, other], there)
      return kind === null ? [] : [{ kind, hooks: [one.hook, other.hook], here, there }]
    }),
  )
}

/**
 * Decides as a client does that takes the answers as they come in, in the order in which the hooks ended: a rewrite by the last one counts,
 * of the reasons only the last one's is kept, and a JSON `allow` or `ask` undoes an exit code 2.
 */
export function decideByLast(inOrder: readonly HookAnswer[]): MergedAnswer {
  const said = inOrder.filter(({ by }) => by === 'json').map(({ permission }) => permission)
  const strictest = (['deny', 'defer', 'ask', 'allow'] as const).find((level) => said.includes(level))
  const permission = strictest ?? (inOrder.some(({ by }) => by === 'exit-code') ? 'deny' : null)
  const last = inOrder.findLast((answer) => answer.permission !== null)
  const rewrite = inOrder.findLast(({ updatedInput }) => updatedInput !== null)
  return {
    permission,
    reason: permission === 'deny' || permission === 'ask' ? (last?.reason ?? null) : null,
    updatedInput: permission === 'deny' ? null : (rewrite?.updatedInput ?? null),
  }
}

function nameRaceKind(
  pair: readonly [HookAnswer, HookAnswer],
  [first, second]: readonly [MergedAnswer, MergedAnswer],
): RaceKind | null {
  if (!isDeepStrictEqual(first.updatedInput, second.updatedInput)) return 'rewrite'
  const isUndone = isUndoing(...pair) || isUndoing(pair[1], pair[0])
  if (isUndone && first.permission !== 'deny') return 'undone'
  return first.reason === second.reason ? null : 'reason'
}

/** An exit code 2 and a JSON that does not deny. */
function isUndoing(one: HookAnswer, other: HookAnswer): boolean {
  return one.by === 'exit-code' && other.by === 'json' && other.permission !== null && other.permission !== 'deny'
}
