import { useEffect, useState } from 'react'
import { listCommands } from '../commands.ts'
import type { TerminalHost } from '../host.ts'
import { type Editor, readWordAtCursor } from '../keys/editor.ts'
import { suggestFiles } from '../state/suggest-files.ts'

/** Suggestions for the word at the cursor. */
export interface Suggestions {
  readonly of: 'files' | 'commands'
  /** Words to replace it by. */
  readonly words: readonly string[]
  readonly abouts: readonly string[]
}

const NO_SUGGESTIONS: Suggestions = { of: 'files', words: [], abouts: [] }

/** Files for a word that begins with `@`, commands for a text that begins with `/`. */
export function useSuggestions(host: TerminalHost, editor: Editor): Suggestions {
  const [files, setFiles] = useState<Suggestions>(NO_SUGGESTIONS)
  const word = readWordAtCursor(editor)
  const query = word.startsWith('@') ? word.slice(1) : null
  const { agent } = host
  useEffect(() => {
    if (query === null || agent === null) return setFiles(NO_SUGGESTIONS)
    const stale = new AbortController()
    const { project, env } = host.options
    suggestFiles(query, { engine: agent.engine, project, env }, stale.signal)
      .then((paths) => {
        if (!stale.signal.aborted) setFiles({ of: 'files', words: paths.map((path) => `@${path}`), abouts: [] })
      })
      .catch(() => setFiles(NO_SUGGESTIONS)) // a completion that fails suggests nothing
    return () => stale.abort()
  }, [query, agent, host])
  return /^\/\S*$/.test(editor.text) ? suggestCommands(editor.text, host) : files
}

function suggestCommands(typed: string, host: TerminalHost): Suggestions {
  const fitting = listCommands(host).filter(({ usage }) => usage.startsWith(typed))
  const words = fitting.map(({ usage }) => usage.split(' ', 1)[0] ?? usage)
  return { of: 'commands', words, abouts: fitting.map(({ about }) => about) }
}
