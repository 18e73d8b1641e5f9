import type { EventRow, MergeName } from '../protocol/event-row.ts'
import { commonAnswerFields } from '../protocol/generated/classic-rows.ts'
import { isObject, type Json } from './answer-text.ts'
import { NO_REASON } from './opinion.ts'

/** Where a decision belongs, when it stands at the top level and has no effect there. */
const DECISION_BELONGS: Readonly<Record<MergeName, string | null>> = {
  permission: null,
  block: null,
  dialog: 'answer hookSpecificOutput.decision.behavior instead',
  'exit-code': 'only exit code 2 blocks here',
  nothing: 'the event cannot be blocked',
}

/** Fields that mean something to some event. */
const DECIDING_FIELDS = new Set([
  'permissionDecision',
  'permissionDecisionReason',
  'updatedInput',
  'updatedPermissions',
  'updatedMCPToolOutput',
  'additionalContext',
  'decision',
  'reason',
  'behavior',
])

const CONTEXT = 'additionalContext'
const TOOL_OUTPUT = 'updatedMCPToolOutput'

/** Everything in an answer that has no effect, one sentence each. */
export function misplacedFields(answer: Json, row: EventRow, { isMcpTool }: { isMcpTool: boolean }): string[] {
  const specific = isObject(answer.hookSpecificOutput) ? answer.hookSpecificOutput : {}
  const atTop = (field: string): boolean =>
    commonAnswerFields.includes(field) || (field === TOOL_OUTPUT && row.answerFields.includes(field))
  const strayTop = Object.keys(answer).filter((field) => !atTop(field))
  const strayUnder = Object.keys(specific).filter(
    (field) => field !== 'hookEventName' && !row.answerFields.includes(field),
  )
  return [
    ...strayTop.map((field) => stray(field, field, row)),
    ...strayUnder.map((field) => stray(field, `hookSpecificOutput.${field}`, row)),
    ...decisionWarnings(answer, specific, row),
    ...(CONTEXT in answer && !row.answerFields.includes(CONTEXT) ? [stray(CONTEXT, CONTEXT, row)] : []),
    ...((TOOL_OUTPUT in answer || TOOL_OUTPUT in specific) && row.answerFields.includes(TOOL_OUTPUT) && !isMcpTool
      ? [`${TOOL_OUTPUT} has no effect: the tool is not an MCP tool`]
      : []),
    ...(answer.async === true ? ['async: true has no effect here: it must be the whole first line'] : []),
  ]
}

function decisionWarnings(answer: Json, specific: Json, row: EventRow): string[] {
  const { decision, reason } = answer
  const belongs = DECISION_BELONGS[row.merges]
  const decides = decision !== undefined || specific.decision !== undefined || specific.permissionDecision !== undefined
  const objects =
    decision === 'block' || decision === 'deny' || specific.decision === 'block' || specific.decision === 'deny'
  const warnings: string[] = []
  if (decision !== undefined && belongs !== null)
    warnings.push(`misplaced field: decision has no effect on ${row.name}; ${belongs}`)
  else if (row.merges === 'block' && decision !== undefined && !objects)
    warnings.push(`decision "${decision}" has no effect on ${row.name}`)
  if (reason !== undefined && !decides) warnings.push('reason without a decision reaches nobody')
  if (specific.permissionDecisionReason !== undefined && !decides) {
    warnings.push('permissionDecisionReason without a decision reaches nobody')
  }
  if (row.reasonRequired && objects && !reason) warnings.push(`a block needs a reason; the text is "${NO_REASON}"`)
  if (specific.permissionDecision === 'deny' && specific.updatedInput !== undefined) {
    warnings.push('updatedInput has no effect with deny')
  }
  return warnings
}

function stray(field: string, where: string, row: EventRow): string {
  if (!DECIDING_FIELDS.has(field)) return `unknown field ${where} is ignored`
  const belongs = row.answerFields.includes(field) ? `; it belongs under hookSpecificOutput` : ''
  return `misplaced field: ${where} has no effect on ${row.name}${belongs}`
}
