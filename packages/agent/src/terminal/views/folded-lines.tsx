import { Box } from 'ink'
import type { ReactNode } from 'react'
import { chooseColour, type Tone } from '../text/look.ts'
import { useTerminal, useTerminalState } from './terminal-context.ts'
import { Text } from './text.tsx'

/** Lines of which the first are shown, and all of them in the verbose view. */
export function FoldedLines({
  lines,
  folded,
  bold = false,
}: {
  readonly lines: readonly { readonly text: string; readonly tone?: Tone }[]
  /** Number of are shown before they are unfolded. */
  readonly folded: number
  readonly bold?: boolean
}): ReactNode {
  const { look, signs } = useTerminal()
  const { verbose } = useTerminalState()
  const shown = verbose ? lines : lines.slice(0, folded)
  const more = lines.length - shown.length
  return (
    <Box flexDirection="column">
      {shown.map(({ text, tone }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
        <Text key={at} bold={bold} {...(tone === undefined ? {} : chooseColour(look, tone))}>
          {text}
        </Text>
      ))}
      {more === 0 ? null : <Text dimColor>{`${signs.ellipsis} ${more} more lines (Ctrl+O shows them)`}</Text>}
    </Box>
  )
}
