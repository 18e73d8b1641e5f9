import type { EventRow, MergeName } from '../protocol/event-row.ts'
import type { AnswerRules, CommonField } from '../protocol/rules.ts'
import type { DECIDING_FIELDS } from '../protocol/schemas/define-events.ts'
import { removeControls } from '../text/clean.ts'
import { isObject } from '../text/json.ts'
import type { JsonObject } from './answer-text.ts'
import { type Effects, NO_EFFECTS } from './effects.ts'

/** Opinion of one hook about the event, whatever way it said so. */
export interface Opinion {
  readonly halt: boolean
  readonly stopReason: string | null
  /** Blocks or denies; only where the event can be blocked. */
  readonly blocks: boolean
  readonly permission: 'allow' | 'ask' | 'defer' | null
  /** Reason why it blocks, allows or asks. */
  readonly reason: string | null
  readonly interrupt: boolean
  readonly updatedInput: JsonObject | null
  readonly updatedPermissions: readonly JsonObject[] | null
  readonly context: readonly { readonly text: string; readonly kind: 'context' | 'stdout' }[]
  readonly effects: Effects
}

/** The opinion of a hook that says nothing. */
export const NO_OPINION: Opinion = {
  halt: false,
  stopReason: null,
  blocks: false,
  permission: null,
  reason: null,
  interrupt: false,
  updatedInput: null,
  updatedPermissions: null,
  context: [],
  effects: NO_EFFECTS,
}

/** The fields of an answer that its protocol reads. */
export function keepCountedFields(answer: JsonObject, { rules }: EventRow): JsonObject {
  const { commonFields } = rules.answers
  const isCounted = (field: string): boolean =>
    !Object.hasOwn(commonFields, field) || commonFields[field as CommonField] === 'read' // a key of the table itself
  if (Object.keys(answer).every(isCounted)) return answer
  return Object.fromEntries(Object.entries(answer).filter(([field]) => isCounted(field)))
}

/** Reads what an answer wants of the decision. Its fields count, and are of the types that the event's schema asks for. */
export function readOpinion(answer: JsonObject, row: EventRow): Opinion {
  const specific = isObject(answer.hookSpecificOutput) ? answer.hookSpecificOutput : {}
  const wanted = DECISIONS[row.merges](answer, specific, row)
  const halt = row.canHalt && answer.continue === false
  const takesContext = row.answerFields.includes('additionalContext')
  const context = takesContext ? toTextOrNull(specific.additionalContext ?? answer.additionalContext) : null
  return {
    ...NO_OPINION,
    ...wanted,
    reason: wanted.blocks ? (wanted.reason ?? row.noReason) : (wanted.reason ?? null),
    halt,
    stopReason: halt ? toTextOrNull(answer.stopReason) : null,
    context: context === null ? [] : [{ text: context, kind: 'context' }],
  }
}

/** Fields that decide under `hookSpecificOutput`: no field that a row could not declare. */
type Specific<Merge extends MergeName> = Readonly<Partial<Record<(typeof DECIDING_FIELDS)[Merge][number], unknown>>>

/** Readers of what an answer decides, by how the event's answers are merged. */
const DECISIONS: {
  readonly [Merge in MergeName]: (answer: JsonObject, specific: Specific<Merge>, row: EventRow) => Partial<Opinion>
} = {
  permission: (answer, specific, { rules }) => {
    const newWay = toPermission(specific.permissionDecision)
    const oldWay = OLD_DECISIONS.get(answer.decision) ?? null
    const decided = BOTH_FORMS[rules.answers.bothForms](newWay, oldWay)
    const updatedInput = decided === 'deny' ? null : toObjectOrNull(specific.updatedInput)
    if (decided === null) return { updatedInput }
    const reasons = [toTextOrNull(specific.permissionDecisionReason), toTextOrNull(answer.reason)]
    const [first = null, second = null] = newWay === decided ? reasons : reasons.reverse()
    const reason = first ?? second
    return decided === 'deny' ? { blocks: true, reason } : { permission: decided, reason, updatedInput }
  },
  dialog: (_answer, specific) => {
    const decision = toObjectOrNull(specific.decision)
    if (decision === null || (decision.behavior !== 'deny' && decision.behavior !== 'allow')) return {}
    if (decision.behavior === 'deny') {
      return { blocks: true, reason: toTextOrNull(decision.message), interrupt: decision.interrupt === true }
    }
    const updatedPermissions = Array.isArray(decision.updatedPermissions) ? decision.updatedPermissions : null
    return { permission: 'allow', updatedInput: toObjectOrNull(decision.updatedInput), updatedPermissions }
  },
  block: (answer, specific, row) => {
    const places = row.answerFields.includes('decision') ? [answer, specific] : [answer]
    const blocking = places.find(({ decision }) => OLD_DECISIONS.get(decision) === 'deny')
    return blocking ? { blocks: true, reason: toTextOrNull(blocking.reason) ?? toTextOrNull(answer.reason) } : {}
  },
  'exit-code': () => ({}),
  nothing: () => ({}),
}

type Permission = 'deny' | 'defer' | 'ask' | 'allow'

const STRICTEST_FIRST: readonly Permission[] = ['deny', 'defer', 'ask', 'allow']

/** Choice between the new form and the old one. */
const BOTH_FORMS: Readonly<
  Record<AnswerRules['bothForms'], (newWay: Permission | null, oldWay: Permission | null) => Permission | null>
> = {
  stricter: (newWay, oldWay) => STRICTEST_FIRST.find((level) => newWay === level || oldWay === level) ?? null,
  new: (newWay, oldWay) => newWay ?? oldWay,
}

/** Meanings of `decision`. "allow" is not in it: guards print it for "no objection", and it must not skip a dialog. */
const OLD_DECISIONS: ReadonlyMap<unknown, 'allow' | 'deny'> = new Map([
  ['approve', 'allow'],
  ['block', 'deny'],
  ['deny', 'deny'],
])

/** The row's schema says which words an event knows. One that is not known here must not clear a call: the user is asked. */
function toPermission(decision: unknown): Permission | null {
  if (decision === 'allow' || decision === 'ask' || decision === 'defer' || decision === 'deny') return decision
  return decision === undefined || decision === null ? null : 'ask'
}

/** A text worth showing. */
function toTextOrNull(value: unknown): string | null {
  return typeof value === 'string' ? removeControls(value) || null : null
}

const toObjectOrNull = (value: unknown): JsonObject | null => (isObject(value) ? value : null)
