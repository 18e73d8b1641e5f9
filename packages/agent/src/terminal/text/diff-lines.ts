import type { Hunk } from '../../tools/patch.ts'
import type { Tone } from './look.ts'

const TONES: Readonly<Record<string, Tone>> = { '+': 'good', '-': 'bad' }

/** A line of a change, with its number before it. */
export interface DiffLine {
  readonly text: string
  readonly tone?: Tone
}

/** The lines of a change as they are shown. */
export function toDiffLines(hunks: readonly Hunk[]): DiffLine[] {
  const lines = hunks.flatMap((hunk, at) => (at === 0 ? countHunkLines(hunk) : [GAP, ...countHunkLines(hunk)]))
  const width = Math.max(0, ...lines.map(({ number }) => String(number ?? '').length))
  return lines.map(({ number, text }) => {
    const tone = TONES[text.charAt(0)]
    return { text: `${String(number ?? '').padStart(width)} ${text}`, ...(tone === undefined ? {} : { tone }) }
  })
}

/** Stands for lines between two stretches, which stay as they are. */
const GAP: NumberedLine = { number: null, text: ' ...' }

interface NumberedLine {
  /** Of the line as it is now, and of one that is gone, as it was; null: it is no line of the file. */
  readonly number: number | null
  readonly text: string
}

function countHunkLines({ oldStart, newStart, lines }: Hunk): NumberedLine[] {
  let old = oldStart
  let now = newStart
  const isPlaced = oldStart + newStart > 0
  const ends = lines.every((line) => line.endsWith('\r') || line.startsWith('\\')) ? /\r$/ : /$/ // of a file with CRLF
  return lines.map((line) => {
    const text = line.replace(ends, '')
    if (!isPlaced) return { number: null, text }
    if (text.startsWith('\\')) return { number: null, text }
    if (text.startsWith('-')) return { number: old++, text }
    if (text.startsWith(' ')) old++
    return { number: now++, text }
  })
}
