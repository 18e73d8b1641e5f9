import { Box } from 'ink'
import type { ReactNode } from 'react'
import { colourOf } from '../look.ts'
import { type Line, readMarkdown, type Span } from '../markdown.ts'
import { useTerminal } from './terminal-context.ts'
import { Text } from './text.tsx'

/** A text with light Markdown. */
export function MarkdownView({ text }: { readonly text: string }): ReactNode {
  return (
    <Box flexDirection="column">
      {readMarkdown(text.replaceAll('\t', '    ')).map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
        <LineView key={at} line={line} />
      ))}
    </Box>
  )
}

function LineView({ line }: { readonly line: Line }): ReactNode {
  const { look, signs } = useTerminal()
  const { kind, indent, mark, spans } = line
  const before = { text: '', heading: '', code: '', item: `${mark || signs.list} `, quote: `${signs.bar} ` }[kind]
  const words = spans.map((span, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: spans have no other name
    <SpanView key={at} span={span} />
  ))
  return (
    <Box paddingLeft={indent}>
      {before === '' ? null : <Text>{before}</Text>}
      <Box flexShrink={1}>
        <Text bold={kind === 'heading'} italic={kind === 'quote'} {...(kind === 'code' ? colourOf(look, 'code') : {})}>
          {spans.length === 1 && spans[0]?.text === '' ? ' ' : words}
        </Text>
      </Box>
    </Box>
  )
}

function SpanView({ span }: { readonly span: Span }): ReactNode {
  const { look } = useTerminal()
  const { text, style } = span
  return (
    <Text bold={style === 'bold'} italic={style === 'italic'} {...(style === 'code' ? colourOf(look, 'code') : {})}>
      {text}
    </Text>
  )
}
