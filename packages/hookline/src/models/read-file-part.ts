import { type Reach, readReadableText, resolveReadablePath, type ToolInput } from './readable-files.ts'

const MAX_LINES = 1000
const MAX_LINE_CHARS = 2000
/** Characters of one reading. */
const MAX_TEXT_CHARS = 64 * 1024

/** Reads some lines of a file for a model. */
export async function readFilePart(input: ToolInput, reach: Reach): Promise<string> {
  const { path } = input
  if (typeof path !== 'string' || path === '') return 'Read needs a path.'
  const place = await resolveReadablePath(path, reach)
  if ('refusal' in place) return place.refusal
  const content = await readReadableText(place.real)
  if ('refusal' in content) return `${path}: ${content.refusal}`
  if (content.text === '') return `${path} is empty.`
  const lines = content.text.replace(/\n$/, '').split('\n')
  const first = toAtLeastOne(input.offset, 1)
  if (first > lines.length) return `${path} has ${lines.length} lines.`
  const shown = takeFittingLines(
    lines.slice(first - 1, first - 1 + Math.min(MAX_LINES, toAtLeastOne(input.limit, MAX_LINES))),
  )
  const next = first + shown.length
  const numbered = shown.map((line, index) => `${first + index}\t${line}`)
  const rest = next > lines.length ? [] : [`(${lines.length - next + 1} more lines, from offset ${next})`]
  return [...numbered, ...rest].join('\n')
}

function toAtLeastOne(value: unknown, fallback: number): number {
  return typeof value === 'number' && value >= 1 ? Math.floor(value) : fallback
}

/** As many lines as one reading may have, at least one. */
function takeFittingLines(lines: readonly string[]): string[] {
  let left = MAX_TEXT_CHARS
  const cut = lines.map((line) => (line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line))
  return cut.filter((line) => {
    left -= line.length
    return left > 0
  })
}
