import { cleaned } from '../text/clean.ts'
import { failure, SILENT } from './failure.ts'
import { readVerdict } from './model-verdict.ts'
import { NO_OPINION } from './opinion.ts'
import type { ReadContext, Result } from './result.ts'

/**
 * What a model's answer means (PROTOCOL.md, section 10). A condition that is met is no opinion: a model cannot skip a
 * dialog. One that is not met blocks where the event can be blocked; elsewhere the user is told, as of exit 2.
 */
export function judged(text: string, { row }: ReadContext): Result {
  const verdict = readVerdict(text)
  if ('fault' in verdict) {
    const how = `the model's answer cannot be read: ${verdict.fault}`
    return failure(cleaned(`${how}\n${text}`).trim(), how)
  }
  const { ok, answer, warnings, halt, stopReason, systemMessage } = verdict
  const texts: Result['texts'][number][] = []
  if (systemMessage !== null) texts.push({ kind: 'warning', text: systemMessage })
  texts.push({ kind: 'json', text: cleaned(text).trim() })
  const result: Result = { ...SILENT, answer, opinion: { ...NO_OPINION, halt, stopReason }, texts, warnings }
  if (ok) return result

  const reason = verdict.reason === null ? 'Condition not met' : `Condition not met: ${verdict.reason}`
  if (!row.exit2.blocks) {
    return { ...result, outcome: 'non_blocking_error', texts: [{ kind: 'remark', text: reason }, ...texts] }
  }
  const opinion = { ...result.opinion, blocks: true, reason }
  return { ...result, outcome: 'blocking', opinion, texts: [{ kind: 'objection', text: reason }, ...texts] }
}
