import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { errorCode } from '../files/read.ts'
import { readableLines, safeJson } from '../text/visible.ts'
import { painted } from './terminal.ts'

const STDOUT = 1

/** Whether Node's own stream is done without: until a reader is too slow for that. */
let direct = false

/** Prints past Node's stream from now on: to make one takes as long as a whole event. */
export function printDirectly(): void {
  direct = true
}

/**
 * Prints to stdout. Everything that a command says goes through here or `tell`: whoever wrote it, a terminal obeys
 * nothing of it but our own colours. Whether the reader keeps up.
 */
export function print(text: string): boolean {
  return write(onScreen(text))
}

/** Prints a value as one line of JSON. */
export function printJson(value: object): boolean {
  return write(`${safeJson(value)}\n`)
}

/** Waits until a reader that is behind has caught up: what is printed does not pile up in memory. */
export async function caughtUp(keepsUp: boolean): Promise<void> {
  if (!keepsUp) await once(process.stdout, 'drain')
}

/** Says something to the user on stderr. */
export function tell(text: string): void {
  process.stderr.write(onScreen(text))
}

/** Prints a value as one line of JSON to stderr. */
export function tellJson(value: object): void {
  process.stderr.write(`${safeJson(value)}\n`)
}

/** A text with our own colours, and everything else in it written so that it can be read. */
export function onScreen(text: string): string {
  return painted(text, readableLines)
}

/** Node's stream to stdout, which ends the process when nobody reads any more. */
export function watchedStdout(): NodeJS.WriteStream {
  return process.stdout.on('error', leave)
}

function write(text: string): boolean {
  if (!direct) return process.stdout.write(text)
  const left = leftOf(Buffer.from(text))
  if (left.length === 0) return true
  direct = false
  return watchedStdout().write(left)
}

/** Writes until a pipe is full that does not wait for its reader; what is left then. */
function leftOf(bytes: Uint8Array): Uint8Array {
  let left = bytes
  try {
    while (left.length > 0) left = left.subarray(writeSync(STDOUT, left))
  } catch (error) {
    if (errorCode(error) !== 'EAGAIN') leave()
  }
  return left
}

function leave(): never {
  process.exit(1)
}
