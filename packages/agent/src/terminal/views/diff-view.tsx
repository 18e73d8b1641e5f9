import { cleanText } from 'hookline'
import { Box, Text } from 'ink'
import type { ReactNode } from 'react'
import type { Hunk } from '../../tools/patch.ts'
import { colourOf, type Tone } from '../look.ts'
import { useTerminal } from './terminal-context.ts'

/** Lines of a change that are shown before it is unfolded. */
const FOLDED_LINES = 12

const TONES: Readonly<Record<string, Tone>> = { '+': 'good', '-': 'bad' }

/** What changed in a file, with line numbers. */
export function DiffView({
  hunks,
  unfolded,
}: {
  readonly hunks: readonly Hunk[]
  readonly unfolded: boolean
}): ReactNode {
  const { look, signs } = useTerminal()
  const lines = hunks.flatMap(numbered)
  const shown = unfolded ? lines : lines.slice(0, FOLDED_LINES)
  const more = lines.length - shown.length
  const width = Math.max(...lines.map(({ number }) => String(number ?? '').length))
  return (
    <Box flexDirection="column">
      {shown.map(({ number, text }, at) => {
        const tone = TONES[text.charAt(0)]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
          <Text key={at} {...(tone === undefined ? {} : colourOf(look, tone))}>
            {`${String(number ?? '').padStart(width)} ${cleanText(text).replaceAll('\t', '    ')}`}
          </Text>
        )
      })}
      {more === 0 ? null : <Text dimColor>{`${signs.ellipsis} ${more} more lines (Ctrl+O shows them)`}</Text>}
    </Box>
  )
}

interface NumberedLine {
  /** Of the line as it is now, and of one that is gone, as it was; null: it is no line of the file. */
  readonly number: number | null
  readonly text: string
}

function numbered({ oldStart, newStart, lines }: Hunk): NumberedLine[] {
  let old = oldStart
  let now = newStart
  return lines.map((text) => {
    if (text.startsWith('\\')) return { number: null, text }
    if (text.startsWith('-')) return { number: old++, text }
    if (text.startsWith(' ')) old++
    return { number: now++, text }
  })
}
