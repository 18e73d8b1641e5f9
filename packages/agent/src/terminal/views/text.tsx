import { toPrintable, toPrintableInColour, toVisibleLines } from 'hookline/internal'
import { Text as InkText, type TextProps, Transform } from 'ink'
import { Children, createContext, type ReactNode, useContext } from 'react'

/** True if what is drawn asks for a decision: there nothing is left out, and everything hidden is to be seen. */
export const Deciding = createContext(false)

const TAB = '    '

/**
 * A text on the screen. Whatever its source, it is made harmless here, and coloured by ink afterwards; so nothing else of
 * the terminal draws texts.
 */
export function Text({ children, ...style }: TextProps): ReactNode {
  const shown = useContext(Deciding) ? toVisibleLines : toPrintable
  const isInner = useContext(InText)
  const toHarmless = (child: ReactNode): ReactNode =>
    typeof child === 'string' ? shown(child).replaceAll('\t', TAB) : child
  const text = <InkText {...style}>{Children.toArray(children).map(toHarmless)}</InkText>
  if (isInner || (style.wrap ?? 'wrap') !== 'wrap') return text
  return (
    <InText.Provider value={true}>
      <Transform transform={trimRow}>
        <Transform transform={keepIndents}>{text}</Transform>
      </Transform>
    </InText.Provider>
  )
}

/** True within a text: its parts are wrapped as one. */
const InText = createContext(false)

/** Stands for a blank that a line begins with, since ink leaves the blank at which it wraps at the beginning of a row. */
const INDENT = '\u00a0'
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours stand before the text
const LINE_BEGINNING = /^((?:\u001b\[[\d;]*m)*)( +)/gm
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours stand before the text, and the cursor (7) is a blank that stays
const ROW_BEGINNING = /^((?:\u001b\[(?!7m)[\d;]*m)*) +/

/** Marks the indents of lines, before they are wrapped into rows. */
function keepIndents(text: string): string {
  return text.replace(LINE_BEGINNING, (_, style, blanks) => `${style}${INDENT.repeat(blanks.length)}`)
}

/** A row without the blank at which its line was wrapped. */
function trimRow(row: string, at: number): string {
  const trimmed = at === 0 ? row : row.replace(ROW_BEGINNING, '$1')
  return trimmed.replaceAll(INDENT, ' ')
}

/** A text that brings colours of its own, and nothing else that a terminal obeys. */
export function ColouredText({ text, colours }: { readonly text: string; readonly colours: boolean }): ReactNode {
  const shown = colours ? toPrintableInColour(text) : toPrintable(text)
  return <InkText wrap="truncate-end">{shown.replaceAll('\t', TAB)}</InkText>
}
