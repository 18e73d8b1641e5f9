/** A longer line is not a record: all that waits for the disk together is shorter. */
const MAX_LINE_BYTES = 32 * 1024 * 1024
const NEWLINE = 0x0a

/** The beginning of a line whose end has not been read yet. */
export interface OpenLine {
  parts: Buffer[]
  length: number
}

/** Makes the state in which reading lines begins. */
export function makeOpenLine(): OpenLine {
  return { parts: [], length: 0 }
}

/** The lines that end in these bytes; the rest is kept in bounded memory. A line that is too long comes as null. */
export function splitLines(open: OpenLine, bytes: Buffer): (string | null)[] {
  const lines: (string | null)[] = []
  let start = 0
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    lines.push(open.length === 0 ? joinLine(bytes, start, end) : takeLine(open, bytes.subarray(start, end)))
    start = end + 1
  }
  keepPart(open, bytes.subarray(start))
  return lines
}

/** The text behind the last newline, if there is any. */
export function readLastLine(open: OpenLine): (string | null)[] {
  return open.length > 0 ? [takeLine(open, Buffer.alloc(0))] : []
}

/** Most lines begin and end in the same bytes, and are not copied. */
function joinLine(bytes: Buffer, start: number, end: number): string | null {
  return end - start > MAX_LINE_BYTES ? null : bytes.toString('utf8', start, end)
}

function keepPart(open: OpenLine, bytes: Buffer): void {
  open.length += bytes.length
  if (open.length > MAX_LINE_BYTES) open.parts = []
  else if (bytes.length > 0) open.parts.push(Buffer.from(bytes)) // the reader may use its buffer again
}

function takeLine(open: OpenLine, end: Buffer): string | null {
  keepPart(open, end)
  const line = open.length > MAX_LINE_BYTES ? null : Buffer.concat(open.parts).toString('utf8')
  Object.assign(open, makeOpenLine())
  return line
}
