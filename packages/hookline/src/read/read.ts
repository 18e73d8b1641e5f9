import type { Captured } from '../process/process-run.ts'
import type { ProfileRow } from '../protocol/event-row.ts'
import type { Meaning } from '../protocol/hook-type.ts'
import { meaningOf } from '../run/execute.ts'
import type { Run } from '../run/run.ts'
import { cleaned } from '../text/clean.ts'
import { understood } from './answer.ts'
import { understandText } from './answer-text.ts'
import { joinResults } from './both-ways.ts'
import { ANSWERS_OF_FAILED, EXIT_READERS, streamText, withStdout } from './exit-codes.ts'
import { judged } from './judgement.ts'
import { blockedBy, cancelled, closedBy, failedIn, failure, type ReadContext, type Result, SILENT } from './result.ts'

/** Gives the facts of a run their meaning, with the event's row in hand. */
export function read(run: Run, context: ReadContext): Result {
  if (isSilent(run)) return SILENT
  const meaning = meaningOf(context.type, run)
  const { readings } = context.row
  if (readings === undefined) return readOneWay(run, meaning, context)
  const [lead, other] = readings
  const readBy = ({ profile, row }: ProfileRow) => ({
    profile,
    row,
    result: readOneWay(run, meaning, { ...context, row }),
  })
  return joinResults(readBy(lead), readBy(other))
}

function readOneWay(run: Run, meaning: Meaning, context: ReadContext): Result {
  const result = resultOf(meaning, context)
  const warnings = [...streamWarnings(run), ...result.warnings].map(cleaned)
  if (result === SILENT && warnings.length === 0) return SILENT
  const told: Result = { ...result, warnings, failed: result.failed === null ? null : cleaned(result.failed) } // they may quote the hook
  if (told.failed === null || told.opinion.blocks || context.failClosed === null || !context.row.canBlock) return told
  return context.failClosed === 'scope'
    ? closedBy(told.failed, context.name, told)
    : closedByItself(told, meaning, context)
}

/** Whether there is nothing to read: most guards agree without a word. */
function isSilent(run: Run): boolean {
  if (run.ended !== 'exited' || run.code !== 0 || run.leftChild) return false
  return run.stdout.bytes === 0 && run.stderr.bytes === 0
}

function resultOf(meaning: Meaning, context: ReadContext): Result {
  switch (meaning.is) {
    case 'exited':
      return EXIT_READERS[context.row.rules.answers.count](meaning, context)
    case 'answered':
      return returned(meaning.value, context)
    case 'judged':
      return judged(meaning, context)
    case 'failed':
      return failed(meaning, context)
    case 'cancelled':
      return ended(meaning, context)
    case 'aborted':
      return { ...SILENT, outcome: 'cancelled' }
  }
}

function failed({ how, words, stdout }: Extract<Meaning, { is: 'failed' }>, context: ReadContext): Result {
  if (stdout !== undefined && typeof words !== 'string') {
    const answer = ANSWERS_OF_FAILED[context.row.rules.answers.count](stdout, { how, stderr: words }, context)
    if (answer !== null) return answer
  }
  const said = typeof words === 'string' ? cleaned(words) : streamText(words)
  const { runsIn } = context.type
  const result = runsIn === 'process' || runsIn === 'server' ? failedIn(context, said, how) : failure(said, how)
  return stdout === undefined ? result : withStdout(result, stdout)
}

function ended({ how, timedOut }: Extract<Meaning, { is: 'cancelled' }>, context: ReadContext): Result {
  if (!timedOut || context.row.onTimeout === 'cancel') return cancelled(how, context)
  return blockedBy(how, { ...SILENT, outcome: 'blocking', failed: how }, context.name)
}

function returned(value: unknown, context: ReadContext): Result {
  if (value === undefined || value === null) return SILENT
  const text = typeof value === 'string' ? value : asJson(value)
  if (text !== null) return understood(understandText(text, context.row, { truncated: false }), context)
  const fault = 'what the function returned cannot be written as JSON'
  return { ...SILENT, warnings: [fault], failed: fault }
}

function asJson(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null
  } catch {
    return null // it refers to itself, or holds what JSON has no word for
  }
}

/** A guard that failed has not agreed: its `onFailure` says so, and the text tells how it failed. */
function closedByItself(result: Result, meaning: Meaning, { name }: ReadContext): Result {
  const how = meaning.is === 'cancelled' && meaning.timedOut ? 'timed out' : 'failed'
  const said = [`${how}; blocking because onFailure is "block"`, stderrOf(meaning)]
  return blockedBy(said.filter((part) => part !== '').join('\n'), { ...result, failed: how }, name)
}

function stderrOf(meaning: Meaning): string {
  if (meaning.is === 'exited') return streamText(meaning.stderr)
  return meaning.is === 'failed' && typeof meaning.words !== 'string' ? streamText(meaning.words) : ''
}

function streamWarnings(run: Run): string[] {
  if (!('stdout' in run)) return []
  const dropped = (name: string, { kept, bytes }: Captured): string[] =>
    bytes > kept.length ? [`${name}: ${bytes} bytes were written, the first ${kept.length} are kept`] : []
  const left = run.leftChild ? ['a process it started still holds its output; it was left alone'] : []
  return [...dropped('stdout', run.stdout), ...dropped('stderr', run.stderr), ...left]
}
