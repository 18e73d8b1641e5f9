import type { Captured } from '../process/process-run.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { HookLine } from '../protocol/record.ts'
import type { Run } from '../run/run.ts'
import { cleaned } from '../text/clean.ts'
import { understood } from './answer.ts'
import { type Json, understandText } from './answer-text.ts'
import { EXIT_READERS, streamText } from './exit-codes.ts'
import { blockedBy, cancelled, closedBy, failedIn, failure, SILENT } from './failure.ts'
import { judged } from './judgement.ts'
import type { Opinion } from './opinion.ts'

/** What a text is, which decides who reads it. */
export type TextKind = 'objection' | 'remark' | 'failure' | 'stdout' | 'json' | 'warning'

/** What a run meant. */
export interface Result {
  readonly outcome: NonNullable<HookLine['outcome']>
  readonly answer: Json | null
  readonly opinion: Opinion
  readonly texts: readonly { readonly kind: TextKind; readonly text: string }[]
  readonly warnings: readonly string[]
  /** How it failed to come to a decision, when it did. */
  readonly failed: string | null
}

/** What reading needs to know about the event besides the run. */
export interface ReadContext {
  readonly row: EventRow
  readonly input: EventInput
  /** The hook as configured, for texts that name it. */
  readonly name: string
  /** Who says that a failure of this hook blocks where the event can block: itself, or the host for its scope. */
  readonly failClosed: 'hook' | 'scope' | null
}

/** Gives the facts of a run their meaning, with the event's row in hand. */
export function read(run: Run, context: ReadContext): Result {
  if (isSilent(run)) return SILENT
  const { failed, ...result } = meaningOf(run, context)
  const warnings = [...streamWarnings(run), ...result.warnings].map(cleaned)
  const told: Result = { ...result, warnings, failed: failed === null ? null : cleaned(failed) } // they may quote the hook
  if (told.failed === null || told.opinion.blocks || context.failClosed === null || !context.row.canBlock) return told
  return context.failClosed === 'scope' ? closedBy(told.failed, context.name, told) : closedByItself(told, run, context)
}

/** Whether there is nothing to read: most guards agree without a word. */
function isSilent(run: Run): boolean {
  if (run.ended !== 'exited' || run.code !== 0 || run.leftChild) return false
  return run.stdout.bytes === 0 && run.stderr.bytes === 0
}

function meaningOf(run: Run, context: ReadContext): Result {
  switch (run.ended) {
    case 'exited':
      return EXIT_READERS[context.row.rules.answers.count](run, context)
    case 'signalled':
      return failedIn(context, streamText(run.stderr), `killed by ${run.signal}`)
    case 'timed-out':
      return timedOut(run.durationMs, context)
    case 'aborted':
      return { ...SILENT, outcome: 'cancelled' }
    case 'not-started':
      return failedIn(context, '', `could not be started: ${run.reason}`)
    case 'threw':
      return failure(cleaned(run.message), `threw: ${run.message}`)
    case 'returned':
      return returned(run.value, context)
    case 'judged':
      return judged(run, context)
    case 'undecided':
      return cancelled(`it came to no verdict in ${run.turns} turns`, context)
    case 'unanswered':
      return failure(cleaned(run.message), `no model answered: ${run.message}`)
  }
}

function timedOut(durationMs: number, context: ReadContext): Result {
  const how = `timed out after ${(durationMs / 1000).toFixed(1)} s and was ended`
  if (context.row.onTimeout === 'cancel') return cancelled(how, context)
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

/** A guard that failed is no guard that agreed: its `onFailure` says so, and the text tells how it failed. */
function closedByItself(result: Result, run: Run, { name }: ReadContext): Result {
  const timedOut = run.ended === 'timed-out'
  const failed = timedOut ? 'timed out' : 'failed'
  const words = 'stderr' in run && !timedOut ? streamText(run.stderr) : ''
  const reason = [`${failed}; blocking because onFailure is "block"`, words].filter((part) => part !== '').join('\n')
  return blockedBy(reason, { ...result, failed }, name)
}

function streamWarnings(run: Run): string[] {
  if (!('stdout' in run)) return []
  const dropped = (name: string, { kept, bytes }: Captured): string[] =>
    bytes > kept.length ? [`${name}: ${bytes} bytes were written, the first ${kept.length} are kept`] : []
  const left = run.leftChild ? ['a process it started still holds its output; it was left alone'] : []
  return [...dropped('stdout', run.stdout), ...dropped('stderr', run.stderr), ...left]
}
