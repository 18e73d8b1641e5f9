import { Box } from 'ink'
import type { ReactNode } from 'react'
import { type HookWork, type WorkLine, workLines } from '../hook-work.ts'
import { colourOf, type Tone } from '../look.ts'
import { Marked } from './marked.tsx'
import { useTerminal, useTerminalState } from './terminal-context.ts'
import { Text } from './text.tsx'

const TONES: Readonly<Record<WorkLine['sign'], Tone>> = {
  done: 'good',
  failed: 'bad',
  rewritten: 'warn',
  background: 'accent',
}

/** Lines of an input that was rewritten, before it is unfolded. */
const FOLDED_LINES = 6

/** What hooks did. */
export function WorkView({ work }: { readonly work: HookWork }): ReactNode {
  const { signs } = useTerminal()
  return (
    <Box flexDirection="column">
      {workLines(work).map(({ sign, text, below }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
        <Marked key={at} sign={signs[sign]} tone={TONES[sign]}>
          <Text dimColor={sign === 'done'}>{text}</Text>
          <Below lines={below} />
        </Marked>
      ))}
    </Box>
  )
}

function Below({ lines }: { readonly lines: WorkLine['below'] }): ReactNode {
  const { look, signs } = useTerminal()
  const { verbose } = useTerminalState()
  const shown = verbose ? lines : lines.slice(0, FOLDED_LINES)
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
