import { structuredPatch } from 'diff'

/** A changed stretch of a file, with lines marked as in a unified diff. */
export interface Hunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  readonly lines: readonly string[]
}

const CONTEXT_LINES = 3
/** Texts that differ in everything are not worth a longer search for what they share. */
const LONGEST_SEARCH_MS = 300
const NO_NEWLINE = '\\ No newline at end of file'

/** What changed between two texts, each stretch with the lines around it; nothing when they are the same. */
export function patchOf(before: string, after: string): readonly Hunk[] {
  if (before === after) return []
  const options = { context: CONTEXT_LINES, timeout: LONGEST_SEARCH_MS }
  return structuredPatch('', '', before, after, '', '', options)?.hunks ?? [everything(before, after)]
}

/** The old text as one stretch, and the new one in its place. */
function everything(before: string, after: string): Hunk {
  const old = linesOf(before)
  const fresh = linesOf(after)
  return {
    oldStart: old.length === 0 ? 0 : 1,
    oldLines: old.length,
    newStart: fresh.length === 0 ? 0 : 1,
    newLines: fresh.length,
    lines: [...old.flatMap((line) => marked('-', line)), ...fresh.flatMap((line) => marked('+', line))],
  }
}

/** Every line with its newline; the last may have none. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function marked(mark: string, line: string): string[] {
  return line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, NO_NEWLINE]
}
