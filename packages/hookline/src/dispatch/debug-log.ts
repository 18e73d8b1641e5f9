import { cleaned } from '../text/clean.ts'
import { readableLines } from '../text/visible.ts'

/** Where a debug log goes, and which categories of it. */
export interface DebugOptions {
  readonly categories: readonly string[]
  readonly write: (line: string) => void
}

/** Writes a line of the debug log; the text is made only when the log is read. */
export type DebugLog = (level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR', text: () => string) => void

/** The log of one category; null unless the host asked for it. */
export function debugLog(debug: DebugOptions | undefined, category: string): DebugLog | null {
  if (!debug?.categories.includes(category)) return null
  return (level, text) => debug.write(`[${level}] ${oneLine(text())}`)
}

/** What a hook or a provider said cannot look like a line of the log. */
function oneLine(text: string): string {
  return readableLines(cleaned(text)).trimEnd().replaceAll('\n', '\\n')
}
