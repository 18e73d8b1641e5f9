import type { Decision } from '../../protocol/record/record.ts'
import type { JsonObject } from '../bridge.ts'

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

/** The decision where no hook says anything. */
export const SILENCE: FoldedDecision = {
  ...{ halt: null, permission: null, reason: null, blocked: false, inputs: new Map(), output: null, interrupt: false },
  ...{ context: [], toUser: [] },
}

/** One decision of those about all parts of a call: never milder than any. */
export function fold(parts: readonly DecidedPart[]): FoldedDecision {
  for (const { decisions } of parts) for (const one of decisions) if (!isUnspoken(one)) return foldSpoken(parts)
  return SILENCE
}

/** True if nothing that is folded stands in a decision. */
function isUnspoken(decision: Decision): boolean {
  const { halt, permission, blocked, interrupt, updatedInput, updatedToolOutput, context, messages } = decision
  if (halt || blocked || interrupt || permission !== null) return false
  return updatedInput === null && updatedToolOutput == null && context.length + messages.length === 0
}

function foldSpoken(parts: readonly DecidedPart[]): FoldedDecision {
  const permission = findStrictest(parts)
  const labels = new Set<string>()
  for (const { label } of parts) labels.add(label)
  let halt: string | null = null
  let [blocked, interrupt] = [false, false]
  let output: unknown = null
  const inputs = new Map<number, JsonObject>()
  // Texts that parts have in common are told once: the same hook saw each part.
  const [reasons, context, toUser] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const [index, { label, decisions }] of parts.entries()) {
    for (const decision of decisions) {
      if (decision.halt) halt ??= decision.stopReason ?? 'A hook ended the turn.'
      blocked ||= decision.blocked
      interrupt ||= decision.interrupt
      const isSpoken = permission === null ? decision.blocked : readPermission(decision) === permission
      if (isSpoken && decision.reason) reasons.add(labels.size === 1 ? decision.reason : `${label}: ${decision.reason}`)
      if (decision.updatedInput !== null) inputs.set(index, decision.updatedInput)
      if (decision.updatedToolOutput != null) output = decision.updatedToolOutput
      for (const text of decision.context) context.add(text)
      for (const { to, text } of decision.messages) if (to === 'user') toUser.add(text)
    }
  }
  const reason = reasons.size === 0 ? null : [...reasons].join('\n')
  return {
    ...{ halt, permission, reason, blocked, inputs, output, interrupt },
    context: [...context],
    toUser: [...toUser],
  }
}

/** A block of an event that asks for a permission is a denial, however it was said. */
function readPermission({ permission, blocked }: Decision): Decision['permission'] {
  return permission === null && blocked ? 'deny' : permission
}

function findStrictest(parts: readonly DecidedPart[]): FoldedDecision['permission'] {
  let strictest: number = STRICTEST.length
  let isEveryAllowed = true
  for (const { decisions, isUnclear } of parts) {
    let isAllowed = false
    for (const decision of decisions) {
      const permission = readPermission(decision)
      if (permission === null) continue
      strictest = Math.min(strictest, STRICTEST.indexOf(permission))
      isAllowed ||= permission === 'allow'
    }
    isEveryAllowed &&= isAllowed && !isUnclear
  }
  const found = STRICTEST[strictest] ?? null
  return found === 'allow' && !isEveryAllowed ? null : found
}
