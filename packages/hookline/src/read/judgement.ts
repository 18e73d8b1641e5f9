import type { EventRow } from '../protocol/event-row.ts'
import type { Meaning } from '../protocol/hook-type.ts'
import type { VerdictRules } from '../protocol/rules.ts'
import { removeControls } from '../text/clean.ts'
import { readVerdict } from './model-verdict.ts'
import { NO_OPINION } from './opinion.ts'
import { makeFailure, type ReadContext, type Result, SILENT } from './result.ts'

type JudgedMeaning = Extract<Meaning, { is: 'judged' }>

/**
 * Reads what a model's answer means. A condition that is met is no opinion: a model cannot skip a dialog. One that is not met
 * blocks where the event can be blocked; elsewhere the user is told, as of exit 2.
 */
export function readJudgement(meaning: JudgedMeaning, context: ReadContext): Result {
  const { row } = context
  const { verdicts } = row.rules
  const verdict = readVerdict(meaning.text, verdicts)
  if ('fault' in verdict) {
    const how = `the model's answer cannot be read: ${verdict.fault}`
    return makeFailure(removeControls(`${how}\n${meaning.text}`).trim(), how)
  }
  const { ok, answer, warnings, halt, stopReason, systemMessage } = verdict
  const texts: Result['texts'][number][] = []
  if (systemMessage !== null) texts.push({ kind: 'warning', text: systemMessage })
  texts.push({ kind: 'json', text: removeControls(meaning.text).trim() })
  const result: Result = { ...SILENT, answer, opinion: { ...NO_OPINION, halt, stopReason }, texts, warnings }
  const letsPass = IMPOSSIBLE[verdicts.impossible](answer, row)
  if (ok || letsPass) return result
  return UNMET[chooseUnmetOutcome(meaning, row)](
    result,
    REASONS[verdicts.reason](verdict.reason, meaning, context),
    row,
  )
}

/** Chooses what an unmet condition does: where a prompt would end the turn, an agent and a prompt that lets it go on block. */
function chooseUnmetOutcome(
  { inOneGo, goesOn = false }: JudgedMeaning,
  { unmetPrompt }: EventRow,
): EventRow['unmetPrompt'] {
  return unmetPrompt === 'has-no-effect' || (inOneGo && !goesOn) ? unmetPrompt : 'blocks'
}

/** Reasons of a condition that is not met. */
const REASONS: Readonly<
  Record<VerdictRules['reason'], (reason: string | null, meaning: JudgedMeaning, context: ReadContext) => string>
> = {
  'condition-not-met': (reason) => (reason === null ? NOT_MET : `${NOT_MET}: ${reason}`),
  'named-after-hook': (reason, meaning, { name }) =>
    meaning.inOneGo ? `[${name}]: ${reason ?? NOT_MET}` : `Agent hook condition was not met: ${reason ?? NOT_MET}`,
}

const NOT_MET = 'Condition not met'

/** True if a verdict that the condition can never be met lets the event pass all the same. */
const IMPOSSIBLE: Readonly<
  Record<VerdictRules['impossible'], (answer: Readonly<Record<string, unknown>>, row: EventRow) => boolean>
> = {
  unknown: () => false,
  'ends-loops': ({ impossible }, { loopField }) => loopField !== null && impossible === true,
}

/** Results of a condition that is not met. */
const UNMET: Readonly<Record<EventRow['unmetPrompt'], (result: Result, reason: string, row: EventRow) => Result>> = {
  blocks: (result, reason, { canBlock }) => {
    const { opinion, texts } = result
    if (!canBlock)
      return { ...result, outcome: 'non_blocking_error', texts: [{ kind: 'remark', text: reason }, ...texts] }
    const blocking = { ...opinion, blocks: true, reason }
    return { ...result, outcome: 'blocking', opinion: blocking, texts: [{ kind: 'objection', text: reason }, ...texts] }
  },
  halts: makeHalted,
  'blocks-and-halts': (result, reason, row) => makeHalted(UNMET.blocks(result, reason, row), reason),
  'has-no-effect': (result) => result,
}

function makeHalted(result: Result, reason: string): Result {
  return { ...result, opinion: { ...result.opinion, halt: true, stopReason: reason } }
}
