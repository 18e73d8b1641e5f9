import { readableLines } from 'hookline/internal'
import type { DebugLog } from '../turn/hear-model.ts'
import type { AgentOptions } from './options.ts'

/** The log of what the model is asked and answers; null unless the category `api` was asked for. */
export function apiLog(debug: AgentOptions['debug']): DebugLog | null {
  if (!debug?.categories.includes('api')) return null
  // One line each: what a provider says cannot look like a line of the log.
  return (level, text) => debug.write(`[${level}] ${readableLines(text()).trimEnd().replaceAll('\n', '\\n')}`)
}
