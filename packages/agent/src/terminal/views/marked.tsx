import { Box } from 'ink'
import type { ReactNode } from 'react'
import { chooseColour, type Tone } from '../text/look.ts'
import { useTerminal } from './terminal-context.ts'
import { Text } from './text.tsx'

/** Shows something with a sign before it; its lines stay beside the sign. */
export function Marked({
  sign,
  tone,
  children,
}: {
  readonly sign: string
  readonly tone?: Tone
  readonly children: ReactNode
}): ReactNode {
  const { look } = useTerminal()
  return (
    <Box>
      <Box flexShrink={0}>
        <Text {...(tone === undefined ? { dimColor: true } : chooseColour(look, tone))}>{`${sign} `}</Text>
      </Box>
      <Box flexShrink={1} flexGrow={1} flexDirection="column">
        {children}
      </Box>
    </Box>
  )
}
