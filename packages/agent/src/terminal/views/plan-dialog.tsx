import { Box } from 'ink'
import type { ReactNode } from 'react'
import type { Dialog } from '../dialog.ts'
import { applyPress, type Editor, EMPTY } from '../editor.ts'
import { APPROVALS, makeApproval, makePlanRefusal } from '../plan-answer.ts'
import { ChoiceList, moveChoice } from './choice-list.tsx'
import { EditorView } from './editor-view.tsx'
import { Frame } from './frame.tsx'
import { typeOn } from './prompt-input.tsx'
import { usePresses, useTerminal } from './terminal-context.ts'
import { Text } from './text.tsx'
import { useValue } from './use-value.ts'

/** Asks whether the plan that stands above is approved. */
export function PlanDialog({ answer }: Extract<Dialog, { kind: 'plan' }>): ReactNode {
  const { host } = useTerminal()
  const [at, setAt] = useValue(0)
  const [message, setMessage] = useValue<Editor | null>(null)
  const choices = [...APPROVALS.map(({ text }) => text), 'No, keep planning']
  const take = (index: number): void => {
    const chosen = APPROVALS[index]
    if (chosen === undefined) setMessage(EMPTY)
    else answer(makeApproval(chosen.mode))
  }
  usePresses((press) => {
    if (message !== null) {
      if (press.key === 'escape') return setMessage(null)
      if (press.key !== 'enter') return setMessage(applyPress(message, press) ?? message)
      return answer(makePlanRefusal(message.text))
    }
    if (press.key === 'escape') return answer({ behavior: 'deny', interrupt: true })
    if (press.key === 'text' && /^[123]$/.test(press.text)) return take(Number(press.text) - 1)
    const next = moveChoice(press, at, choices.length)
    if (next === 'take') take(at)
    else if (next !== null) setAt(next)
    else typeOn(host, press)
  })
  return (
    <Frame title="Approve this plan?" keys="Enter chooses, Esc interrupts the turn">
      {message === null ? (
        <ChoiceList choices={choices.map((text, index) => `${index + 1}. ${text}`)} at={at} most={3} />
      ) : (
        <Box>
          <Text>{'No, and say what to change: '}</Text>
          <EditorView editor={message} />
        </Box>
      )}
    </Frame>
  )
}
