import type { Press } from './press.ts'

/** A text that is being typed. */
export interface Editor {
  readonly text: string
  /** Place of the next character, in UTF-16 units; never inside a character. */
  readonly cursor: number
}

export const EMPTY: Editor = { text: '', cursor: 0 }

/** A text with the cursor at its end. */
export function makeEditor(text: string): Editor {
  return { text, cursor: text.length }
}

/** The text after a press; null: the press does not edit. */
export function applyPress(editor: Editor, press: Press): Editor | null {
  switch (press.key) {
    case 'text':
    case 'paste':
      return insertText(editor, press.text)
    case 'newline':
      return insertText(editor, '\n')
    case 'backspace':
      return removeBetween(editor, findBefore(editor), editor.cursor)
    case 'delete':
      return removeBetween(editor, editor.cursor, findAfter(editor))
    case 'delete-word':
      return removeBetween(editor, findWordStart(editor), editor.cursor)
    case 'left':
      return { ...editor, cursor: findBefore(editor) }
    case 'right':
      return { ...editor, cursor: findAfter(editor) }
    case 'word-left':
      return { ...editor, cursor: findWordStart(editor) }
    case 'word-right':
      return { ...editor, cursor: findWordEnd(editor) }
    case 'home':
      return { ...editor, cursor: findLineStart(editor) }
    case 'end':
      return { ...editor, cursor: findLineEnd(editor) }
    case 'ctrl':
      return applyControlLetter(editor, press.letter)
    default:
      return null
  }
}

function applyControlLetter(editor: Editor, letter: string): Editor | null {
  switch (letter) {
    case 'a':
      return { ...editor, cursor: findLineStart(editor) }
    case 'e':
      return { ...editor, cursor: findLineEnd(editor) }
    case 'b':
      return { ...editor, cursor: findBefore(editor) }
    case 'f':
      return { ...editor, cursor: findAfter(editor) }
    case 'k':
      return removeBetween(editor, editor.cursor, findLineEnd(editor))
    case 'u':
      return removeBetween(editor, findLineStart(editor), editor.cursor)
    case 'w':
      return removeBetween(editor, findWordStart(editor), editor.cursor)
    default:
      return null
  }
}

/** The cursor a line up or down, at the same column as far as there is one; null: there is no such line. */
export function moveByLine({ text, cursor }: Editor, by: -1 | 1): Editor | null {
  const lines = text.split('\n')
  const upTo = text.slice(0, cursor).split('\n')
  const at = upTo.length - 1 + by
  const line = lines[at]
  if (line === undefined) return null
  const start = lines.slice(0, at).reduce((sum, each) => sum + each.length + 1, 0)
  return { text, cursor: start + Math.min(upTo.at(-1)?.length ?? 0, line.length) }
}

/** The word that ends at the cursor. */
export function readWordAtCursor({ text, cursor }: Editor): string {
  return /\S*$/.exec(text.slice(0, cursor))?.[0] ?? ''
}

/** The word that ends at the cursor, replaced. */
export function replaceWord(editor: Editor, word: string): Editor {
  const start = editor.cursor - readWordAtCursor(editor).length
  return { text: editor.text.slice(0, start) + word + editor.text.slice(editor.cursor), cursor: start + word.length }
}

function insertText({ text, cursor }: Editor, more: string): Editor {
  return { text: text.slice(0, cursor) + more + text.slice(cursor), cursor: cursor + more.length }
}

function removeBetween({ text }: Editor, from: number, to: number): Editor {
  return { text: text.slice(0, from) + text.slice(to), cursor: from }
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Finds the beginning of the character before the cursor. */
function findBefore({ text, cursor }: Editor): number {
  const last = [...graphemes.segment(text.slice(findLastLineStart(text, cursor), cursor))].at(-1)
  return last === undefined ? Math.max(0, cursor - 1) : cursor - last.segment.length
}

function findAfter({ text, cursor }: Editor): number {
  const [next] = graphemes.segment(text.slice(cursor, cursor + 32))
  return cursor + (next?.segment.length ?? 0)
}

const findLastLineStart = (text: string, cursor: number): number =>
  cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1

function findLineStart({ text, cursor }: Editor): number {
  return findLastLineStart(text, cursor)
}

function findLineEnd({ text, cursor }: Editor): number {
  const end = text.indexOf('\n', cursor)
  return end === -1 ? text.length : end
}

function findWordStart({ text, cursor }: Editor): number {
  return /\S*\s*$/.exec(text.slice(0, cursor))?.index ?? 0
}

function findWordEnd({ text, cursor }: Editor): number {
  return cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0)
}
