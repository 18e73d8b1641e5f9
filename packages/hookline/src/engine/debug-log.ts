import type { EngineOptions } from './options.ts'

/** Writes a line of the debug log; the text is made only when somebody reads it. */
export type DebugLog = (level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR', text: () => string) => void

/** The log of one category, off unless the host asked for it. */
export function debugLog(debug: EngineOptions['debug'], category: string): DebugLog {
  if (!debug?.categories.includes(category)) return () => {}
  return (level, text) => debug.write(`[${level}] ${text()}`)
}
