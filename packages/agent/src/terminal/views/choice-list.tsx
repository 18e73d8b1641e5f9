import { Box } from 'ink'
import type { ReactNode } from 'react'
import type { Press } from '../keys/press.ts'
import { chooseColour } from '../text/look.ts'
import { useTerminal } from './terminal-context.ts'
import { Text } from './text.tsx'

/** Choices below each other, the chosen one marked; of many, those around it. Those that are `whole` are never cut. */
export function ChoiceList({
  choices,
  at,
  most,
  whole = false,
}: {
  readonly choices: readonly string[]
  readonly at: number
  readonly most: number
  readonly whole?: boolean
}): ReactNode {
  const { look, signs } = useTerminal()
  const wrap: 'wrap' | 'truncate-end' = whole ? 'wrap' : 'truncate-end'
  const first = Math.max(0, Math.min(at - Math.floor(most / 2), choices.length - most))
  return (
    <Box flexDirection="column">
      {choices.slice(first, first + most).map((choice, index) => {
        const isChosen = first + index === at
        const style = { wrap, ...(isChosen ? chooseColour(look, 'accent') : {}) }
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same choice may stand there twice
          <Text key={first + index} {...style}>
            {isChosen ? `${signs.pointer} ` : '  '}
            {choice}
          </Text>
        )
      })}
      {choices.length > most ? <Text dimColor>{`  ${at + 1} of ${choices.length}`}</Text> : null}
    </Box>
  )
}

/** Finds where a key leads among choices: another one, this one (`take`), or nowhere (null). */
export function moveChoice(press: Press, at: number, count: number): number | 'take' | null {
  switch (press.key) {
    case 'up':
      return (at + count - 1) % count
    case 'down':
    case 'tab':
      return (at + 1) % count
    case 'home':
      return 0
    case 'end':
      return count - 1
    case 'page-up':
      return Math.max(0, at - 10)
    case 'page-down':
      return Math.min(count - 1, at + 10)
    case 'enter':
      return 'take'
    default:
      return null
  }
}
