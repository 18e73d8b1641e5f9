import { Box } from 'ink'
import type { ReactNode } from 'react'
import { applyPress, type Editor, EMPTY } from '../keys/editor.ts'
import type { Dialog } from '../state/dialog.ts'
import { ChoiceList, moveChoice } from '../views/choice-list.tsx'
import { EditorView } from '../views/editor-view.tsx'
import { Frame } from '../views/frame.tsx'
import { typeIntoPrompt } from '../views/prompt-input.tsx'
import { usePresses, useTerminal } from '../views/terminal-context.ts'
import { Text } from '../views/text.tsx'
import { useValue } from '../views/use-value.ts'
import { APPROVALS, makeApproval, makePlanRefusal } from './plan-answer.ts'

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
    else typeIntoPrompt(host, press)
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
