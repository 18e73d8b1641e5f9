import { toReadableLines } from '../../text/visible.ts'
import { measureWidth } from '../../text/width.ts'
import { mapText } from './terminal.ts'

/** Sign where a line ends that others follow. */
const LINE_END = ' ⏎ '
const TAB = '    '

/** A text on one line, cut to a width, with an ellipsis where something is missing. */
export function clipText(text: string, width: number): string {
  const plain = onOneLine(text)
  if (measureWidth(plain) <= width) return plain
  let kept = ''
  for (const letter of plain) {
    if (measureWidth(kept + letter) > width - 1) break
    kept += letter
  }
  return `${kept}…`
}

/** A text with signs where its lines end; our colours stay as they are. */
function onOneLine(text: string): string {
  return mapText(text.trimEnd(), (part) =>
    toReadableLines(part)
      .replace(/(?<!\s)\s*\n\s*/g, LINE_END)
      .replaceAll('\t', TAB),
  )
}

/** A text as lines of at most a width, broken at spaces; words that are too long are broken too. */
function wrapText(text: string, width: number): string[] {
  return mapText(text, (part) => toReadableLines(part).replaceAll('\t', TAB))
    .split('\n')
    .flatMap((line) => wrapLine(line, Math.max(1, width)))
}

/** A text whose lines all start with the same indent. */
export function indentText(text: string, indent: string, width: number): string {
  return wrapText(text, width - indent.length)
    .map((line) => `${indent}${line}`.trimEnd())
    .join('\n')
}

/** One line, whole; what does not fit follows below it, with a sign that it is the same line. */
export function wrapHangingLine(line: string, indent: string, width: number): string {
  const [first = '', ...rest] = wrapText(line, width - indent.length - CONTINUES.length)
  return [`${indent}${first}`, ...rest.map((part) => `${indent}${CONTINUES}${part}`)].join('\n')
}

const CONTINUES = '… '

/** Rows as columns: all but the last column as wide as their widest cell, the last one wrapped. */
export function formatColumns(rows: readonly (readonly string[])[], width: number, gap = 2): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length))
  const shown = rows.map((row) => [...row.slice(0, -1).map(onOneLine), ...row.slice(-1)])
  const widths = Array.from({ length: count }, (_, at) =>
    Math.max(0, ...shown.map((row) => measureWidth(row[at] ?? ''))),
  )
  return shown.flatMap((row) => {
    const fixed = row
      .slice(0, -1)
      .map((cell, at) => padText(cell, (widths[at] ?? 0) + gap))
      .join('')
    const [first = '', ...rest] = wrapText(row.at(-1) ?? '', Math.max(10, width - measureWidth(fixed)))
    return [`${fixed}${first}`.trimEnd(), ...rest.map((line) => `${' '.repeat(measureWidth(fixed))}${line}`)]
  })
}

/** A number with the word for what it counts. */
export const formatCount = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** Milliseconds for people, in at most six characters. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 9.95) return `${milliseconds.toFixed(1)} ms`
  if (milliseconds < 999.5) return `${milliseconds.toFixed(0)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 99.95) return `${seconds.toFixed(1)} s`
  return seconds < 9999.5 ? `${seconds.toFixed(0)} s` : `${(seconds / 3600).toFixed(0)} h`
}

/** A text with spaces behind it. */
function padText(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - measureWidth(text)))
}

function wrapLine(line: string, width: number): string[] {
  const lines = ['']
  for (const word of line.split(' ')) {
    const last = lines.at(-1) ?? ''
    const joined = last === '' ? word : `${last} ${word}`
    if (measureWidth(joined) <= width) lines[lines.length - 1] = joined
    else lines.push(...splitWord(word, width))
  }
  return lines[0] === '' && lines.length > 1 ? lines.slice(1) : lines
}

function splitWord(word: string, width: number): string[] {
  const parts: string[] = ['']
  for (const letter of word) {
    const last = parts.at(-1) ?? ''
    if (measureWidth(last + letter) <= width) parts[parts.length - 1] = last + letter
    else parts.push(letter)
  }
  return parts
}
