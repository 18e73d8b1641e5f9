import type { Captured, Spoken } from '../process/process-run.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow, MergeName } from '../protocol/event-row.ts'
import type { HookLine } from '../protocol/record.ts'
import type { Run } from '../run/run.ts'
import { cleaned } from '../text/clean.ts'
import { type Json, reasonOnStdout, type Said, understandText, withoutNulls } from './answer-text.ts'
import { decode } from './decode.ts'
import { blockedBy, cancelled, closedBy, failure, SILENT } from './failure.ts'
import { judged } from './judged.ts'
import { misplacedFields } from './misplaced.ts'
import { NO_OPINION, type Opinion, opinionOf } from './opinion.ts'

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

/** Gives the facts of a run their meaning (PROTOCOL.md, sections 7 and 10). */
export function read(run: Run, context: ReadContext): Result {
  if (isSilent(run)) return SILENT
  const { failed, ...result } = meaningOf(run, context)
  const warnings = [...streamWarnings(run), ...result.warnings].map(cleaned)
  const told: Result = { ...result, warnings, failed: failed === null ? null : cleaned(failed) } // they may quote the hook
  if (told.failed === null || context.failClosed === null || !context.row.exit2.blocks) return told
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
      return exited(run, context)
    case 'signalled':
      return failure(textOf(run.stderr), `killed by ${run.signal}`)
    case 'timed-out':
      return cancelled(`timed out after ${(run.durationMs / 1000).toFixed(1)} s and was ended`, context)
    case 'aborted':
      return { ...SILENT, outcome: 'cancelled' }
    case 'not-started':
      return failure('', `could not be started: ${run.reason}`)
    case 'threw':
      return failure(cleaned(run.message), `threw: ${run.message}`)
    case 'returned':
      return returned(run.value, context)
    case 'judged':
      return judged(run.text, context)
    case 'undecided':
      return cancelled(`it came to no verdict in ${run.turns} turns`, context)
    case 'unanswered':
      return failure(cleaned(run.message), `no model answered: ${run.message}`)
  }
}

function exited(run: Extract<Run, { ended: 'exited' }>, context: ReadContext): Result {
  const stderr = textOf(run.stderr)
  if (run.code === 2) return objection(run, context)
  if (run.code !== 0)
    return withWarnings(
      withStdout(failure(stderr, `exit code ${run.code}`), run.stdout, context.row),
      [run.hint ?? [], decode(run.stderr, 'stderr').warnings, ignoredAnswer(run.stdout)].flat(),
    )
  const { text, warnings } = decode(run.stdout, 'stdout')
  const result = understood(understandText(text, context.row, { truncated: isTruncated(run.stdout) }), context)
  return withWarnings(result, warnings)
}

/** What interpreters say, with exit code 2, when they cannot even open or read the script. */
const LAUNCH_FAILURE =
  /^(?:\S*python[\d.]*: can't open file |\S*sh: (?:line )?\d+: (?:cannot open|[Ss]yntax error|.*unexpected (?:EOF|token|end of file)))/m

/** Exit 2: blocks where the event can block, else somebody is told. A hook without a word on stderr gives its reason on stdout. */
function objection({ stdout, stderr: stream }: Spoken, { row, name }: ReadContext): Result {
  const stderr = textOf(stream)
  const onStdout = stderr === '' ? reasonIn(stdout, name) : ''
  const reason = stderr || onStdout || 'No stderr output'
  const text = `[${name}]: ${reason}`
  const warnings = [
    ...decode(stream, 'stderr').warnings,
    ...(onStdout === '' ? [] : decode(stdout, 'stdout').warnings),
    ...(onStdout !== '' && startsAsAnswer(stdout) ? [ONLY_THE_REASON] : []),
    ...(onStdout === '' ? ignoredAnswer(stdout) : []),
    ...(LAUNCH_FAILURE.test(stderr) ? ['this looks like a program that could not start, not like a decision'] : []),
  ]
  if (!row.exit2.blocks) {
    const result: Result = { ...SILENT, outcome: 'non_blocking_error', texts: [{ kind: 'remark', text }], warnings }
    return onStdout === '' ? withStdout(result, stdout, row) : result
  }
  const opinion = { ...NO_OPINION, blocks: true, reason }
  return { ...SILENT, outcome: 'blocking', opinion, texts: [{ kind: 'objection', text }], warnings }
}

const ONLY_THE_REASON = 'with exit code 2 only the reason of an answer on stdout counts, and only when stderr is empty'

function reasonIn(stdout: Captured, name: string): string {
  return isTruncated(stdout) && startsAsAnswer(stdout) ? tooLong(name) : reasonOnStdout(decode(stdout, 'stdout').text)
}

const tooLong = (name: string): string => `The answer of ${name} was too long to be read`

/** Where stdout is said to the host, what a failing hook wrote there is worth reading too. */
function withStdout(result: Result, stdout: Captured, { plainStdout }: EventRow): Result {
  const text = plainStdout === 'instructions' ? textOf(stdout) : ''
  return text === '' ? result : { ...result, texts: [...result.texts, { kind: 'stdout', text }] }
}

function withWarnings(result: Result, warnings: readonly string[]): Result {
  return { ...result, warnings: [...warnings, ...result.warnings] }
}

/** Some clients read JSON whatever the exit code; whoever comes from there is told. */
function ignoredAnswer(stdout: Captured): string[] {
  return startsAsAnswer(stdout) ? ['stdout is ignored unless the exit code is 0'] : []
}

const startsAsAnswer = (stdout: Captured): boolean => textOf(stdout).startsWith('{')

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

function understood(said: Said, context: ReadContext): Result {
  if (said.said === 'nothing') return SILENT
  if (said.said === 'answer') return answered(said.answer, said.raw, context)
  const plain = plainText(said.text, context.row)
  if (said.said === 'cut') return cutAnswer(plain, context)
  if (said.said === 'misfit') return { ...plain, warnings: said.faults, failed: said.faults.join('; ') }
  return { ...plain, warnings: said.remark === null ? [] : [said.remark] }
}

/** Where hooks decide about a permission, the user can be asked instead of them. */
const CAN_ASK: Readonly<Record<MergeName, boolean>> = {
  permission: true,
  dialog: true,
  block: false,
  'exit-code': false,
  nothing: false,
}

/** A guard whose answer nobody can read may have refused: the user is asked where that is possible. */
function cutAnswer(plain: Result, { row, name }: ReadContext): Result {
  const reason = tooLong(name)
  const result = {
    ...plain,
    warnings: [`${reason}: stdout is longer than what is kept, so it is not read as JSON`],
    failed: reason,
  }
  if (!CAN_ASK[row.merges]) return result
  const texts: Result['texts'] = [{ kind: 'remark', text: reason }, ...plain.texts]
  return { ...result, opinion: { ...plain.opinion, permission: 'ask', reason }, texts }
}

function plainText(text: string, row: EventRow): Result {
  if (row.plainStdout === 'context')
    return { ...SILENT, opinion: { ...NO_OPINION, context: [{ text, kind: 'stdout' }] } }
  const opinion = row.plainStdout === 'instructions' ? { ...NO_OPINION, instructions: text } : NO_OPINION
  return { ...SILENT, opinion, texts: [{ kind: 'stdout', text }] }
}

function answered(answer: Json, raw: string, { row, input }: ReadContext): Result {
  const present = withoutNulls(answer)
  const isMcpTool = row.matchOn !== null && String(input[row.matchOn]).startsWith('mcp__')
  const wanted = opinionOf(present, row)
  const opinion = isMcpTool ? wanted : { ...wanted, updatedToolOutput: undefined }
  const texts: Result['texts'][number][] = []
  if (opinion.reason !== null) texts.push({ kind: opinion.blocks ? 'objection' : 'remark', text: opinion.reason })
  if (typeof present.systemMessage === 'string' && present.systemMessage !== '') {
    texts.push({ kind: 'warning', text: cleaned(present.systemMessage) })
  }
  if (present.suppressOutput !== true) texts.push({ kind: 'json', text: raw })
  const outcome = opinion.blocks ? 'blocking' : 'success'
  return { ...SILENT, outcome, answer, opinion, texts, warnings: misplacedFields(present, row, { isMcpTool, input }) }
}

/** A guard that failed is no guard that agreed: its `onFailure` says so, and the text tells how it failed. */
function closedByItself(result: Result, run: Run, { name }: ReadContext): Result {
  const timedOut = run.ended === 'timed-out'
  const failed = timedOut ? 'timed out' : 'failed'
  const words = 'stderr' in run && !timedOut ? textOf(run.stderr) : ''
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

const isTruncated = ({ kept, bytes }: Captured): boolean => bytes > kept.length
const textOf = (stream: Captured): string => cleaned(decode(stream, 'stderr').text).trim()
