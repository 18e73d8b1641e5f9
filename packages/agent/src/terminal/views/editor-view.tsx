import { Box } from 'ink'
import type { ReactNode } from 'react'
import type { Editor } from '../keys/editor.ts'
import { Text } from './text.tsx'

/** Lines of a long text that are shown around the cursor. */
const MAX_EDITOR_LINES = 8

/** A text that is being typed, with the cursor in it. */
export function EditorView({
  editor,
  placeholder = '',
}: {
  readonly editor: Editor
  readonly placeholder?: string
}): ReactNode {
  const { text, cursor } = editor
  if (text === '')
    return (
      <Text>
        <Text inverse> </Text>
        <Text dimColor>{placeholder}</Text>
      </Text>
    )
  const lines = text.replaceAll('\t', ' ').split('\n')
  const before = text.slice(0, cursor).split('\n')
  const at = before.length - 1
  const column = before.at(-1)?.length ?? 0
  const first = Math.max(0, Math.min(at - MAX_EDITOR_LINES + 1, lines.length - MAX_EDITOR_LINES))
  return (
    <Box flexDirection="column">
      {lines.slice(first, first + MAX_EDITOR_LINES).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
        <LineView key={index} line={line} column={first + index === at ? column : null} />
      ))}
    </Box>
  )
}

function LineView({ line, column }: { readonly line: string; readonly column: number | null }): ReactNode {
  if (column === null) return <Text>{line === '' ? ' ' : line}</Text>
  const under = String.fromCodePoint(line.codePointAt(column) ?? 0x20)
  return (
    <Text>
      {line.slice(0, column)}
      <Text inverse>{under}</Text>
      {line.slice(column + under.length)}
    </Text>
  )
}
