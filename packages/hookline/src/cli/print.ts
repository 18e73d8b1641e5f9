import { writeSync } from 'node:fs'
import { errorCode } from '../files/read.ts'

const STDOUT = 1

/** Node's own stream, once a reader was too slow to do without. */
let stream: NodeJS.WriteStream | undefined

/** Prints to stdout at once, past Node's stream: to make one takes as long as a whole event. */
export function print(text: string): void {
  const left = stream ? text : leftOf(Buffer.from(text))
  if (left.length === 0) return
  stream ??= watchedStdout()
  stream.write(left)
}

/** Node's stream to stdout, which ends the process when nobody reads any more. */
export function watchedStdout(): NodeJS.WriteStream {
  return process.stdout.on('error', leave)
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
