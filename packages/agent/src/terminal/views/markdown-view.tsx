import { measureWidth } from 'hookline/internal'
import { Box } from 'ink'
import type { ReactNode } from 'react'
import { chooseColour, type Tone } from '../text/look.ts'
import { type MarkdownLine, readMarkdown, type Span, type Table } from '../text/markdown.ts'
import { useTerminal } from './terminal-context.ts'
import { Text } from './text.tsx'

/** A text with light Markdown. */
export function MarkdownView({ text }: { readonly text: string }): ReactNode {
  return (
    <Box flexDirection="column">
      {readMarkdown(text.replaceAll('\t', '    ')).map((line, at) =>
        line.kind === 'table' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
          <TableView key={at} table={line} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
          <LineView key={at} line={line} />
        ),
      )}
    </Box>
  )
}

function LineView({ line }: { readonly line: MarkdownLine }): ReactNode {
  const { look, signs, columns } = useTerminal()
  const { kind, indent, spans } = line
  const before = {
    text: '',
    heading: '',
    code: '',
    rule: '',
    item: `${chooseMark(line, signs)} `,
    quote: `${signs.bar} `,
  }[kind]
  if (kind === 'rule') return <Text dimColor>{signs.line.repeat(Math.min(columns - 4, MAX_RULER_COLUMNS))}</Text>
  return (
    <Box paddingLeft={indent}>
      {before === '' ? null : <Text>{before}</Text>}
      <Box flexShrink={1}>
        <Text
          bold={kind === 'heading'}
          italic={kind === 'quote'}
          {...(kind === 'code' ? chooseColour(look, 'code') : {})}
        >
          {spans.length === 1 && spans[0]?.text === '' ? ' ' : <Spans spans={spans} />}
        </Text>
      </Box>
    </Box>
  )
}

const MAX_RULER_COLUMNS = 40

function chooseMark({ mark, isDone }: MarkdownLine, signs: { list: string; box: string; checked: string }): string {
  if (isDone === undefined) return mark || signs.list
  return isDone ? signs.checked : signs.box
}

function Spans({ spans }: { readonly spans: readonly Span[] }): ReactNode {
  return spans.map((span, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: spans have no other name
    <SpanView key={at} span={span} />
  ))
}

const TONES: Readonly<Partial<Record<Span['style'], Tone>>> = {
  code: 'code',
  link: 'accent',
  keyword: 'accent',
  string: 'good',
  number: 'warn',
  added: 'good',
  removed: 'bad',
}

function SpanView({ span: { text, style, url } }: { readonly span: Span }): ReactNode {
  const { look } = useTerminal()
  const tone = TONES[style]
  return (
    <Text
      bold={style === 'bold'}
      italic={style === 'italic'}
      strikethrough={style === 'strike'}
      underline={style === 'link'}
      dimColor={style === 'comment'}
      {...(tone === undefined ? {} : chooseColour(look, tone))}
    >
      {text}
      {url === undefined ? '' : ` (${url})`}
    </Text>
  )
}

const GAP = 2
const NARROWEST = 4

/** A table whose cells wrap where it would not fit. */
function TableView({ table: { rows } }: { readonly table: Table }): ReactNode {
  const { signs, columns } = useTerminal()
  const widths = fitWidths(rows, columns - 4)
  return (
    <Box flexDirection="column">
      {rows.map((cells, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
        <Box key={row} flexDirection="column">
          <Box columnGap={GAP}>
            {cells.map((spans, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other name
              <Box key={column} width={widths[column] ?? NARROWEST} flexShrink={0}>
                <Text bold={row === 0}>
                  <Spans spans={spans} />
                </Text>
              </Box>
            ))}
          </Box>
          {row === 0 ? (
            <Text dimColor>{widths.map((width) => signs.line.repeat(width)).join(' '.repeat(GAP))}</Text>
          ) : null}
        </Box>
      ))}
    </Box>
  )
}

/** The width of each column: what its cells need, and less for the widest where there is no room. */
function fitWidths(rows: Table['rows'], room: number): number[] {
  const [header = []] = rows
  const widths = header.map((_, column) => Math.max(1, ...rows.map((cells) => measureCell(cells[column] ?? []))))
  const most = Math.max(room - GAP * (widths.length - 1), NARROWEST * widths.length)
  while (widths.reduce((sum, width) => sum + width, 0) > most) {
    const widest = Math.max(...widths)
    if (widest <= NARROWEST) break
    widths[widths.indexOf(widest)] = widest - 1
  }
  return widths
}

function measureCell(spans: readonly Span[]): number {
  return spans.reduce(
    (sum, { text, url }) => sum + measureWidth(text) + (url === undefined ? 0 : measureWidth(url) + 3),
    0,
  )
}
