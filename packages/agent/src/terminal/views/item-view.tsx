import { Box } from 'ink'
import type { ReactNode } from 'react'
import type { Item } from '../state/item.ts'
import { chooseColour } from '../text/look.ts'
import { CallView } from './call-view.tsx'
import { FoldedLines } from './folded-lines.tsx'
import { MarkdownView } from './markdown-view.tsx'
import { Marked } from './marked.tsx'
import { useTerminal } from './terminal-context.ts'
import { Text } from './text.tsx'
import { WorkView } from './work-view.tsx'

/** Lines of a prompt that are shown before it is unfolded. */
const FOLDED_PROMPT_LINES = 10
/** Lines of a text for the model that are shown before it is unfolded. */
const FOLDED_CONTEXT_LINES = 10

/** Items that stand close to the one before. */
const CLOSE: readonly Item['kind'][] = ['told', 'hook', 'work', 'read']

/** One thing of the conversation. */
export function ItemView({ item }: { readonly item: Item }): ReactNode {
  const { columns } = useTerminal()
  return (
    <Box width={columns} flexDirection="column" marginTop={CLOSE.includes(item.kind) ? 0 : 1}>
      <Content item={item} />
    </Box>
  )
}

function Content({ item }: { readonly item: Item }): ReactNode {
  const { look, signs } = useTerminal()
  switch (item.kind) {
    case 'banner':
      return <Banner {...item} />
    case 'user':
      return (
        <Marked sign={signs.pointer} tone="accent">
          <FoldedLines lines={toLineItems(item.text)} folded={FOLDED_PROMPT_LINES} bold />
        </Marked>
      )
    case 'model':
      return (
        <Box marginLeft={item.agent === null ? 0 : 2} flexDirection="column">
          {item.agent === null ? null : <Text dimColor>{`${item.agent}:`}</Text>}
          <MarkdownView text={item.text} />
        </Box>
      )
    case 'call':
      return <CallView call={item} />
    case 'told':
      return (
        <Marked sign={signs.hook} tone="warn">
          <Text dimColor={item.verbose}>{item.text}</Text>
        </Marked>
      )
    case 'read':
      return (
        <Marked sign={signs.result}>
          <Text dimColor>the model reads:</Text>
          <FoldedLines lines={toLineItems(item.text)} folded={FOLDED_CONTEXT_LINES} />
        </Marked>
      )
    case 'work':
      return <WorkView work={item.work} />
    case 'hook':
      return (
        <Marked sign={signs.hook}>
          <Text dimColor>{item.text}</Text>
        </Marked>
      )
    case 'note':
      return <Text {...(item.tone === 'bad' ? chooseColour(look, 'bad') : {})}>{item.text}</Text>
  }
}

function toLineItems(text: string): { readonly text: string }[] {
  return text.split('\n').map((line) => ({ text: line === '' ? ' ' : line }))
}

function Banner({ title, lines }: { readonly title: string; readonly lines: readonly string[] }): ReactNode {
  const { look, signs, columns } = useTerminal()
  return (
    <Box borderStyle={signs.border} flexDirection="column" paddingX={1} width={Math.min(columns, 80)}>
      <Text bold {...chooseColour(look, 'accent')}>
        {title}
      </Text>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
        <Text key={at}>{line === '' ? ' ' : line}</Text>
      ))}
    </Box>
  )
}
