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
const DIFF_TIMEOUT_MS = 300
const NO_NEWLINE = '\\ No newline at end of file'

/** Makes a patch from two texts, each stretch with the lines around it; nothing when they are the same. */
export function makePatch(before: string, after: string): readonly Hunk[] {
  if (before === after) return []
  const options = { context: CONTEXT_LINES, timeout: DIFF_TIMEOUT_MS }
  return structuredPatch('', '', before, after, '', '', options)?.hunks ?? [makeWholeHunk(before, after)]
}

/** The old text as one stretch, and the new one in its place. */
function makeWholeHunk(before: string, after: string): Hunk {
  const old = splitKeepingEnds(before)
  const fresh = splitKeepingEnds(after)
  return {
    oldStart: old.length === 0 ? 0 : 1,
    oldLines: old.length,
    newStart: fresh.length === 0 ? 0 : 1,
    newLines: fresh.length,
    lines: [...old.flatMap((line) => markLine('-', line)), ...fresh.flatMap((line) => markLine('+', line))],
  }
}

/** Every line with its newline; the last may have none. */
function splitKeepingEnds(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function markLine(mark: string, line: string): string[] {
  return line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, NO_NEWLINE]
}
