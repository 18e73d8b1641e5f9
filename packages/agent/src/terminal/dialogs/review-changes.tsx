import type { Engine, PendingChange } from 'hookline'
import { toVisibleLines } from 'hookline/internal'
import { type ReactNode, useMemo } from 'react'
import { chooseColour, type Tone } from '../text/look.ts'
import { Frame } from '../views/frame.tsx'
import { usePresses, useTerminal } from '../views/terminal-context.ts'
import { Text } from '../views/text.tsx'
import { useWindow } from '../views/use-window.ts'

interface Props {
  readonly engine: Engine
  readonly changes: readonly PendingChange[]
  readonly back: (said: string) => void
}

const TONES: Readonly<Record<string, Tone>> = { '+': 'good', '-': 'bad' }

/** Shows what was edited on disk, to be taken over or not. */
export function ReviewChanges({ engine, changes, back }: Props): ReactNode {
  const { look, columns, rows } = useTerminal()
  const shown = useMemo(() => formatChanges(changes), [changes])
  const window = useWindow(shown, { columns: columns - 4, rows: Math.max(5, rows - 8) })
  usePresses((press) => {
    if (press.key === 'escape' || changes.length === 0) return back('The session keeps the hooks it has.')
    if (press.key === 'up' || press.key === 'page-up') return window.scroll(-1)
    if (press.key === 'down' || press.key === 'page-down') return window.scroll(1)
    if (press.key !== 'text') return
    if (press.text === 'n') back('The change is rejected: the session keeps the hooks it has.')
    if (press.text === 'y') void acceptChanges(engine, back)
  })
  return (
    <Frame title="Changes on disk" keys="y: trust them, n: reject them, arrows scroll, Esc goes back">
      {window.shown.map(({ text, line }, at) => {
        const tone = TONES[shown[line]?.charAt(0) ?? '']
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
          <Text key={at} {...(tone === undefined ? {} : chooseColour(look, tone))}>
            {text}
          </Text>
        )
      })}
      {window.more === 0 ? null : <Text dimColor>{`${window.more} more lines`}</Text>}
    </Frame>
  )
}

function formatChanges(changes: readonly PendingChange[]): string[] {
  if (changes.length === 0) return ['Nothing was edited on disk.']
  const lines = changes.flatMap(({ file, kind, diff }) => [`${file} was ${kind}`, ...diff.trimEnd().split('\n')])
  return lines.map((line) => toVisibleLines(line).replaceAll('\t', '    '))
}

async function acceptChanges(engine: Engine, back: (said: string) => void): Promise<void> {
  const count = await engine.accept()
  back(`Trusted: ${count} changed ${count === 1 ? 'file' : 'files'}.`)
}
