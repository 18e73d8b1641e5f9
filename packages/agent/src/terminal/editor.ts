import type { Press } from './press.ts'

/** A text that is being typed. */
export interface Editor {
  readonly text: string
  /** Where the next character goes, in UTF-16 units; never inside a character. */
  readonly cursor: number
}

export const EMPTY: Editor = { text: '', cursor: 0 }

/** A text with the cursor at its end. */
export function editorOf(text: string): Editor {
  return { text, cursor: text.length }
}

/** The text after a press; null: the press does not edit. */
export function edited(editor: Editor, press: Press): Editor | null {
  switch (press.key) {
    case 'text':
    case 'paste':
      return inserted(editor, press.text)
    case 'newline':
      return inserted(editor, '\n')
    case 'backspace':
      return withoutBetween(editor, before(editor), editor.cursor)
    case 'delete':
      return withoutBetween(editor, editor.cursor, after(editor))
    case 'delete-word':
      return withoutBetween(editor, wordStart(editor), editor.cursor)
    case 'left':
      return { ...editor, cursor: before(editor) }
    case 'right':
      return { ...editor, cursor: after(editor) }
    case 'word-left':
      return { ...editor, cursor: wordStart(editor) }
    case 'word-right':
      return { ...editor, cursor: wordEnd(editor) }
    case 'home':
      return { ...editor, cursor: lineStart(editor) }
    case 'end':
      return { ...editor, cursor: lineEnd(editor) }
    case 'ctrl':
      return byLetter(editor, press.letter)
    default:
      return null
  }
}

function byLetter(editor: Editor, letter: string): Editor | null {
  switch (letter) {
    case 'a':
      return { ...editor, cursor: lineStart(editor) }
    case 'e':
      return { ...editor, cursor: lineEnd(editor) }
    case 'b':
      return { ...editor, cursor: before(editor) }
    case 'f':
      return { ...editor, cursor: after(editor) }
    case 'k':
      return withoutBetween(editor, editor.cursor, lineEnd(editor))
    case 'u':
      return withoutBetween(editor, lineStart(editor), editor.cursor)
    case 'w':
      return withoutBetween(editor, wordStart(editor), editor.cursor)
    default:
      return null
  }
}

/** The cursor a line up or down, at the same column as far as there is one; null: there is no such line. */
export function movedLine({ text, cursor }: Editor, by: -1 | 1): Editor | null {
  const lines = text.split('\n')
  const upTo = text.slice(0, cursor).split('\n')
  const at = upTo.length - 1 + by
  const line = lines[at]
  if (line === undefined) return null
  const start = lines.slice(0, at).reduce((sum, each) => sum + each.length + 1, 0)
  return { text, cursor: start + Math.min(upTo.at(-1)?.length ?? 0, line.length) }
}

/** The word that ends at the cursor. */
export function wordAtCursor({ text, cursor }: Editor): string {
  return /\S*$/.exec(text.slice(0, cursor))?.[0] ?? ''
}

/** The word that ends at the cursor, replaced. */
export function withWord(editor: Editor, word: string): Editor {
  const start = editor.cursor - wordAtCursor(editor).length
  return { text: editor.text.slice(0, start) + word + editor.text.slice(editor.cursor), cursor: start + word.length }
}

function inserted({ text, cursor }: Editor, more: string): Editor {
  return { text: text.slice(0, cursor) + more + text.slice(cursor), cursor: cursor + more.length }
}

function withoutBetween({ text }: Editor, from: number, to: number): Editor {
  return { text: text.slice(0, from) + text.slice(to), cursor: from }
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Where the character before the cursor begins. */
function before({ text, cursor }: Editor): number {
  const last = [...graphemes.segment(text.slice(lastLineStart(text, cursor), cursor))].at(-1)
  return last === undefined ? Math.max(0, cursor - 1) : cursor - last.segment.length
}

function after({ text, cursor }: Editor): number {
  const [next] = graphemes.segment(text.slice(cursor, cursor + 32))
  return cursor + (next?.segment.length ?? 0)
}

const lastLineStart = (text: string, cursor: number): number =>
  cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1

function lineStart({ text, cursor }: Editor): number {
  return lastLineStart(text, cursor)
}

function lineEnd({ text, cursor }: Editor): number {
  const end = text.indexOf('\n', cursor)
  return end === -1 ? text.length : end
}

function wordStart({ text, cursor }: Editor): number {
  return /\S*\s*$/.exec(text.slice(0, cursor))?.index ?? 0
}

function wordEnd({ text, cursor }: Editor): number {
  return cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0)
}
