import { Box } from 'ink'
import type { ReactNode } from 'react'
import { spendingText } from '../prices.ts'
import { useTerminal, useTerminalState } from './terminal-context.ts'
import { ColouredText, Text } from './text.tsx'

/** The status line, and what else is good to know at any time. */
export function Footer(): ReactNode {
  const { look, host, columns } = useTerminal()
  const { statusLine, hint, session, usage, cost, verbose } = useTerminalState()
  const facts = [
    host.modelName === 'you' ? 'you play the model' : host.modelName,
    session === null || session.mode === 'default' ? '' : String(session.mode),
    usage.inputTokens + usage.outputTokens === 0 ? '' : spendingText(usage, cost),
    verbose ? 'verbose' : '',
  ].filter((fact) => fact !== '')
  return (
    <Box flexDirection="column" width={columns}>
      {statusLine === null ? null : <ColouredText text={statusLine} colours={look.colours} />}
      <Text dimColor wrap="truncate-end">
        {hint ?? facts.join('  ')}
      </Text>
    </Box>
  )
}
