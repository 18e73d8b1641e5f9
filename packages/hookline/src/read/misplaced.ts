import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow, MergeName } from '../protocol/event-row.ts'
import { findOtherProfile } from '../protocol/other-profiles.ts'
import { isObject } from '../text/json.ts'
import { isTopField, type JsonObject, limitSentences } from './answer-text.ts'

/** Places where a decision belongs, when it stands at the top level and has no effect there. */
const DECISION_BELONGS: Readonly<Record<MergeName, string | null>> = {
  permission: null,
  block: null,
  dialog: 'answer hookSpecificOutput.decision.behavior instead',
  'exit-code': 'only exit code 2 blocks here',
  nothing: 'the event cannot be blocked',
}

/** Places where a reason belongs, when it stands at the top level and has no reader there. */
const REASON_BELONGS: Readonly<Record<MergeName, string | null>> = {
  permission: null,
  block: null,
  dialog: 'answer hookSpecificOutput.decision.message instead',
  'exit-code': 'stderr is the reason here, with exit code 2',
  nothing: 'the event cannot be blocked',
}

/** Fields that count beside each answer to a permission dialog. */
const BESIDE_BEHAVIOR: Readonly<Record<string, readonly string[]>> = {
  allow: ['updatedInput', 'updatedPermissions'],
  deny: ['message', 'interrupt'],
}

/** More of one answer are counted, not told. */
const MAX_MISPLACED_WARNINGS = 20

/** Field that gives away an answer that is the event itself, printed again. */
const ECHO_MARK = 'hook_event_name'

const CONTEXT = 'additionalContext'

/** Facts that the warnings depend on besides the answer. */
interface AnsweredEvent {
  readonly isMcpTool: boolean
  readonly input: EventInput
}

/** Lists what in an answer has no effect, one sentence each; a hook that repeats the event is told so once. */
export function findMisplacedFields(given: JsonObject, row: EventRow, { isMcpTool, input }: AnsweredEvent): string[] {
  const repeated = ECHO_MARK in given ? Object.keys(given).filter((field) => Object.hasOwn(input, field)) : []
  const answer = repeated.length === 0 ? given : omitFields(repeated, given)
  const specific = isObject(answer.hookSpecificOutput) ? answer.hookSpecificOutput : {}
  const { anywhere, ofMcp } = listEffectFields(row)
  const isAtTop = (field: string): boolean => isTopField(field, row.rules.answers) || anywhere.includes(field)
  const strayTop = Object.keys(answer).filter((field) => !isAtTop(field))
  const strayUnder = Object.keys(specific).filter(
    (field) => field !== 'hookEventName' && !row.answerFields.includes(field),
  )
  return limitSentences(MAX_MISPLACED_WARNINGS, [
    ...(repeated.length > 0 ? [`the answer repeats the event: ${repeated.join(', ')} mean nothing in it`] : []),
    ...checkDecision(answer, specific, row),
    ...checkReason(answer, specific, row),
    ...(row.merges === 'dialog' ? checkDialogAnswer(specific.decision) : []),
    ...strayTop.map((field) => describeStray(field, field, row)),
    ...strayUnder.map((field) => describeStray(field, `hookSpecificOutput.${field}`, row)),
    ...(CONTEXT in answer && isAtTop(CONTEXT) && !row.answerFields.includes(CONTEXT)
      ? [describeStray(CONTEXT, CONTEXT, row)]
      : []),
    ...(isMcpTool ? [] : ofMcp)
      .filter((field) => field in answer || field in specific)
      .map((field) => `${field} has no effect: the tool is not an MCP tool`),
    ...(answer.continue === false && !row.canHalt ? [`continue: false has no effect on ${row.name}`] : []),
    ...(answer.async === true ? ['async: true has no effect here: it must be the whole first line'] : []),
  ])
}

function omitFields(fields: readonly string[], answer: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(answer).filter(([field]) => !fields.includes(field)))
}

/** The fields that ask for effects. */
interface EffectFields {
  /** Fields that may stand at the top level too. */
  readonly anywhere: readonly string[]
  /** Fields that count for MCP tools alone. */
  readonly ofMcp: readonly string[]
}

const fieldsByRow = new WeakMap<EventRow, EffectFields>()

function listEffectFields(row: EventRow): EffectFields {
  const known = fieldsByRow.get(row)
  if (known !== undefined) return known
  const effects = Object.values(row.effects)
  const outside = effects.filter(({ from }) => from !== 'specific')
  const anywhere = outside.flatMap(({ fields, mcpFields = [] }) => [...fields, ...mcpFields])
  const made = { anywhere, ofMcp: effects.flatMap(({ mcpFields = [] }) => mcpFields) }
  fieldsByRow.set(row, made)
  return made
}

function checkDecision({ decision }: JsonObject, specific: JsonObject, row: EventRow): string[] {
  const belongs = DECISION_BELONGS[row.merges]
  if (decision !== undefined && belongs !== null)
    return [`misplaced field: decision has no effect on ${row.name}; ${belongs}`]
  if (row.merges === 'permission') return checkOldForm(decision)
  if (row.merges !== 'block') return []
  const places = { decision, 'hookSpecificOutput.decision': specific.decision }
  return Object.entries(places)
    .filter(([, said]) => said !== undefined && !isObjection(said))
    .map(([where, said]) => `${where} "${said}" has no effect on ${row.name}`)
}

/** A decision about a permission at the top level: the record says that it is the old form, and that one word of it grants nothing. */
function checkOldForm(decision: unknown): string[] {
  if (decision === undefined) return []
  if (decision === 'allow')
    return ['decision "allow" grants nothing; to skip the dialog answer hookSpecificOutput.permissionDecision "allow"']
  return [`decision "${decision}" is the old form; answer hookSpecificOutput.permissionDecision instead`]
}

function checkReason(answer: JsonObject, specific: JsonObject, row: EventRow): string[] {
  const { decision, reason } = answer
  const decides =
    (decision !== undefined && decision !== 'allow') ||
    specific.decision !== undefined ||
    specific.permissionDecision !== undefined
  const objects = isObjection(decision) || isObjection(specific.decision)
  const belongs = REASON_BELONGS[row.merges]
  const denies = specific.permissionDecision === 'deny' || (row.merges === 'permission' && objects)
  const warnings: string[] = []
  if (reason !== undefined && !decides) warnings.push('reason without a decision reaches nobody')
  else if (reason !== undefined && belongs !== null)
    warnings.push(`misplaced field: reason has no effect on ${row.name}; ${belongs}`)
  if (specific.permissionDecisionReason !== undefined && !decides) {
    warnings.push('permissionDecisionReason without a decision reaches nobody')
  }
  if (specific.reason !== undefined && row.answerFields.includes('reason') && !objects)
    warnings.push('hookSpecificOutput.reason without a decision reaches nobody')
  if (row.reasonRequired && objects && !reason) warnings.push(`a block needs a reason; the text is "${row.noReason}"`)
  if (denies && specific.updatedInput !== undefined) warnings.push('updatedInput has no effect with deny')
  if (answer.stopReason !== undefined && answer.continue !== false)
    warnings.push('stopReason without continue: false reaches nobody')
  return warnings
}

const isObjection = (decision: unknown): boolean => decision === 'block' || decision === 'deny'

/** Fields of the answer to a dialog that do not count beside its behavior. */
function checkDialogAnswer(decision: unknown): string[] {
  if (!isObject(decision)) return []
  const behavior = String(decision.behavior)
  return Object.keys(decision)
    .filter((field) => field !== 'behavior' && !BESIDE_BEHAVIOR[behavior]?.includes(field))
    .map((field) =>
      Object.values(BESIDE_BEHAVIOR).flat().includes(field)
        ? `misplaced field: hookSpecificOutput.decision.${field} has no effect with "${behavior}"`
        : `unknown field hookSpecificOutput.decision.${field} is ignored`,
    )
}

function describeStray(field: string, where: string, row: EventRow): string {
  if (!row.knownAnswerFields.has(field)) return describeUnknownField(field, where)
  const belongs = row.answerFields.includes(field) ? `; it belongs under hookSpecificOutput` : ''
  return `misplaced field: ${where} has no effect on ${row.name}${belongs}`
}

/** A field that nothing reads here; another profile may. */
function describeUnknownField(field: string, where: string): string {
  const other = findOtherProfile('answerFields', field)
  return other === null
    ? `unknown field ${where} is ignored`
    : `${where} is a field of answers in the profile "${other}"; it is ignored here`
}
