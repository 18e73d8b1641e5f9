import type { Decision } from '../protocol/record/record.ts'
import type { JsonObject } from './bridge.ts'

/** Decision of hooks about one call of a host, whatever number of events it was. */
export interface FoldedDecision {
  /** Reason why the turn ends; null: it goes on. */
  readonly halt: string | null
  /** The strictest; allow only when every part is allowed. */
  readonly permission: NonNullable<Decision['permission']> | null
  /** Of those that were the strictest. */
  readonly reason: string | null
  /** The event is blocked. */
  readonly blocked: boolean
  /** Changed inputs by the number of the part; empty: none. */
  readonly inputs: ReadonlyMap<number, JsonObject>
  readonly output: unknown
  readonly context: readonly string[]
  readonly toUser: readonly string[]
  /** A denied request also ends the turn. */
  readonly interrupt: boolean
}

/** Decision of hooks about one part. */
export interface DecidedPart {
  readonly label: string
  /** One for each event that the part was shown as. */
  readonly decisions: readonly Decision[]
  /** The host's call has several readings, of which one is meant: none of them is allowed for all. */
  readonly isUnclear?: boolean
}

const STRICTEST = ['deny', 'defer', 'ask', 'allow'] as const

/** One decision of those about all parts of a call: never milder than any. */
export function fold(parts: readonly DecidedPart[]): FoldedDecision {
  const all = parts.flatMap(({ label, decisions }) => decisions.map((decision) => ({ label, decision })))
  const halting = all.find(({ decision }) => decision.halt)
  const permission = findStrictest(parts)
  const spoken = all.filter(({ decision }) =>
    permission === null ? decision.blocked : readPermission(decision) === permission,
  )
  const isAlone = new Set(parts.map(({ label }) => label)).size === 1
  const reasons = spoken.flatMap(({ label, decision: { reason } }) => {
    if (reason === null || reason === '') return []
    return [isAlone ? reason : `${label}: ${reason}`]
  })
  return {
    halt: halting ? (halting.decision.stopReason ?? 'A hook ended the turn.') : null,
    permission,
    reason: reasons.length === 0 ? null : removeDuplicates(reasons).join('\n'),
    blocked: all.some(({ decision }) => decision.blocked),
    inputs: new Map(
      parts.flatMap(({ decisions }, index) => {
        const changed = decisions.findLast(({ updatedInput }) => updatedInput !== null)?.updatedInput
        return changed ? [[index, changed] as const] : []
      }),
    ),
    output: all.findLast(({ decision }) => decision.updatedToolOutput != null)?.decision.updatedToolOutput ?? null,
    context: removeDuplicates(all.flatMap(({ decision }) => decision.context)),
    toUser: removeDuplicates(
      all.flatMap(({ decision }) => decision.messages.flatMap(({ to, text }) => (to === 'user' ? [text] : []))),
    ),
    interrupt: all.some(({ decision }) => decision.interrupt),
  }
}

/** Texts that parts have in common are told once: the same hook saw each part. */
const removeDuplicates = (texts: readonly string[]): string[] => [...new Set(texts)]

/** A block of an event that asks for a permission is a denial, however it was said. */
function readPermission({ permission, blocked }: Decision): Decision['permission'] {
  return permission === null && blocked ? 'deny' : permission
}

function findStrictest(parts: readonly DecidedPart[]): FoldedDecision['permission'] {
  const said = parts.map(({ decisions }) => decisions.map(readPermission))
  const found = STRICTEST.find((one) => said.flat().includes(one)) ?? null
  const everyPart = said.every((answers, index) => !parts[index]?.isUnclear && answers.includes('allow'))
  return found === 'allow' && !everyPart ? null : found
}
