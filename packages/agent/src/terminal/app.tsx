import { Box, Static, useStdout } from 'ink'
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { FULL_CONTEXT } from '../models/model.ts'
import { formatSpending } from '../models/prices.ts'
import type { Usage } from '../output/messages.ts'
import { DialogView } from './dialogs/dialog-view.tsx'
import type { TerminalHost } from './host.ts'
import { isVerbose } from './state/item.ts'
import { findShownDialog } from './state/state.ts'
import { foldToOneLine } from './text/call-text.ts'
import { chooseColour, chooseSigns, type Look } from './text/look.ts'
import { Activity } from './views/activity.tsx'
import { ItemView } from './views/item-view.tsx'
import { MarkdownView } from './views/markdown-view.tsx'
import { PromptInput } from './views/prompt-input.tsx'
import { TerminalContext, useTerminal, useTerminalState } from './views/terminal-context.ts'
import { ColouredText, Text } from './views/text.tsx'
import { useKeyboard } from './views/use-keyboard.ts'
import { countRows } from './views/use-window.ts'

/** Rows below the conversation besides what is being said. */
const ROWS_BELOW = 20
/** Prompts that wait and are listed. */
const MAX_QUEUED_SHOWN = 3

/** The whole terminal. */
export function App({ host, look }: { readonly host: TerminalHost; readonly look: Look }): ReactNode {
  const { columns, rows } = useSize(host)
  const listen = useKeyboard(host)
  const theme = useSyncExternalStore(host.store.subscribe, () => host.store.get().theme)
  const context = useMemo(() => {
    const shown = { ...look, theme: theme ?? look.theme }
    return { host, look: shown, signs: chooseSigns(look), columns, rows, listen }
  }, [host, look, theme, columns, rows, listen])
  return (
    <TerminalContext.Provider value={context}>
      <Conversation />
      <Present />
    </TerminalContext.Provider>
  )
}

/** Shows what is complete. It scrolls away with the terminal, and is written only once. */
function Conversation(): ReactNode {
  const { items, drawnFrom, verbose, drawing } = useTerminalState()
  const visible = useMemo(
    () => items.slice(drawnFrom).filter((item) => verbose || !isVerbose(item)),
    [items, drawnFrom, verbose],
  )
  return (
    <Static key={drawing} items={visible}>
      {(item, at) => <ItemView key={at} item={item} />}
    </Static>
  )
}

/** Shows what goes on, and what the user can do. */
function Present(): ReactNode {
  const state = useTerminalState()
  const { streaming, work, queued, over } = state
  const { host, rows, columns } = useTerminal()
  const dialog = findShownDialog(state)
  useLayoutEffect(() => host.typedAhead.noteDialog(dialog, performance.now()), [host, dialog])
  if (over) return null
  if (dialog !== null) {
    return (
      <Box flexDirection="column">
        <DialogView dialog={dialog} />
        <Footer />
      </Box>
    )
  }
  return (
    <Box flexDirection="column">
      {streaming === '' ? null : (
        <Box marginTop={1}>
          <MarkdownView text={takeLastRows(streaming, { columns, rows: Math.max(3, rows - ROWS_BELOW) })} />
        </Box>
      )}
      {work === null ? null : <Activity work={work} />}
      {queued.slice(0, MAX_QUEUED_SHOWN).map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same text may wait twice
        <Text key={at} dimColor wrap="truncate-end">
          {'  queued: '}
          {foldToOneLine(text)}
        </Text>
      ))}
      {queued.length > MAX_QUEUED_SHOWN ? (
        <Text dimColor>{`  and ${queued.length - MAX_QUEUED_SHOWN} more`}</Text>
      ) : null}
      <PromptInput />
      <Footer />
    </Box>
  )
}

/** The end of a text that fits: more would push what was said before out of the terminal's reach. */
function takeLastRows(text: string, { columns, rows }: { columns: number; rows: number }): string {
  const lines = text.split('\n').slice(-rows)
  while (lines.length > 1 && lines.reduce((sum, line) => sum + countRows(line, columns - 4), 0) > rows) lines.shift()
  return lines.map((line) => line.slice(-rows * (columns - 4))).join('\n')
}

/** The terminal's size. When its width changes, lines that were drawn no longer fit: they are drawn anew. */
function useSize(host: TerminalHost): { readonly columns: number; readonly rows: number } {
  const { stdout } = useStdout()
  const [size, setSize] = useState({ columns: stdout.columns || 80, rows: stdout.rows || 24 })
  useEffect(() => {
    const noteResize = (): void => {
      setSize({ columns: stdout.columns, rows: stdout.rows })
      host.redraw()
    }
    return host.screen.onResize(noteResize)
  }, [stdout, host])
  return size
}

/** In whole percents of the context window, as the status line is told it. */
const FULL = Math.round(FULL_CONTEXT * 100)
/** So many percents before it is full, the user is warned. */
const NEARLY = 10

function countContextShare(last: Usage | null, size: number): number {
  return last === null || size <= 0 ? 0 : Math.round(((last.inputTokens + last.outputTokens) / size) * 100)
}

/** The status line, and what else is good to know at any time. */
function Footer(): ReactNode {
  const { look, host, columns } = useTerminal()
  const { statusLine, hint, session, usage, lastUsage, cost, verbose, hooksOff, dialogs, queued, editor } =
    useTerminalState()
  const share = countContextShare(lastUsage, host.contextWindow)
  const isNearlyFull = share >= FULL - NEARLY
  const facts = [
    host.modelName === 'you' ? 'you play the model' : host.modelName,
    session === null || session.mode === 'default' ? '' : String(session.mode),
    usage.inputTokens + usage.outputTokens === 0 ? '' : formatSpending(usage, cost),
    share === 0 || isNearlyFull ? '' : `context ${share}%`,
    hooksOff === 0 ? '' : `${hooksOff === 1 ? '1 hook' : `${hooksOff} hooks`} off`,
    verbose ? 'verbose' : '',
  ].filter((fact) => fact !== '')
  const kept = dialogs.length === 0 ? '' : [...queued, editor.text].filter((text) => text !== '').join('\n')
  return (
    <Box flexDirection="column" width={columns}>
      {statusLine === null ? null : <ColouredText text={statusLine} colours={look.colours} />}
      {isNearlyFull ? (
        <Text wrap="truncate-end" {...chooseColour(look, 'warn')}>
          {`context ${share}% full: at ${FULL}% the conversation is compacted; /compact does it now`}
        </Text>
      ) : null}
      <Text dimColor wrap="truncate-end">
        {hint ?? (kept === '' ? facts.join('  ') : `kept for the prompt: ${foldToOneLine(kept)}`)}
      </Text>
    </Box>
  )
}
