import { Box } from 'ink'
import type { ReactNode } from 'react'
import { type Editor, EMPTY, edited, editorOf, movedLine, withWord, wordAtCursor } from '../editor.ts'
import { recalled, remembered } from '../history.ts'
import type { TerminalHost } from '../host.ts'
import { colourOf } from '../look.ts'
import type { Press } from '../press.ts'
import { EditorView } from './editor-view.tsx'
import { usePresses, useTerminal, useTerminalState } from './terminal-context.ts'
import { Text } from './text.tsx'
import { type Suggestions, useSuggestions } from './use-suggestions.ts'
import { useValue } from './use-value.ts'

/** Where the user types. */
export function PromptInput(): ReactNode {
  const { host, look, signs, columns } = useTerminal()
  const { editor, playing, work } = useTerminalState()
  const suggestions = useSuggestions(host, editor)
  const [chosen, setChosen] = useValue({ at: 0, hidden: '' })
  const open = suggestions.words.length > 0 && chosen.hidden !== wordAtCursor(editor)
  const at = Math.min(chosen.at, suggestions.words.length - 1)
  usePresses((press) => {
    if (open && pressInList(host, press, { suggestions, at, choose: setChosen })) return
    pressInText(host, press)
  })
  const [played] = playing
  const tone = played === undefined ? 'accent' : 'warn'
  const forPerson = work === null ? ' Ask something, / for commands' : ''
  const placeholder = played === undefined ? forPerson : ' Bash ls, or text; Enter ends the turn'
  return (
    <Box flexDirection="column" marginTop={1}>
      <Box borderStyle={signs.border} width={columns} {...borderOf(colourOf(look, tone))}>
        <Text {...colourOf(look, tone)}>
          {played === undefined ? `${signs.pointer} ` : `${played.as}${signs.pointer} `}
        </Text>
        <Box flexShrink={1}>
          <EditorView editor={editor} placeholder={placeholder} />
        </Box>
      </Box>
      {open ? <SuggestionList suggestions={suggestions} at={at} /> : null}
    </Box>
  )
}

const borderOf = ({ color }: { readonly color?: string }): object => (color === undefined ? {} : { borderColor: color })

interface List {
  readonly suggestions: Suggestions
  readonly at: number
  readonly choose: (chosen: { at: number; hidden: string }) => void
}

/** What a key means while suggestions are shown; whether it means something. */
function pressInList(host: TerminalHost, press: Press, { suggestions, at, choose }: List): boolean {
  const { editor } = host.store.get()
  const { words, of } = suggestions
  const word = words[at] ?? ''
  switch (press.key) {
    case 'up':
    case 'down':
      choose({ at: (at + (press.key === 'up' ? words.length - 1 : 1)) % words.length, hidden: '' })
      return true
    case 'escape':
      choose({ at: 0, hidden: wordAtCursor(editor) })
      return true
    case 'enter':
      if (of === 'commands' || wordAtCursor(editor) === word) return false
      put(host, withWord(editor, `${word} `))
      return true
    case 'tab':
      put(host, withWord(editor, `${word} `))
      choose({ at: 0, hidden: '' })
      return true
    default:
      choose({ at: 0, hidden: '' })
      return false
  }
}

/** What a key means in the text. */
function pressInText(host: TerminalHost, press: Press): void {
  const { editor } = host.store.get()
  switch (press.key) {
    case 'enter':
      enter(host, editor)
      break
    case 'escape':
      host.interrupt()
      break
    case 'up':
    case 'down':
      moveOrRecall(host, press.key === 'up' ? -1 : 1)
      break
    default:
      put(host, edited(editor, press) ?? editor)
  }
}

function enter(host: TerminalHost, { text, cursor }: Editor): void {
  const goesOn = text[cursor - 1] === '\\'
  put(host, goesOn ? { text: `${text.slice(0, cursor - 1)}\n${text.slice(cursor)}`, cursor } : EMPTY)
  if (goesOn) return
  if (text.trim() !== '') host.store.set((state) => ({ ...state, history: remembered(state.history, text) }))
  host.submit(text)
}

/** Moves between the lines of the text, and at its ends between what was typed before. */
function moveOrRecall({ store }: TerminalHost, by: -1 | 1): void {
  store.set((state) => {
    const within = movedLine(state.editor, by)
    if (within !== null) return { ...state, editor: within }
    const found = recalled(state.history, by, state.editor.text)
    return found === null ? state : { ...state, history: found.history, editor: editorOf(found.text) }
  })
}

function put({ store }: TerminalHost, editor: Editor): void {
  store.set((state) => ({ ...state, editor }))
}

/** What a word could become, below the input. */
function SuggestionList({ suggestions, at }: { readonly suggestions: Suggestions; readonly at: number }): ReactNode {
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
