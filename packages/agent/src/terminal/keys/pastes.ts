import type { Editor } from './editor.ts'

/** Longer pasted texts are folded in the prompt. */
const MAX_PASTED_LINES = 10

/** Stands in the prompt for a folded text: its number and its lines. */
const PASTE_MARK = /\[pasted text (\d+): (\d+) lines\]/g
const MARK_BEFORE_CURSOR = new RegExp(`${PASTE_MARK.source}$`)

/** True if a pasted text is too long to be shown where it is typed. */
export function isFolded(text: string): boolean {
  return countLines(text) > MAX_PASTED_LINES
}

/** The mark that stands for the last of the pasted texts. */
export function markLast(pastes: readonly string[]): string {
  return `[pasted text ${pastes.length}: ${countLines(pastes.at(-1) ?? '')} lines]`
}

/** The prompt with every pasted text in the place of its mark; a mark that was edited, or typed by hand, is a text. */
export function unfoldPastes(text: string, pastes: readonly string[]): string {
  return text.replace(PASTE_MARK, (mark, number, lines) => {
    const pasted = pastes[Number(number) - 1]
    return pasted !== undefined && countLines(pasted) === Number(lines) ? pasted : mark
  })
}

/** The editor without the mark before its cursor; null: there is none. */
export function removeMark({ text, cursor }: Editor): Editor | null {
  const found = MARK_BEFORE_CURSOR.exec(text.slice(0, cursor))
  return found === null ? null : { text: text.slice(0, found.index) + text.slice(cursor), cursor: found.index }
}

function countLines(text: string): number {
  return text.replace(/\n$/, '').split('\n').length
}
