import type { CapturedStream } from '../process/process-run.ts'
import type { ProfileRow } from '../protocol/event-row.ts'
import type { Meaning } from '../protocol/hook-type.ts'
import type { RunnableType } from '../run/execute.ts'
import type { Run } from '../run/run.ts'
import { removeControls } from '../text/clean.ts'
import { toResult } from './answer.ts'
import { understandText } from './answer-text.ts'
import { joinResults } from './both-ways.ts'
import { ANSWERS_OF_FAILED, EXIT_READERS, toStreamText, withStdout } from './exit-codes.ts'
import { readJudgement } from './judgement.ts'
import {
  makeBlocked,
  makeCancelled,
  makeClosed,
  makeFailure,
  makeProcessFailure,
  type ReadContext,
  type Result,
  SILENT,
} from './result.ts'

/** Gives the facts of a run their meaning, with the event's row in hand. */
export function read(run: Run, context: ReadContext): Result {
  if (isSilent(run)) return SILENT
  const meaning = readMeaning(context.type, run)
  const { readings } = context.row
  if (readings === undefined) return readOneWay(run, meaning, context)
  const [lead, other] = readings
  const readForProfile = ({ profile, row }: ProfileRow) => ({
    profile,
    row,
    result: readOneWay(run, meaning, { ...context, row }),
  })
  return joinResults(readForProfile(lead), readForProfile(other))
}

/** Reads the meaning of the facts of a run: the endings that any hook may come to, and those of its type. */
function readMeaning(type: RunnableType, run: Run): Meaning {
  switch (run.ended) {
    case 'timed-out':
      return {
        is: 'cancelled',
        how: `timed out after ${(run.durationMs / 1000).toFixed(1)} s and was ended`,
        timedOut: true,
      }
    case 'aborted':
      return { is: 'aborted' }
    case 'threw':
      return { is: 'failed', how: `threw: ${run.message}`, words: run.message }
    default:
      return type.meaning(run)
  }
}

/** True for a run that was ended by force: what it had begun to write does not count. */
export function isForced({ ended }: Run): boolean {
  return ended === 'timed-out' || ended === 'aborted'
}

function readOneWay(run: Run, meaning: Meaning, context: ReadContext): Result {
  const result = readByMeaning(meaning, context)
  const warnings = [...checkStreams(run), ...result.warnings].map(removeControls)
  if (result === SILENT && warnings.length === 0) return SILENT
  const told: Result = { ...result, warnings, failed: result.failed === null ? null : removeControls(result.failed) } // warnings may quote the hook
  if (told.failed === null || told.opinion.blocks || context.failClosed === null || !context.row.canBlock) return told
  return context.failClosed === 'scope'
    ? makeClosed(told.failed, context.name, told)
    : closeOnFailure(told, meaning, context)
}

/** True if there is nothing to read: most guards agree without a word. */
function isSilent(run: Run): boolean {
  if (run.ended !== 'exited' || run.code !== 0 || run.leftChild) return false
  return run.stdout.bytes === 0 && run.stderr.bytes === 0
}

function readByMeaning(meaning: Meaning, context: ReadContext): Result {
  switch (meaning.is) {
    case 'exited':
      return EXIT_READERS[context.row.rules.answers.count](meaning, context)
    case 'answered':
      return readReturned(meaning.value, context)
    case 'judged':
      return readJudgement(meaning, context)
    case 'failed':
      return readFailed(meaning, context)
    case 'cancelled':
      return readEnding(meaning, context)
    case 'aborted':
      return { ...SILENT, outcome: 'cancelled' }
  }
}

function readFailed({ how, words, stdout }: Extract<Meaning, { is: 'failed' }>, context: ReadContext): Result {
  if (stdout !== undefined && typeof words !== 'string') {
    const answer = ANSWERS_OF_FAILED[context.row.rules.answers.count](stdout, { how, stderr: words }, context)
    if (answer !== null) return answer
  }
  const said = typeof words === 'string' ? removeControls(words) : toStreamText(words)
  const { runsIn } = context.type
  const result =
    runsIn === 'process' || runsIn === 'server' ? makeProcessFailure(context, said, how) : makeFailure(said, how)
  return stdout === undefined ? result : withStdout(result, stdout)
}

function readEnding({ how, timedOut }: Extract<Meaning, { is: 'cancelled' }>, context: ReadContext): Result {
  if (!timedOut || context.row.onTimeout === 'cancel') return makeCancelled(how, context)
  return makeBlocked(how, { ...SILENT, outcome: 'blocking', failed: how }, context.name)
}

function readReturned(value: unknown, context: ReadContext): Result {
  if (value === undefined || value === null) return SILENT
  const text = typeof value === 'string' ? value : toJsonOrNull(value)
  if (text !== null) return toResult(understandText(text, context.row, { truncated: false }), context)
  const fault = 'what the function returned cannot be written as JSON'
  return { ...SILENT, warnings: [fault], failed: fault }
}

function toJsonOrNull(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null
  } catch {
    return null // the value refers to itself, or holds what JSON has no word for
  }
}

/** A guard that failed has not agreed: its `onFailure` says so, and the text tells how it failed. */
function closeOnFailure(result: Result, meaning: Meaning, { name }: ReadContext): Result {
  const how = meaning.is === 'cancelled' && meaning.timedOut ? 'timed out' : 'failed'
  const said = [`${how}; blocking because onFailure is "block"`, readStderr(meaning)]
  return makeBlocked(said.filter((part) => part !== '').join('\n'), { ...result, failed: how }, name)
}

function readStderr(meaning: Meaning): string {
  if (meaning.is === 'exited') return toStreamText(meaning.stderr)
  return meaning.is === 'failed' && typeof meaning.words !== 'string' ? toStreamText(meaning.words) : ''
}

function checkStreams(run: Run): string[] {
  if (!('stdout' in run)) return []
  const warnOfDropped = (name: string, { kept, bytes }: CapturedStream): string[] =>
    bytes > kept.length ? [`${name}: ${bytes} bytes were written, the first ${kept.length} are kept`] : []
  const left = run.leftChild ? ['a process it started still holds its output; it was left alone'] : []
  return [...warnOfDropped('stdout', run.stdout), ...warnOfDropped('stderr', run.stderr), ...left]
}
