import { Box } from 'ink'
import { type ReactNode, useMemo } from 'react'
import type { Dialog } from '../state/dialog.ts'
import { formatTrustLines } from '../text/trust-lines.ts'
import { ChoiceList, moveChoice } from '../views/choice-list.tsx'
import { Frame } from '../views/frame.tsx'
import { typeIntoPrompt } from '../views/prompt-input.tsx'
import { usePresses, useTerminal } from '../views/terminal-context.ts'
import { Text } from '../views/text.tsx'
import { useValue } from '../views/use-value.ts'
import { useWindow } from '../views/use-window.ts'

const CHOICES = ['Yes, trust these hooks (they run with my permissions)', 'No, continue without them']

/** Asks whether a folder's hooks may run, and shows them whole. */
export function TrustDialog({ question, answer }: Extract<Dialog, { kind: 'trust' }>): ReactNode {
  const { host, columns, rows } = useTerminal()
  const [at, setAt] = useValue(1)
  const lines = useMemo(() => formatTrustLines(question.request), [question])
  const window = useWindow(lines, { columns: columns - 4, rows: Math.max(3, rows - 14) })
  usePresses((press) => {
    if (press.key === 'escape') return answer(false)
    if (press.key === 'text' && /^[yn]$/i.test(press.text)) return answer(press.text.toLowerCase() === 'y')
    if (press.key === 'page-up' || press.key === 'page-down') return window.scroll(press.key === 'page-up' ? -1 : 1)
    const next = moveChoice(press, at, CHOICES.length)
    if (next === 'take') answer(at === 0)
    else if (next !== null) setAt(next)
    else typeIntoPrompt(host, press)
  })
  return (
    <Frame title="This folder has hooks that you do not trust yet" keys="Enter chooses, Esc refuses">
      <Text dimColor>{question.request.folder}</Text>
      <Box flexDirection="column" marginY={1}>
        {window.shown.map(({ text, line }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
          <Text key={index} bold={lines[line]?.startsWith(' ') !== true}>
            {text}
          </Text>
        ))}
        {window.more === 0 ? null : <Text dimColor>{`${window.more} more lines: PageUp and PageDown`}</Text>}
      </Box>
      <ChoiceList choices={CHOICES} at={at} most={2} />
    </Frame>
  )
}
