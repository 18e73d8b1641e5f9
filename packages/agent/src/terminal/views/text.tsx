import { printable, printableInColour, visibleLines } from 'hookline/internal'
import { Text as InkText, type TextProps } from 'ink'
import { Children, createContext, type ReactNode, useContext } from 'react'

/** Whether what is drawn asks for a decision: there nothing is left out, and everything hidden is to be seen. */
export const Deciding = createContext(false)

const TAB = '    '

/**
 * A text on the screen. Whatever its source, it is made harmless here, and coloured by ink afterwards; so nothing else of
 * the terminal draws texts.
 */
export function Text({ children, ...style }: TextProps): ReactNode {
  const shown = useContext(Deciding) ? visibleLines : printable
  const harmless = (child: ReactNode): ReactNode =>
    typeof child === 'string' ? shown(child).replaceAll('\t', TAB) : child
  return <InkText {...style}>{Children.toArray(children).map(harmless)}</InkText>
}

/** A text that brings colours of its own, and nothing else that a terminal obeys. */
export function ColouredText({ text, colours }: { readonly text: string; readonly colours: boolean }): ReactNode {
  const shown = colours ? printableInColour(text) : printable(text)
  return <InkText wrap="truncate-end">{shown.replaceAll('\t', TAB)}</InkText>
}
