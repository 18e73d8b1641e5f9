import type { Engine, ListedHook } from 'hookline'
import type { ReactNode } from 'react'
import { applyPress, type Editor, makeEditor } from '../keys/editor.ts'
import type { Dialog } from '../state/dialog.ts'
import { formatHookDetail } from '../state/hook-text.ts'
import type { HooksPage } from '../state/hooks-page.ts'
import { EditorView } from '../views/editor-view.tsx'
import { Frame } from '../views/frame.tsx'
import { usePresses, useTerminal, useTerminalState } from '../views/terminal-context.ts'
import { Text } from '../views/text.tsx'
import { useValue } from '../views/use-value.ts'
import { useWindow } from '../views/use-window.ts'
import { AddHook } from './add-hook.tsx'
import { editHook, findEditable, removeHook } from './edit-hook.ts'
import { HookList } from './hook-list.tsx'
import { ReviewChanges } from './review-changes.tsx'

/** The hooks of the session: to look at, to add to, to switch off, to review. */
export function HooksDialog({ answer }: Extract<Dialog, { kind: 'hooks' }>): ReactNode {
  const engine = useTerminal().host.agent?.engine
  const [page, open] = useValue<HooksPage>({ page: 'list' })
  const [said, say] = useValue<string | null>(null)
  if (engine === undefined) return null
  const goBack = (text: string | null = null): void => {
    say(text)
    open({ page: 'list' })
  }
  switch (page.page) {
    case 'list':
      return <HookList engine={engine} said={said} open={open} close={() => answer(null)} />
    case 'detail':
      return <HookDetail engine={engine} id={page.listed.hook.id} listed={page.listed} back={goBack} />
    case 'add':
      return <AddHook engine={engine} back={goBack} />
    case 'review':
      return <ReviewChanges engine={engine} changes={page.changes} back={goBack} />
  }
}

interface Props {
  readonly engine: Engine
  readonly id: string
  readonly listed: ListedHook
  readonly back: (said?: string) => void
}

/** One hook with its last runs. */
function HookDetail({ engine, id, listed, back }: Props): ReactNode {
  const { host, columns, rows } = useTerminal()
  const { runs } = useTerminalState()
  const [changes, setChanges] = useValue(0)
  const now = engine.list().find(({ hook }) => hook.id === id) ?? listed
  const isOn = now.standing.verdict === 'active'
  const lines = formatHookDetail(now, runs.get(id) ?? [])
  const window = useWindow(lines, { columns: columns - 4, rows: Math.max(5, rows - 8) })
  const [editor, setEditor] = useValue<Editor | null>(null)
  const [removes, setRemoves] = useValue(false)
  const { command } = now.hook.written
  const at = findEditable(now)
  usePresses((press) => {
    if (editor !== null) {
      if (press.key === 'escape') return setEditor(null)
      if (press.key !== 'enter') return setEditor(applyPress(editor, press) ?? editor)
      return void editHook(engine, now, editor.text.trim()).then(back)
    }
    if (removes) {
      if (press.key === 'text' && press.text === 'y') return void removeHook(engine, now).then(back)
      return setRemoves(false)
    }
    if (press.key === 'text' && /^[ex]$/.test(press.text) && 'fault' in at) return back(at.fault)
    if (press.key === 'text' && press.text === 'x') return setRemoves(true)
    if (press.key === 'text' && press.text === 'e')
      return typeof command === 'string'
        ? setEditor(makeEditor(command))
        : back('Only the command of a hook can be edited here.')
    if (press.key === 'escape') return back()
    if (press.key === 'up' || press.key === 'page-up') return window.scroll(-1)
    if (press.key === 'down' || press.key === 'page-down') return window.scroll(1)
    if (press.key !== 'text' || press.text !== 'd') return
    engine.switchHook(id, { off: isOn })
    host.countHooks()
    setChanges(changes + 1)
  })
  if (editor !== null) {
    return (
      <Frame title={`The command of ${id}`} keys="Enter saves, Esc cancels">
        <EditorView editor={editor} />
      </Frame>
    )
  }
  const own = `d: ${isOn ? 'switch off for this session' : 'switch on again'}, e: edit, x: remove, Esc goes back`
  return (
    <Frame title={removes ? 'Remove this hook?' : id} keys={removes ? 'y removes it, any other key keeps it' : own}>
      {window.shown.map(({ text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
        <Text key={at}>{text}</Text>
      ))}
      {window.more === 0 ? null : <Text dimColor>{`${window.more} more lines: arrows scroll`}</Text>}
    </Frame>
  )
}
