import { once } from 'node:events'
import { fstatSync, statSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { readErrorCode } from '../../files/read.ts'
import { encodeText, endLine, type ProgramText, toJsonText, toWrittenJsonText } from '../../text/program-text.ts'
import { toReadableLines } from '../../text/visible.ts'
import { mapPainted } from '../view/terminal.ts'
import { leave } from './exit.ts'
import { writeDirectly } from './quick-start.ts'

/** Action when stdout takes nothing any more. */
let atLoss = leave
let isLost = false

/**
 * Goes on without a reader from now on, as a command must whose exit code says something: what cannot be written does not
 * change it. Everything else leaves at once, as nothing would read what it prints.
 */
export function outliveReader(act: () => void = () => {}): void {
  atLoss = act
}

/** Leaves with the last reader again, as a command must that runs until it is interrupted. */
export function leaveWithReader(): void {
  atLoss = leave
}

/** True if Node's own stream is done without: until a reader is too slow for that. */
let direct = false

/** Prints past Node's stream from now on: to make one takes as long as a whole event. */
export function printDirectly(): void {
  direct = true
}

/**
 * Prints words for people to stdout. Everything that a command says to them goes through here or `tell`: a terminal obeys
 * nothing of it but our own colours, whatever a file or a hook wrote. Whether the reader keeps up.
 */
export function print(text: string): boolean {
  return writeBytes(Buffer.from(toPrintableText(text)))
}

/** Prints lines, each with its end; false as `print` says it. */
export function printLines(lines: readonly string[]): boolean {
  return lines.length === 0 || print(`${lines.join('\n')}\n`)
}

/** Writes what a program reads to stdout, as it is. Whether the reader keeps up. */
export function printForProgram(text: ProgramText): boolean {
  return writeBytes(encodeText(text))
}

/** Writes a report for whom its format is meant. */
export function printReport(report: string | ProgramText): void {
  if (typeof report === 'string') print(report)
  else printForProgram(report)
}

/** Prints a value as one line of JSON. */
export function printJson(value: object): boolean {
  return printForProgram(endLine(toJsonText(value)))
}

/** The same for a program that gets back what it wrote: that stands as it was written. */
export function printAsWritten(value: object): boolean {
  return printForProgram(endLine(process.stdout.isTTY ? toJsonText(value) : toWrittenJsonText(value)))
}

/** Bytes for which every empty pipe has room, so that to write them without a stream does not wait. */
const MAX_BYTES_AT_ONCE = 4096
const ANSWER_TIMEOUT_MS = 10_000

/**
 * Writes an answer to stdout; resolves with why its reader cannot have all of it, null when nothing went wrong. Waits for a
 * slow reader, and not for ever. Of a call that waits for an answer also an empty one needs a reader.
 */
export async function deliver(answer: ProgramText, { isAwaited = false } = {}): Promise<string | null> {
  const bytes = encodeText(answer)
  if ((isAwaited || bytes.length > 0) && isNowhere(1)) return 'stdout is closed'
  if (bytes.length === 0) return null
  const isShort = direct && bytes.length <= MAX_BYTES_AT_ONCE
  const { left, error } = isShort ? writeDirectly(bytes) : { left: bytes }
  if (error !== undefined) return explainUnwritten(error)
  return left.length === 0 ? null : deliverSlowly(left)
}

/** True if nobody can read what is written there: Node opens the null device in the place of what is closed. */
function isNowhere(descriptor: number): boolean {
  if (process.platform === 'win32') return false // a console looks the same there
  try {
    const stats = fstatSync(descriptor)
    return stats.isCharacterDevice() && stats.rdev === statSync('/dev/null').rdev
  } catch {
    return true // the stream was closed later
  }
}

function deliverSlowly(bytes: Uint8Array): Promise<string | null> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve('stdout was not read in time'), ANSWER_TIMEOUT_MS)
    const end = (error: unknown): void => {
      clearTimeout(late)
      resolve(error ? explainUnwritten(error) : null)
    }
    process.stdout.on('error', end).write(bytes, end)
  })
}

const explainUnwritten = (error: unknown): string => `stdout cannot be written (${readErrorCode(error)})`

/** Passes a line of another program on as it is, for a reader that is a program too. Whether that keeps up. */
export function forwardLine(line: Uint8Array): boolean {
  if (isLost) return true
  process.stdout.write(line)
  return process.stdout.write('\n')
}

/** Waits until a reader that is behind has caught up: what is printed does not pile up in memory. */
export async function waitForReader(keepsUp: boolean): Promise<void> {
  if (keepsUp || isLost) return
  if (pager !== null) return waitForPager(pager)
  await once(process.stdout, 'drain').catch(() => {}) // stdout takes nothing any more; `lose` has dealt with it
}

/** Waits for a pager, unless the user has left it. */
async function waitForPager(input: Writable): Promise<void> {
  if (!input.destroyed) await Promise.race([once(input, 'drain'), once(input, 'close')]).catch(() => {}) // the pager was left
}

/** Says something to the user on stderr. */
export function tell(text: string): void {
  openStderr().write(toPrintableText(text))
}

/** Writes what a program reads to stderr: as it is, unless a terminal would show it. */
export function tellProgram(text: ProgramText): void {
  const bytes = encodeText(text)
  const stream = openStderr()
  stream.write(stream.isTTY ? toPrintableText(bytes.toString()) : bytes)
}

/** Prints a value as one line of JSON to stderr. */
export function tellJson(value: object): void {
  tellProgram(endLine(toJsonText(value)))
}

let watched: NodeJS.WriteStream | undefined

/** Node's stream to stderr. A command decides the same when stderr is closed. */
function openStderr(): NodeJS.WriteStream {
  watched ??= process.stderr.on('error', () => {})
  return watched
}

/** A text with our own colours, and everything else in it written so that it can be read. */
export function toPrintableText(text: string): string {
  return mapPainted(text, toReadableLines)
}

let opened: NodeJS.WriteStream | undefined

/**
 * Node's stream to stdout; once it takes nothing any more, `noteLostReader` is called. A script that was linked of many modules
 * loads some once more, which find it unopened.
 */
export function openStdout(): NodeJS.WriteStream {
  opened ??= process.stdout.on('error', noteLostReader)
  return opened
}

/** The pager that shows what is printed; null: stdout. */
let pager: Writable | null = null

/** Prints into a pager from now on, or to stdout again. */
export function printInto(input: Writable | null): void {
  pager = input
}

/** True while something reads what is printed. */
export function hasReader(): boolean {
  return pager === null ? !isLost : !pager.destroyed
}

function writeBytes(bytes: Uint8Array): boolean {
  if (pager !== null) return pager.destroyed || pager.write(bytes)
  if (isLost) return true
  if (!direct) return openStdout().write(bytes)
  const { left, error } = writeDirectly(bytes)
  if (error !== undefined) noteLostReader(error)
  if (left.length === 0) return true
  direct = false
  return openStdout().write(left)
}

/** Says nothing of a reader that has gone; a full disk is told. */
function noteLostReader(error: unknown): void {
  if (isLost) return
  isLost = true
  const code = readErrorCode(error)
  if (code !== 'EPIPE') tell(`hookline: stdout cannot be written (${code}).\n`)
  atLoss()
}
