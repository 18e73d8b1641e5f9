import { readableLines } from 'hookline/internal'
import type { AgentOptions } from './options.ts'

/** Writes a line of the debug log; the text is made only when somebody reads it. */
export type DebugLog = (level: 'DEBUG' | 'WARN', text: () => string) => void

/** The log of what the model is asked and answers; null unless the category `api` was asked for. */
export function apiLog(debug: AgentOptions['debug']): DebugLog | null {
  if (!debug?.categories.includes('api')) return null
  // One line each: what a provider says cannot look like a line of the log.
  return (level, text) => debug.write(`[${level}] ${readableLines(text()).trimEnd().replaceAll('\n', '\\n')}`)
}
