import { Box } from 'ink'
import type { ReactNode } from 'react'
import type { TerminalHost } from '../host.ts'
import {
  applyPress,
  type Editor,
  EMPTY,
  makeEditor,
  moveByLine,
  readWordAtCursor,
  replaceWord,
} from '../keys/editor.ts'
import { isFolded, markLast, removeMark, unfoldPastes } from '../keys/pastes.ts'
import type { Press } from '../keys/press.ts'
import { addEntry, type History, recallEntry, searchHistory, settleDraft } from '../state/history.ts'
import type { State } from '../state/state.ts'
import { foldToOneLine } from '../text/call-text.ts'
import { chooseColour } from '../text/look.ts'
import { EditorView } from './editor-view.tsx'
import { usePresses, useTerminal, useTerminalState } from './terminal-context.ts'
import { Text } from './text.tsx'
import { type Suggestions, useSuggestions } from './use-suggestions.ts'
import { useValue } from './use-value.ts'

/** Shows the place where the user types. */
export function PromptInput(): ReactNode {
  const { host, look, signs, columns } = useTerminal()
  const { editor, playing, work, history, search } = useTerminalState()
  const suggestions = useSuggestions(host, editor)
  const [chosen, setChosen] = useValue({ at: 0, hidden: '' })
  const isRecalled = history.back > 0 // a command among what was typed before does not hold the keys up
  const open = suggestions.words.length > 0 && chosen.hidden !== readWordAtCursor(editor) && !isRecalled
  const at = Math.min(chosen.at, suggestions.words.length - 1)
  usePresses((press) => {
    if (search === null && open && pressInList(host, press, { suggestions, at, choose: setChosen })) return
    pressInPrompt(host, press)
  })
  const [played] = playing
  const tone = played === undefined ? 'accent' : 'warn'
  const forPerson = work === null ? ' Ask something, / for commands' : ''
  const placeholder = played === undefined ? forPerson : ' Bash ls, or text; Enter ends the turn'
  return (
    <Box flexDirection="column" marginTop={1}>
      <Box borderStyle={signs.border} width={columns} {...makeBorder(chooseColour(look, tone))}>
        <Text {...chooseColour(look, tone)}>
          {played === undefined ? `${signs.pointer} ` : `${played.as}${signs.pointer} `}
        </Text>
        <Box flexShrink={1}>
          {search === null ? (
            <EditorView editor={editor} placeholder={placeholder} />
          ) : (
            <SearchView search={search} history={history} />
          )}
        </Box>
      </Box>
      {open ? <SuggestionList suggestions={suggestions} at={at} /> : null}
    </Box>
  )
}

/** Takes a key in the prompt, also where a dialog stands in its place. */
export function pressInPrompt(host: TerminalHost, press: Press): void {
  const { search } = host.store.get()
  if (search === null) pressInText(host, press)
  else pressInSearch(host, press, search)
}

/** Takes a key for the prompt that means nothing to a dialog; what is typed right after it is for the prompt, too. */
export function typeIntoPrompt(host: TerminalHost, press: Press): void {
  if (press.key !== 'text' && press.key !== 'paste') return
  host.typedAhead.noteTyped(performance.now())
  pressInPrompt(host, press)
}

type HistorySearch = NonNullable<State['search']>

/** Shows what is searched for, and what was found. */
function SearchView({ search, history }: { readonly search: HistorySearch; readonly history: History }): ReactNode {
  const { look } = useTerminal()
  const match = searchHistory(history, search.query, search.skip)
  return (
    <Text wrap="truncate-end">
      <Text {...chooseColour(look, 'accent')}>{`search "${search.query}": `}</Text>
      {match === null ? <Text dimColor>nothing found</Text> : foldToOneLine(match)}
    </Text>
  )
}

/** Takes a key while something is searched for: Enter takes what was found and submits it, Tab and Esc edit it. */
function pressInSearch(host: TerminalHost, press: Press, search: HistorySearch): void {
  const { store } = host
  const { history } = store.get()
  const next = updateSearch(press, search, history)
  const match = searchHistory(history, search.query, search.skip)
  const editor = makeEditor(match ?? search.query)
  store.set((state) => (next === null ? { ...state, search: null, editor } : { ...state, search: next }))
  if (press.key === 'enter' && match !== null) submitPrompt(host, editor)
}

/** Updates what is searched for after a press; null: the search is over. */
function updateSearch(press: Press, { query, skip }: HistorySearch, history: History): HistorySearch | null {
  const isFurther = press.key === 'up' || (press.key === 'ctrl' && press.letter === 'r')
  if (press.key === 'text' || press.key === 'paste') return { query: query + press.text, skip: 0 }
  if (press.key === 'backspace') return { query: query.slice(0, -1), skip: 0 }
  if (isFurther) return { query, skip: searchHistory(history, query, skip + 1) === null ? skip : skip + 1 }
  return press.key === 'down' ? { query, skip: Math.max(0, skip - 1) } : null
}

const makeBorder = ({ color }: { readonly color?: string }): object =>
  color === undefined ? {} : { borderColor: color }

interface List {
  readonly suggestions: Suggestions
  readonly at: number
  readonly choose: (chosen: { at: number; hidden: string }) => void
}

/** Takes a key while suggestions are shown; whether it means something. */
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
      choose({ at: 0, hidden: readWordAtCursor(editor) })
      return true
    case 'enter':
      if (of === 'commands' || readWordAtCursor(editor) === word) return false
      putEditor(host, replaceWord(editor, `${word} `))
      return true
    case 'tab':
      putEditor(host, replaceWord(editor, `${word} `))
      choose({ at: 0, hidden: '' })
      return true
    default:
      choose({ at: 0, hidden: '' })
      return false
  }
}

/** Takes a key in the text. */
function pressInText(host: TerminalHost, press: Press): void {
  const { editor } = host.store.get()
  switch (press.key) {
    case 'enter':
      submitPrompt(host, editor)
      break
    case 'escape':
      host.escape()
      break
    case 'up':
    case 'down':
      moveOrRecall(host, press.key === 'up' ? -1 : 1)
      break
    case 'ctrl':
      if (press.letter === 'r') host.store.set((state) => ({ ...state, search: { query: editor.text, skip: 0 } }))
      else editPrompt(host, press)
      break
    default:
      editPrompt(host, press)
  }
}

/** Edits the prompt: what was recalled and is edited is a draft like any other. */
function editPrompt({ store }: TerminalHost, press: Press): void {
  store.set((state) => {
    if (press.key === 'paste' && isFolded(press.text)) return withPaste(state, press.text)
    const whole = press.key === 'backspace' ? removeMark(state.editor) : null
    const editor = whole ?? applyPress(state.editor, press)
    return editor === null ? state : { ...state, editor, history: settleDraft(state.history) }
  })
}

/** The state with a mark in the prompt for a text that is too long to stand there. */
function withPaste(state: State, text: string): State {
  const pastes = [...state.pastes, text]
  const editor = applyPress(state.editor, { key: 'text', text: markLast(pastes) })
  return { ...state, pastes, editor: editor ?? state.editor, history: settleDraft(state.history) }
}

function submitPrompt(host: TerminalHost, { text, cursor }: Editor): void {
  if (text[cursor - 1] === '\\') {
    putEditor(host, { text: `${text.slice(0, cursor - 1)}\n${text.slice(cursor)}`, cursor })
    return
  }
  const whole = unfoldPastes(text, host.store.get().pastes)
  host.store.set((state) => ({
    ...state,
    editor: EMPTY,
    pastes: [],
    history: whole.trim() === '' ? state.history : addEntry(state.history, whole),
  }))
  host.submit(whole)
}

/** Moves between the lines of the text, and at its ends between what was typed before. */
function moveOrRecall({ store }: TerminalHost, by: -1 | 1): void {
  store.set((state) => {
    const within = moveByLine(state.editor, by)
    if (within !== null) return { ...state, editor: within }
    const last = state.queued.at(-1)
    if (by === -1 && last !== undefined && state.editor.text === '')
      return { ...state, queued: state.queued.slice(0, -1), editor: makeEditor(last) } // to be edited
    const found = recallEntry(state.history, by, state.editor.text)
    return found === null ? state : { ...state, history: found.history, editor: makeEditor(found.text) }
  })
}

function putEditor({ store }: TerminalHost, editor: Editor): void {
  store.set((state) => ({ ...state, editor }))
}

/** Suggestions that are shown at once. */
const MAX_SUGGESTIONS_SHOWN = 8

/** Shows what a word could become, below the input. */
function SuggestionList({ suggestions, at }: { readonly suggestions: Suggestions; readonly at: number }): ReactNode {
  const { look, signs } = useTerminal()
  const { words, abouts } = suggestions
  const width = Math.max(...words.map((word) => word.length))
  const first = Math.max(0, Math.min(at - Math.floor(MAX_SUGGESTIONS_SHOWN / 2), words.length - MAX_SUGGESTIONS_SHOWN))
  return (
    <Box flexDirection="column" paddingLeft={1}>
      {words.slice(first, first + MAX_SUGGESTIONS_SHOWN).map((word, index) => {
        const isChosen = first + index === at
        const about = abouts[first + index]
        return (
          <Text key={word} wrap="truncate-end" {...(isChosen ? chooseColour(look, 'accent') : {})}>
            {isChosen ? `${signs.pointer} ` : '  '}
            {about === undefined ? word : `${word.padEnd(width)}  ${about}`}
          </Text>
        )
      })}
      {words.length > MAX_SUGGESTIONS_SHOWN ? (
        <Text dimColor>{`  ${at + 1} of ${words.length}: arrows scroll`}</Text>
      ) : null}
    </Box>
  )
}
