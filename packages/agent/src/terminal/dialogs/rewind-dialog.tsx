import type { ReactNode } from 'react'
import type { Dialog } from '../state/dialog.ts'
import { foldToOneLine, shortenPath } from '../text/call-text.ts'
import { ChoiceList, moveChoice } from '../views/choice-list.tsx'
import { Frame } from '../views/frame.tsx'
import { usePresses, useTerminal } from '../views/terminal-context.ts'
import { useValue } from '../views/use-value.ts'

/** Lets the user choose an earlier prompt to go back to, and whether files go back with it. */
export function RewindDialog({ points, answer }: Extract<Dialog, { kind: 'rewind' }>): ReactNode {
  const { rows, host } = useTerminal()
  const [at, setAt] = useValue(points.length - 1)
  const [files, setFiles] = useValue<number | null>(null)
  const point = points[at]
  const names = (point?.files ?? []).map((path) => shortenPath(path, host.options.project))
  const both = `The conversation and ${names.length === 1 ? 'a file' : `${names.length} files`}: ${names.join(', ')}`
  usePresses((press) => {
    if (press.key === 'escape') return files === null ? answer(null) : setFiles(null)
    const next = moveChoice(press, files ?? at, files === null ? points.length : 2)
    if (typeof next === 'number') return files === null ? setAt(next) : setFiles(next)
    if (next !== 'take' || point === undefined) return
    if (files === null && names.length > 0) return setFiles(0)
    answer({ point, files: files === 1 })
  })
  return files === null ? (
    <Frame title="Go back to before which prompt?" keys="Enter chooses, Esc closes">
      <ChoiceList choices={points.map(({ text }) => foldToOneLine(text))} at={at} most={Math.max(3, rows - 10)} />
    </Frame>
  ) : (
    <Frame title="What goes back?" keys="Enter chooses, Esc goes back">
      <ChoiceList choices={['The conversation only', both]} at={files} most={2} whole />
    </Frame>
  )
}
