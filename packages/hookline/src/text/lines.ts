const NEWLINE = 0x0a

/** A line as it was written, without its end, or how long one was that is too long to be kept. */
export type Line = Buffer | { readonly tooLong: number }

/** Reads lines of up to `longest` bytes, without blank ones unless these mean something. What stands behind the last newline is a line too. */
export async function* readStreamLines(
  stream: AsyncIterable<Buffer>,
  longest: number,
  { blank = false }: { readonly blank?: boolean } = {},
): AsyncGenerator<Line> {
  let parts: Buffer[] = []
  let length = 0
  const takeWhole = (): Line[] => {
    const line: Line = length > longest ? { tooLong: length } : Buffer.concat(parts)
    parts = []
    length = 0
    return !blank && Buffer.isBuffer(line) && line.toString('latin1').trim() === '' ? [] : [line]
  }
  const keep = (part: Buffer): void => {
    length += part.length
    if (length > longest) parts = []
    else parts.push(part)
  }
  for await (const chunk of readUntilDestroyed(stream)) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, end))
      yield* takeWhole()
      start = end + 1
    }
    keep(chunk.subarray(start))
  }
  yield* takeWhole()
}

async function* readUntilDestroyed(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* stream
  } catch {
    // the stream was destroyed, or its other end has broken: there is no more
  }
}
