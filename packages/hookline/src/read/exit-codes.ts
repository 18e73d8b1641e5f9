import { isUtf8 } from 'node:buffer'
import type { CapturedStream } from '../process/process-run.ts'
import type { Meaning } from '../protocol/hook-type.ts'
import type { AnswerRules } from '../protocol/rules.ts'
import { removeControls } from '../text/clean.ts'
import { isObject } from '../text/json.ts'
import { parseStrictly } from '../text/strict-json.ts'
import { describeTooLong, readAnswer, toResult } from './answer.ts'
import { type JsonObject, readStdoutReason, understandText } from './answer-text.ts'
import { NO_OPINION } from './opinion.ts'
import { makeFailure, makeProcessFailure, type ReadContext, type Result, SILENT } from './result.ts'

type ExitedRun = Extract<Meaning, { is: 'exited' }>

/** Readers of an exit code beside what was printed, by which codes let an answer count. */
export const EXIT_READERS: Readonly<Record<AnswerRules['count'], (run: ExitedRun, context: ReadContext) => Result>> = {
  'at-exit-0': (run, context) => {
    if (run.code === 0) return readSuccess(run, context)
    if (run.code === 2) return readObjection(run, context)
    const warnings = [run.hint ?? [], decode(run.stderr, 'stderr').warnings, warnOfIgnoredAnswer(run.stdout)].flat()
    return withWarnings(readFailure(run, context), warnings)
  },
  'at-any-exit': (run, context) => {
    if (run.code === 0) return readSuccess(run, context)
    const { text, warnings } = decode(run.stdout, 'stdout')
    const said = understandText(text, context.row, { truncated: isTruncated(run.stdout) })
    if (said.said === 'answer')
      return withWarnings(readAnswerBesideFailure(said, { ...run, how: `exit code ${run.code}` }, context), warnings)
    const faults = 'faults' in said ? said.faults : []
    if (run.code === 2) return readObjection(run, context, faults)
    if (said.said === 'ambiguous') return withWarnings(toResult(said, context), warnings)
    return withWarnings(readFailure(run, context), [...[run.hint ?? []].flat(), ...warnings, ...faults])
  },
}

function readSuccess(run: ExitedRun, context: ReadContext): Result {
  const { text, warnings } = decode(run.stdout, 'stdout')
  const said = understandText(text, context.row, { truncated: isTruncated(run.stdout) })
  return withWarnings(toResult(said, run.plainTextIsContext === false ? dropContext(context) : context), warnings)
}

/** For a hook whose plain text is not told to the model. */
function dropContext(context: ReadContext): ReadContext {
  const { row } = context
  return row.plainStdout === 'context' ? { ...context, row: { ...row, plainStdout: 'verbose' } } : context
}

function readFailure({ code, stdout, stderr }: ExitedRun, context: ReadContext): Result {
  return withStdout(makeProcessFailure(context, toStreamText(stderr), `exit code ${code}`), stdout)
}

/** An answer that counts beside a failing code: the code may block as well, which the answer cannot undo. */
function readAnswerBesideFailure(
  { answer, raw }: { answer: JsonObject; raw: string },
  run: Unsuccessful,
  context: ReadContext,
): Result {
  const { row, name } = context
  const { hookSpecificOutput: _specific, ...common } = answer
  const result = readAnswer(row.specificOnlyAtExit0 ? common : answer, raw, context)
  const blocks = row.blocksOn === 'any-failure' || (row.blocksOn === 'exit-2' && run.code === 2)
  if (result.opinion.blocks) return result
  if (!blocks) return run.code === 2 ? result : { ...result, failed: run.how }
  const reason = toStreamText(run.stderr) || NO_STDERR
  const opinion = {
    ...result.opinion,
    blocks,
    reason,
    permission: null,
    updatedInput: null,
    updatedPermissions: null,
  }
  const texts = result.texts.filter(({ kind }) => kind !== 'remark')
  const objecting: Result['texts'] = [{ kind: 'objection', text: `[${name}]: ${reason}` }, ...texts]
  return { ...result, outcome: 'blocking', opinion, texts: objecting, failed: run.code === 2 ? null : run.how }
}

/** End of a process that did not succeed; without a code: by force. */
interface Unsuccessful {
  readonly code?: number
  readonly how: string
  readonly stderr: CapturedStream
}

/** An answer that counts although its process was ended by force; null: there is none, or it does not count. */
export const ANSWERS_OF_FAILED: Readonly<
  Record<AnswerRules['count'], (stdout: CapturedStream, run: Unsuccessful, context: ReadContext) => Result | null>
> = {
  'at-exit-0': () => null,
  'at-any-exit': (stdout, run, context) => {
    const { text } = decode(stdout, 'stdout')
    const said = understandText(text, context.row, { truncated: isTruncated(stdout) })
    return said.said === 'answer' ? readAnswerBesideFailure(said, run, context) : null
  },
}

/** Messages of interpreters, with exit code 2, when they cannot even open or read the script. */
const LAUNCH_FAILURE =
  /^(?:\S*python[\d.]*: can't open file |\S*sh: (?:line )?\d+: (?:cannot open|[Ss]yntax error|.*unexpected (?:EOF|token|end of file)))/m
const MISSING_FILE = /No such file|can't open file|cannot open/

const NO_STDERR = 'No stderr output'

/** Exit 2: blocks where the event can block, else the user may be told. A hook without a word on stderr gives its reason on stdout. */
function readObjection(
  { stdout, stderr: stream }: ExitedRun,
  { row, name }: ReadContext,
  unread: readonly string[] = warnOfIgnoredAnswer(stdout),
): Result {
  const stderr = toStreamText(stream)
  if (row.missingFileIsHarmless && stdout.bytes === 0 && MISSING_FILE.test(stderr))
    return makeFailure(stderr, 'exit code 2')
  const onStdout = stderr === '' ? findStreamReason(stdout, name) : ''
  const reason = stderr || onStdout || NO_STDERR
  const text = `[${name}]: ${reason}`
  const warnings = [
    ...decode(stream, 'stderr').warnings,
    ...(onStdout === '' ? [] : decode(stdout, 'stdout').warnings),
    ...(onStdout !== '' && isAnswerStart(stdout) ? [ONLY_THE_REASON] : []),
    ...(onStdout === '' ? unread : []),
    ...(LAUNCH_FAILURE.test(stderr) ? ['this looks like a program that could not start, not like a decision'] : []),
  ]
  if (row.blocksOn === 'never') {
    const texts: Result['texts'] = row.harmlessExit2To === 'none' ? [] : [{ kind: 'remark', text }]
    const result: Result = { ...SILENT, outcome: 'non_blocking_error', texts, warnings }
    return onStdout === '' ? withStdout(result, stdout) : result
  }
  const opinion = { ...NO_OPINION, blocks: true, reason }
  const result: Result = { ...SILENT, outcome: 'blocking', opinion, texts: [{ kind: 'objection', text }], warnings }
  return onStdout === '' ? withStdout(result, stdout) : result
}

const ONLY_THE_REASON = 'with exit code 2 only the reason of an answer on stdout counts, and only when stderr is empty'

function findStreamReason(stdout: CapturedStream, name: string): string {
  return isTruncated(stdout) && isAnswerStart(stdout)
    ? describeTooLong(name)
    : readStdoutReason(decode(stdout, 'stdout').text)
}

/** Shows the stdout of a hook that failed or blocked in the verbose view too, unless the hook asked for it not to be shown. */
export function withStdout(result: Result, stdout: CapturedStream): Result {
  const text = toStreamText(stdout)
  return text === '' || isSuppressed(text) ? result : { ...result, texts: [...result.texts, { kind: 'stdout', text }] }
}

function isSuppressed(text: string): boolean {
  const parsed = text.startsWith('{') ? parseStrictly(text) : { value: null }
  return 'value' in parsed && isObject(parsed.value) && parsed.value.suppressOutput === true
}

function withWarnings(result: Result, warnings: readonly string[]): Result {
  return { ...result, warnings: [...warnings, ...result.warnings] }
}

/** Some clients read JSON whatever the exit code; authors who come from there are told. */
function warnOfIgnoredAnswer(stdout: CapturedStream): string[] {
  return isAnswerStart(stdout) ? ['stdout is ignored unless the exit code is 0'] : []
}

const isAnswerStart = (stdout: CapturedStream): boolean => toStreamText(stdout).startsWith('{')
const isTruncated = ({ kept, bytes }: CapturedStream): boolean => bytes > kept.length

/** Reads a stream as text, without what does not belong on a screen. */
export const toStreamText = (stream: CapturedStream): string => removeControls(decode(stream, 'stderr').text).trim()

/** Bytes as text, with what was odd about them. */
interface DecodedStream {
  readonly text: string
  readonly warnings: readonly string[]
}

/**
 * Decodes a stream once, as a whole: UTF-8, or UTF-16 when a mark says so, as PowerShell writes it, or its zeros, as `cmd /u`
 * does. Never fails.
 */
export function decode({ kept, bytes }: CapturedStream, name: string): DecodedStream {
  const [first, second] = kept
  if (second === 0 && hasZerosOfUtf16(kept)) return { text: kept.toString('utf16le'), warnings: [decodeUtf16(name)] }
  if (first === 0xff && second === 0xfe) return { text: kept.toString('utf16le'), warnings: [decodeUtf16(name)] }
  if (first === 0xfe && second === 0xff)
    return { text: swapBytes(kept).toString('utf16le'), warnings: [decodeUtf16(name)] }
  const whole = bytes === kept.length
  const warnings =
    whole && !isUtf8(kept) ? [`${name} is not valid UTF-8; what could not be read is shown as \uFFFD${ADVICE}`] : []
  return { text: kept.toString('utf8'), warnings }
}

/** advice for the shell of Windows, which prints in the code page of its console. */
const ADVICE = process.platform === 'win32' ? '; in a command of cmd, chcp 65001 has programs write UTF-8' : ''

const decodeUtf16 = (name: string): string => `${name} is UTF-16, not UTF-8; it was read all the same`

/** In UTF-16 without a mark, every second byte of a text in Latin letters is zero; other letters may be among them. */
function hasZerosOfUtf16(bytes: Buffer): boolean {
  let zeros = 0
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    if (bytes[at + 1] === 0) zeros++
    if (bytes[at] === 0 && bytes[at + 1] === 0) return false // no text has such a character
  }
  return zeros * 4 >= bytes.length && !/\p{Surrogate}./u.test(bytes.toString('utf16le'))
}

function swapBytes(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16()
}
