import { cleanText } from 'hookline'
import { Box, Text } from 'ink'
import type { ReactNode } from 'react'
import type { PermissionUpdate } from '../../permission/update.ts'
import { inputText } from '../call-text.ts'
import type { Dialog } from '../dialog.ts'
import { type Editor, EMPTY, edited } from '../editor.ts'
import { wantedHunks } from '../hunks.ts'
import type { Press } from '../press.ts'
import { updateText } from '../update-text.ts'
import { ChoiceList, moved } from './choice-list.tsx'
import { DiffView } from './diff-view.tsx'
import { EditorView } from './editor-view.tsx'
import { Frame } from './frame.tsx'
import { usePresses, useTerminal } from './terminal-context.ts'
import { useValue } from './use-value.ts'

type Asked = Extract<Dialog, { kind: 'permission' }>

/** Asks whether a call may be made. */
export function PermissionDialog({ question, answer }: Asked): ReactNode {
  const { host } = useTerminal()
  const [at, setAt] = useValue(0)
  const [message, setMessage] = useValue<Editor | null>(null)
  const choices = choicesOf(question.suggestions, answer, () => setMessage(EMPTY))
  usePresses((press) => {
    if (message !== null) return typeMessage(press, message, { setMessage, answer })
    const named = press.key === 'text' ? choices[Number(press.text) - 1] : undefined
    if (named) return named.take()
    if (press.key === 'escape') return answer({ behavior: 'deny', interrupt: true })
    const next = moved(press, at, choices.length)
    if (next === 'take') choices[at]?.take()
    else if (next !== null) setAt(next)
  })
  return (
    <Frame title={`May ${question.tool} run?`} keys="Enter chooses, Esc interrupts the turn">
      <Box paddingLeft={2}>
        <Text>{inputText(question.input, host.options.project)}</Text>
      </Box>
      <DiffView hunks={wantedHunks(question.input)} unfolded={false} />
      <Text dimColor>{cleanText(question.reason)}</Text>
      <Box marginTop={1} flexDirection="column">
        {message === null ? (
          <ChoiceList choices={choices.map(({ text }, index) => `${index + 1}. ${text}`)} at={at} most={5} />
        ) : (
          <Box>
            <Text>{'No, and say what to do instead: '}</Text>
            <EditorView editor={message} />
          </Box>
        )}
      </Box>
    </Frame>
  )
}

interface Choice {
  readonly text: string
  readonly take: () => void
}

function choicesOf(suggestions: readonly PermissionUpdate[], answer: Asked['answer'], refuse: () => void): Choice[] {
  const always = suggestions.map((update) => ({
    text: `Yes, and always: ${updateText(update)}`,
    take: () => answer({ behavior: 'allow', updatedPermissions: [update] }),
  }))
  return [
    { text: 'Yes, this once', take: () => answer({ behavior: 'allow' }) },
    ...always,
    { text: 'No, and say why', take: refuse },
  ]
}

interface Typing {
  readonly setMessage: (message: Editor | null) => void
  readonly answer: Asked['answer']
}

function typeMessage(press: Press, message: Editor, { setMessage, answer }: Typing): void {
  const text = message.text.trim()
  if (press.key === 'escape') setMessage(null)
  else if (press.key !== 'enter') setMessage(edited(message, press) ?? message)
  else
    answer({ behavior: 'deny', ...(text === '' ? {} : { message: `The person refused this call and says: ${text}` }) })
}
