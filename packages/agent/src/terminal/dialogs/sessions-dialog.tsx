import type { ReactNode } from 'react'
import type { StoredSession } from '../../transcript/sessions.ts'
import type { Dialog } from '../state/dialog.ts'
import { foldToOneLine } from '../text/call-text.ts'
import { ChoiceList, moveChoice } from '../views/choice-list.tsx'
import { Frame } from '../views/frame.tsx'
import { usePresses, useTerminal } from '../views/terminal-context.ts'
import { useValue } from '../views/use-value.ts'

/** Lets the user choose an earlier session. */
export function SessionsDialog({ sessions, answer }: Extract<Dialog, { kind: 'sessions' }>): ReactNode {
  const { rows } = useTerminal()
  const [at, setAt] = useValue(0)
  usePresses((press) => {
    if (press.key === 'escape') return answer(null)
    const next = moveChoice(press, at, sessions.length)
    if (next === 'take') answer(sessions[at]?.id ?? null)
    else if (next !== null) setAt(next)
  })
  return (
    <Frame title="Resume which session?" keys="Enter chooses, Esc closes">
      <ChoiceList choices={sessions.map(formatSession)} at={at} most={Math.max(3, rows - 10)} />
    </Frame>
  )
}

function formatSession({ changed, messages, title, firstPrompt }: StoredSession): string {
  const when = changed.toISOString().slice(0, 16).replace('T', ' ')
  const prompt = foldToOneLine(title ?? firstPrompt ?? '')
  return `${when}  ${messages === 1 ? '1 message' : `${messages} messages`}  ${prompt}`
}
