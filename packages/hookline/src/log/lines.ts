/** A longer line is not a record: all that waits for the disk together is shorter. */
const LONGEST_LINE = 32 * 1024 * 1024
const NEWLINE = 0x0a

/** The beginning of a line whose end has not been read yet. */
export interface OpenLine {
  parts: Buffer[]
  length: number
}

/** Where reading lines begins. */
export function noLine(): OpenLine {
  return { parts: [], length: 0 }
}

/** The lines that end in these bytes; the rest is kept in bounded memory. A line that is too long comes as null. */
export function splitLines(open: OpenLine, bytes: Buffer): (string | null)[] {
  const lines: (string | null)[] = []
  let start = 0
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    keep(open, bytes.subarray(start, end))
    lines.push(take(open))
    start = end + 1
  }
  keep(open, bytes.subarray(start))
  return lines
}

/** What stands behind the last newline, when it is something. */
export function lastLine(open: OpenLine): (string | null)[] {
  return open.length > 0 ? [take(open)] : []
}

function keep(open: OpenLine, bytes: Buffer): void {
  open.length += bytes.length
  if (open.length > LONGEST_LINE) open.parts = []
  else if (bytes.length > 0) open.parts.push(Buffer.from(bytes)) // the reader may use its buffer again
}

function take(open: OpenLine): string | null {
  const line = open.length > LONGEST_LINE ? null : Buffer.concat(open.parts).toString('utf8')
  Object.assign(open, noLine())
  return line
}
