import { toVisibleLines } from 'hookline/internal'
import { Box } from 'ink'
import { type ReactNode, useMemo } from 'react'
import type { PermissionUpdate } from '../../permission/update.ts'
import { applyPress, type Editor, EMPTY } from '../keys/editor.ts'
import type { Press } from '../keys/press.ts'
import type { Dialog } from '../state/dialog.ts'
import { type AskedLine, formatAskedCall } from '../text/asked-lines.ts'
import { formatCallQuestion } from '../text/call-text.ts'
import { chooseColour } from '../text/look.ts'
import { formatUpdate } from '../text/update-text.ts'
import { ChoiceList, moveChoice } from '../views/choice-list.tsx'
import { EditorView } from '../views/editor-view.tsx'
import { Frame } from '../views/frame.tsx'
import { typeIntoPrompt } from '../views/prompt-input.tsx'
import { usePresses, useTerminal } from '../views/terminal-context.ts'
import { Text } from '../views/text.tsx'
import { useValue } from '../views/use-value.ts'
import { countRows, useWindow } from '../views/use-window.ts'

type PermissionDialogProps = Extract<Dialog, { kind: 'permission' }>

/** Rows of the frame, its title, the keys below it, and what stands below a dialog. */
const ROWS_AROUND = 9
/** Rows of a reason that stand beside the choices; a longer one scrolls with what is asked for. */
const MAX_REASON_LINES = 3

/** Asks whether a call may be made. */
export function PermissionDialog({ question, change, answer }: PermissionDialogProps): ReactNode {
  const { host, look, columns, rows } = useTerminal()
  const [at, setAt] = useValue(0)
  const [message, setMessage] = useValue<Editor | null>(null)
  const choices = makeChoices(question.suggestions, answer, () => setMessage(EMPTY))
  const reasonRows = countRows(toVisibleLines(question.reason), columns - 6)
  const scrolls = reasonRows > MAX_REASON_LINES
  const lines = useMemo(() => {
    const asked = formatAskedCall(question.input, host.options.project, change)
    const reason = toVisibleLines(question.reason).split('\n')
    return scrolls ? [...asked, { text: '' }, ...reason.map((text): AskedLine => ({ text }))] : asked
  }, [question, change, host, scrolls])
  const texts = useMemo(() => lines.map(({ text }) => text), [lines])
  const choiceRows = choices.reduce((sum, { text }) => sum + countRows(text, columns - 10), 0)
  const taken = ROWS_AROUND + choiceRows + (scrolls ? 0 : reasonRows)
  const window = useWindow(texts, { columns: columns - 6, rows: Math.max(3, rows - taken) })
  usePresses((press) => {
    if (message !== null) return typeMessage(press, message, { setMessage, answer })
    const named = press.key === 'text' && /^\d$/.test(press.text) ? choices[Number(press.text) - 1] : undefined
    if (named) return named.take()
    if (press.key === 'escape') return answer({ behavior: 'deny', interrupt: true })
    if (press.key === 'page-up' || press.key === 'page-down') return window.scroll(press.key === 'page-up' ? -1 : 1)
    const next = moveChoice(press, at, choices.length)
    if (next === 'take') choices[at]?.take()
    else if (next !== null) setAt(next)
    else typeIntoPrompt(host, press)
  })
  return (
    <Frame
      title={formatCallQuestion(question.tool, question.input, host.options.project)}
      keys="Enter chooses, Esc interrupts the turn"
    >
      <Box paddingLeft={2} flexDirection="column">
        {window.shown.map(({ text, line }, index) => {
          const tone = lines[line]?.tone
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
            <Text key={index} {...(tone === undefined ? {} : chooseColour(look, tone))}>
              {text}
            </Text>
          )
        })}
      </Box>
      {window.more === 0 ? null : <Text dimColor>{`${window.more} more lines: PageUp and PageDown`}</Text>}
      {scrolls ? null : <Text dimColor>{question.reason}</Text>}
      <Box marginTop={1} flexDirection="column">
        {message === null ? (
          <ChoiceList choices={choices.map(({ text }, index) => `${index + 1}. ${text}`)} at={at} most={5} whole />
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

function makeChoices(
  suggestions: readonly PermissionUpdate[],
  answer: PermissionDialogProps['answer'],
  refuse: () => void,
): Choice[] {
  const always = suggestions.map((update) => ({
    text: `Yes, and always: ${formatUpdate(update, foldChoice)}`,
    take: () => answer({ behavior: 'allow', updatedPermissions: [update] }),
  }))
  return [
    { text: 'Yes, this once', take: () => answer({ behavior: 'allow' }) },
    ...always,
    { text: 'No, and say why', take: refuse },
  ]
}

/** Characters of a rule that are shown: one that quotes a whole command stands above already. */
const MAX_RULE_CHARS = 240

function foldChoice(text: string): string {
  const letters = [...toVisibleLines(text)]
  if (letters.length <= MAX_RULE_CHARS) return letters.join('')
  return `${letters.slice(0, MAX_RULE_CHARS).join('')}… and ${letters.length - MAX_RULE_CHARS} more characters`
}

interface TypedMessage {
  readonly setMessage: (message: Editor | null) => void
  readonly answer: PermissionDialogProps['answer']
}

function typeMessage(press: Press, message: Editor, { setMessage, answer }: TypedMessage): void {
  const text = message.text.trim()
  if (press.key === 'escape') setMessage(null)
  else if (press.key !== 'enter') setMessage(applyPress(message, press) ?? message)
  else answer({ behavior: 'deny', ...(text === '' ? {} : { message: `The user refused this call and says: ${text}` }) })
}
