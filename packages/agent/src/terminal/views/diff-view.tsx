import { Box } from 'ink'
import type { ReactNode } from 'react'
import type { Hunk } from '../../tools/patch.ts'
import { numberedLines } from '../diff-lines.ts'
import { colourOf } from '../look.ts'
import { useTerminal } from './terminal-context.ts'
import { Text } from './text.tsx'

/** Lines of a change that are shown before it is unfolded. */
const FOLDED_LINES = 12

/** What changed in a file, with line numbers. */
export function DiffView({
  hunks,
  unfolded,
}: {
  readonly hunks: readonly Hunk[]
  readonly unfolded: boolean
}): ReactNode {
  const { look, signs } = useTerminal()
  const lines = numberedLines(hunks)
  const shown = unfolded ? lines : lines.slice(0, FOLDED_LINES)
  const more = lines.length - shown.length
  return (
    <Box flexDirection="column">
      {shown.map(({ text, tone }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
        <Text key={at} {...(tone === undefined ? {} : colourOf(look, tone))}>
          {text}
        </Text>
      ))}
      {more === 0 ? null : <Text dimColor>{`${signs.ellipsis} ${more} more lines (Ctrl+O shows them)`}</Text>}
    </Box>
  )
}
