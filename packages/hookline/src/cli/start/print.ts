import { once } from 'node:events'
import { errorCode } from '../../files/read.ts'
import { readableLines, safeJson } from '../../text/visible.ts'
import { painted } from '../view/terminal.ts'
import { leave } from './exit.ts'
import { writeDirectly } from './quick-start.ts'

/** What happens when stdout takes nothing any more. */
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

/** Whether Node's own stream is done without: until a reader is too slow for that. */
let direct = false

/** Prints past Node's stream from now on: to make one takes as long as a whole event. */
export function printDirectly(): void {
  direct = true
}

/**
 * Prints to stdout. Everything that a command says goes through here or `tell`: a terminal obeys
 * nothing of it but our own colours, whatever a file or a hook wrote. Whether the reader keeps up.
 */
export function print(text: string): boolean {
  return write(onScreen(text))
}

/** Prints a value as one line of JSON. */
export function printJson(value: object): boolean {
  return write(`${safeJson(value)}\n`)
}

/** Passes a line of another program on as it is, for a reader that is a program too. Whether that keeps up. */
export function passOn(line: Uint8Array): boolean {
  if (isLost) return true
  process.stdout.write(line)
  return process.stdout.write('\n')
}

/** Waits until a reader that is behind has caught up: what is printed does not pile up in memory. */
export async function caughtUp(keepsUp: boolean): Promise<void> {
  if (keepsUp || isLost) return
  await once(process.stdout, 'drain').catch(() => {}) // stdout takes nothing any more; `lose` has dealt with it
}

/** Says something to the user on stderr. */
export function tell(text: string): void {
  watchedStderr().write(onScreen(text))
}

/** Prints a value as one line of JSON to stderr. */
export function tellJson(value: object): void {
  watchedStderr().write(`${safeJson(value)}\n`)
}

let watched: NodeJS.WriteStream | undefined

/** Node's stream to stderr. A command decides the same when stderr is closed. */
function watchedStderr(): NodeJS.WriteStream {
  watched ??= process.stderr.on('error', () => {})
  return watched
}

/** A text with our own colours, and everything else in it written so that it can be read. */
export function onScreen(text: string): string {
  return painted(text, readableLines)
}

/** Node's stream to stdout; once it takes nothing any more, `lose` is called. */
export function watchedStdout(): NodeJS.WriteStream {
  return process.stdout.on('error', lose)
}

function write(text: string): boolean {
  if (isLost) return true
  if (!direct) return process.stdout.write(text)
  const { left, error } = writeDirectly(Buffer.from(text))
  if (error !== undefined) lose(error)
  if (left.length === 0) return true
  direct = false
  return watchedStdout().write(left)
}

/** Says nothing of a reader that has gone; a full disk is told. */
function lose(error: unknown): void {
  if (isLost) return
  isLost = true
  const code = errorCode(error)
  if (code !== 'EPIPE') tell(`hookline: stdout cannot be written (${code}).\n`)
  atLoss()
}
