import { Box } from 'ink'
import type { ReactNode } from 'react'
import { chooseColour } from '../text/look.ts'
import { useTerminal } from './terminal-context.ts'
import { Text } from './text.tsx'

/** A dialog's frame, with a title and what keys do. */
export function Frame({
  title,
  keys,
  children,
}: {
  readonly title: string
  readonly keys: string
  readonly children: ReactNode
}): ReactNode {
  const { look, signs, columns } = useTerminal()
  const { color } = chooseColour(look, 'warn')
  return (
    <Box flexDirection="column" marginTop={1}>
      <Box
        borderStyle={signs.border}
        flexDirection="column"
        paddingX={1}
        width={columns}
        {...(color === undefined ? {} : { borderColor: color })}
      >
        <Text bold>{title}</Text>
        {children}
      </Box>
      <Text dimColor wrap="truncate-end">{` ${keys}`}</Text>
    </Box>
  )
}
