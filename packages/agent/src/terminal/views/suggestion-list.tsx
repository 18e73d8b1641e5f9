import { Box } from 'ink'
import type { ReactNode } from 'react'
import { colourOf } from '../look.ts'
import { useTerminal } from './terminal-context.ts'
import { Text } from './text.tsx'
import type { Suggestions } from './use-suggestions.ts'

/** What a word could become, below the input. */
export function SuggestionList({
  suggestions,
  at,
}: {
  readonly suggestions: Suggestions
  readonly at: number
}): ReactNode {
  const { look, signs } = useTerminal()
  const { words, abouts } = suggestions
  const width = Math.max(...words.map((word) => word.length))
  return (
    <Box flexDirection="column" paddingLeft={1}>
      {words.map((word, index) => (
        <Text key={word} wrap="truncate-end" {...(index === at ? colourOf(look, 'accent') : {})}>
          {index === at ? `${signs.pointer} ` : '  '}
          {abouts[index] === undefined ? word : `${word.padEnd(width)}  ${abouts[index]}`}
        </Text>
      ))}
    </Box>
  )
}
