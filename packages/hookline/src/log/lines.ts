/** A longer line is not a record: all that waits for the disk together is shorter. */
const MAX_LINE_BYTES = 32 * 1024 * 1024
const NEWLINE = 0x0a

/** A line of a file, with its place among the bytes of it. */
export interface FileLine extends ByteSpan {
  /** Text of the line; null where it is too long. */
  readonly text: string | null
}

/** A part of a file. */
export interface ByteSpan {
  /** Bytes before it. */
  readonly offset: number
  /** Bytes of it, without a newline at the end. */
  readonly bytes: number
}

/** The beginning of a line whose end has not been read yet. */
export interface OpenLine {
  /** Place in the file at which it begins. */
  offset: number
  parts: Buffer[]
  length: number
}

/** Makes the state in which reading lines begins. */
export function makeOpenLine(offset = 0): OpenLine {
  return { offset, parts: [], length: 0 }
}

/** The lines that end in these bytes; the rest is kept in bounded memory. */
export function splitLines(open: OpenLine, bytes: Buffer): FileLine[] {
  const lines: FileLine[] = []
  let start = 0
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    lines.push(
      open.length === 0 ? joinLine(open, bytes.subarray(start, end)) : takeLine(open, bytes.subarray(start, end)),
    )
    open.offset++ // the newline
    start = end + 1
  }
  keepPart(open, bytes.subarray(start))
  return lines
}

/** The text behind the last newline, if there is any. */
export function readLastLine(open: OpenLine): FileLine[] {
  return open.length > 0 ? [takeLine(open, Buffer.alloc(0))] : []
}

/** Most lines begin and end in the same bytes, and are not copied. */
function joinLine(open: OpenLine, bytes: Buffer): FileLine {
  const { offset } = open
  open.offset += bytes.length
  return { text: bytes.length > MAX_LINE_BYTES ? null : bytes.toString('utf8'), offset, bytes: bytes.length }
}

function keepPart(open: OpenLine, bytes: Buffer): void {
  open.length += bytes.length
  if (open.length > MAX_LINE_BYTES) open.parts = []
  else if (bytes.length > 0) open.parts.push(Buffer.from(bytes)) // the reader may use its buffer again
}

function takeLine(open: OpenLine, end: Buffer): FileLine {
  keepPart(open, end)
  const { offset, length } = open
  const text = length > MAX_LINE_BYTES ? null : Buffer.concat(open.parts).toString('utf8')
  Object.assign(open, makeOpenLine(offset + length))
  return { text, offset, bytes: length }
}
