import type { EventRow, MergeName } from '../protocol/event-row.ts'
import type { AnswerRules } from '../protocol/rules.ts'
import { removeControls } from '../text/clean.ts'
import { type HookWords, type JsonObject, NULL_FIELDS } from './answer-text.ts'
import { readEffects, readStdoutEffects } from './effects.ts'
import { findMisplacedFields } from './misplaced.ts'
import { keepCountedFields, NO_OPINION, type Opinion, readOpinion } from './opinion.ts'
import { makeFailure, type ReadContext, type Result, SILENT } from './result.ts'

/** Reads the words of a hook that succeeded. */
export function toResult(said: HookWords, context: ReadContext): Result {
  switch (said.said) {
    case 'nothing':
      return SILENT
    case 'answer':
      return readAnswer(said.answer, said.raw, context)
    case 'cut':
      return readCutAnswer(readPlainText(said.text, context), context)
    case 'misfit':
      return UNREADABLE[context.row.rules.answers.unreadable](said, context)
    case 'ambiguous': {
      const result = UNREADABLE[context.row.rules.answers.unreadable](said, context)
      return askInstead(result, context, `The answer of ${context.name} cannot be read`)
    }
    case 'text':
      return { ...readPlainText(said.text, context), warnings: said.remark === null ? [] : [said.remark] }
  }
}

type UnreadableWords = Extract<HookWords, { said: 'misfit' | 'ambiguous' }>

/** Treatments of stdout that was meant as an answer and cannot be used as one. */
const UNREADABLE: Readonly<Record<AnswerRules['unreadable'], (said: UnreadableWords, context: ReadContext) => Result>> =
  {
    'plain-text': ({ text, faults }, context) => ({
      ...readPlainText(text, context),
      warnings: faults,
      failed: faults.join('; '),
    }),
    failure: ({ faults }) => ({ ...makeFailure('', faults.join('; ')), warnings: faults }),
  }

/** Uses of plain stdout of a hook that succeeded. */
const PLAIN_STDOUT: Readonly<
  Record<EventRow['plainStdout'], (text: string, context: ReadContext) => Partial<Opinion>>
> = {
  verbose: () => ({}),
  context: (text) => ({ context: [{ text, kind: 'stdout' }] }),
  instructions: (text, { row, input }) => ({ effects: readStdoutEffects(text, row, input) }),
  path: (text, { row, input }) => ({ effects: readStdoutEffects(text, row, input) }),
}

function readPlainText(text: string, context: ReadContext): Result {
  const { plainStdout } = context.row
  const opinion = { ...NO_OPINION, ...PLAIN_STDOUT[plainStdout](text, context) }
  return { ...SILENT, opinion, texts: plainStdout === 'context' ? [] : [{ kind: 'stdout', text }] }
}

/** True where the user can be asked instead of hooks that decide about a permission. */
const CAN_ASK: Readonly<Record<MergeName, boolean>> = {
  permission: true,
  dialog: true,
  block: false,
  'exit-code': false,
  nothing: false,
}

function readCutAnswer(plain: Result, context: ReadContext): Result {
  const reason = describeTooLong(context.name)
  const result = {
    ...plain,
    warnings: [`${reason}: stdout is longer than what is kept, so it is not read as JSON`],
    failed: reason,
  }
  return askInstead(result, context, reason)
}

/** A guard whose answer cannot be read may have refused: the user is asked where that is possible. */
function askInstead(result: Result, { row }: ReadContext, reason: string): Result {
  if (!CAN_ASK[row.merges]) return result
  const texts: Result['texts'] = [{ kind: 'remark', text: reason }, ...result.texts]
  return { ...result, opinion: { ...result.opinion, permission: 'ask', reason }, texts }
}

/** Describes an answer whose end was not kept. */
export const describeTooLong = (name: string): string => `The answer of ${name} was too long to be read`

/** Reads an answer that fits the event's schema. */
export function readAnswer(answer: JsonObject, raw: string, { row, input, mcp, name }: ReadContext): Result {
  const present = NULL_FIELDS[row.rules.answers.nullFields](answer)
  const counted = keepCountedFields(present, row)
  const isMcpTool = mcp ?? (row.matchOn !== null && String(input[row.matchOn]).startsWith('mcp__'))
  const { effects, warnings } = readEffects(counted, row, { isMcpTool, input })
  const opinion: Opinion = { ...readOpinion(counted, row), effects }
  const texts: Result['texts'][number][] = []
  if (opinion.reason !== null) texts.push({ kind: opinion.blocks ? 'objection' : 'remark', text: opinion.reason })
  if (typeof counted.systemMessage === 'string' && counted.systemMessage !== '') {
    texts.push({ kind: 'warning', text: removeControls(counted.systemMessage) })
  }
  for (const text of warnings) texts.push({ kind: 'remark', text: `[${name}]: ${text}` }) // the replacement may have been a redaction
  if (counted.suppressOutput !== true) texts.push({ kind: 'json', text: raw })
  const outcome = opinion.blocks ? 'blocking' : 'success'
  const misplaced = findMisplacedFields(present, row, { isMcpTool, input })
  return { ...SILENT, outcome, answer, opinion, texts, warnings: [...misplaced, ...warnings] }
}
