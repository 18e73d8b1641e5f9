import { Box } from 'ink'
import type { ReactNode } from 'react'
import { formatWork, type HookWork, type WorkLine } from '../state/hook-work.ts'
import type { Tone } from '../text/look.ts'
import { FoldedLines } from './folded-lines.tsx'
import { Marked } from './marked.tsx'
import { useTerminal } from './terminal-context.ts'
import { Text } from './text.tsx'

const TONES: Readonly<Record<WorkLine['sign'], Tone>> = {
  done: 'good',
  failed: 'bad',
  rewritten: 'warn',
  background: 'accent',
}

/** Lines of an input that was rewritten, before it is unfolded. */
const MAX_FOLDED_LINES = 6

/** Shows what hooks did. */
export function WorkView({ work }: { readonly work: HookWork }): ReactNode {
  const { signs } = useTerminal()
  return (
    <Box flexDirection="column">
      {formatWork(work).map(({ sign, text, below }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
        <Marked key={at} sign={signs[sign]} tone={TONES[sign]}>
          <Text dimColor={sign === 'done'}>{text}</Text>
          <FoldedLines lines={below} folded={MAX_FOLDED_LINES} />
        </Marked>
      ))}
    </Box>
  )
}
