import { HooklineError } from '../files/error.ts'
import { openRegular, readErrorCode } from '../files/read.ts'

/** Some lines of a file, and how many bytes were read for them. */
export interface LineBatch {
  readonly lines: readonly string[]
  readonly bytes: number
}

const CHUNK = 1024 * 1024
/** A longer line is not kept; what is left of it counts as torn. */
const MAX_LINE_BYTES = 128 * 1024 * 1024
const LINE_FEED = 0x0a

/** The lines of a file in batches, so that files of any size fit into memory. Throws a HooklineError when it cannot be read. */
export async function* readLineBatches(path: string): AsyncGenerator<LineBatch, void, undefined> {
  let rest: Buffer[] = []
  let kept = 0
  try {
    const handle = await openRegular(path)
    for await (const chunk of handle.createReadStream({ highWaterMark: CHUNK })) {
      const bytes = chunk as Buffer // a stream without an encoding gives buffers
      const last = bytes.lastIndexOf(LINE_FEED)
      if (last < 0) {
        kept += bytes.length
        if (kept > MAX_LINE_BYTES) rest = []
        else rest.push(bytes)
        yield { lines: [], bytes: bytes.length }
        continue
      }
      const whole = Buffer.concat([...rest, bytes.subarray(0, last)]).toString('utf8')
      rest = [bytes.subarray(last + 1)]
      kept = bytes.length - last - 1
      yield { lines: whole.split('\n'), bytes: bytes.length }
    }
  } catch (error) {
    if (error instanceof HooklineError) throw error
    throw new HooklineError(`${path} cannot be read (${readErrorCode(error)}).`)
  }
  const end = Buffer.concat(rest).toString('utf8')
  if (end !== '') yield { lines: [end], bytes: 0 }
}
