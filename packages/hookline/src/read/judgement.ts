import type { EventRow } from '../protocol/event-row.ts'
import type { VerdictRules } from '../protocol/rules.ts'
import type { Run } from '../run/run.ts'
import { cleaned } from '../text/clean.ts'
import { failure, SILENT } from './failure.ts'
import { readVerdict } from './model-verdict.ts'
import { NO_OPINION } from './opinion.ts'
import type { ReadContext, Result } from './result.ts'

type Judged = Extract<Run, { ended: 'judged' }>

/**
 * What a model's answer means. A condition that is met is no opinion: a model cannot skip a dialog. One that is not met
 * blocks where the event can be blocked; elsewhere the user is told, as of exit 2.
 */
export function judged(run: Judged, context: ReadContext): Result {
  const { row } = context
  const { verdicts } = row.rules
  const verdict = readVerdict(run.text, verdicts)
  if ('fault' in verdict) {
    const how = `the model's answer cannot be read: ${verdict.fault}`
    return failure(cleaned(`${how}\n${run.text}`).trim(), how)
  }
  const { ok, answer, warnings, halt, stopReason, systemMessage } = verdict
  const texts: Result['texts'][number][] = []
  if (systemMessage !== null) texts.push({ kind: 'warning', text: systemMessage })
  texts.push({ kind: 'json', text: cleaned(run.text).trim() })
  const result: Result = { ...SILENT, answer, opinion: { ...NO_OPINION, halt, stopReason }, texts, warnings }
  const letsPass = IMPOSSIBLE[verdicts.impossible](answer, row)
  if (ok || letsPass) return result
  return UNMET[isPrompt(run) ? row.unmetPrompt : 'blocks'](
    result,
    REASONS[verdicts.reason](verdict.reason, run, context),
    row,
  )
}

/** A prompt is answered in one go; an agent takes turns. */
const isPrompt = ({ turns }: Judged): boolean => turns === null

/** What the reason of a condition that is not met is. */
const REASONS: Readonly<
  Record<VerdictRules['reason'], (reason: string | null, run: Judged, context: ReadContext) => string>
> = {
  'condition-not-met': (reason) => (reason === null ? NOT_MET : `${NOT_MET}: ${reason}`),
  'named-after-hook': (reason, run, { name }) =>
    isPrompt(run) ? `[${name}]: ${reason ?? NOT_MET}` : `Agent hook condition was not met: ${reason ?? NOT_MET}`,
}

const NOT_MET = 'Condition not met'

/** Whether a verdict that the condition can never be met lets the event pass all the same. */
const IMPOSSIBLE: Readonly<
  Record<VerdictRules['impossible'], (answer: Readonly<Record<string, unknown>>, row: EventRow) => boolean>
> = {
  unknown: () => false,
  'ends-loops': ({ impossible }, { loopField }) => loopField !== null && impossible === true,
}

/** What a condition does that is not met. */
const UNMET: Readonly<Record<EventRow['unmetPrompt'], (result: Result, reason: string, row: EventRow) => Result>> = {
  blocks: (result, reason, { canBlock }) => {
    const { opinion, texts } = result
    if (!canBlock)
      return { ...result, outcome: 'non_blocking_error', texts: [{ kind: 'remark', text: reason }, ...texts] }
    const blocking = { ...opinion, blocks: true, reason }
    return { ...result, outcome: 'blocking', opinion: blocking, texts: [{ kind: 'objection', text: reason }, ...texts] }
  },
  halts: (result, reason) => ({ ...result, opinion: { ...result.opinion, halt: true, stopReason: reason } }),
  'has-no-effect': (result) => result,
}
