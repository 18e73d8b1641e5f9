/** A changed stretch of a file, with lines marked as in a unified diff. */
export interface Hunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  readonly lines: readonly string[]
}

const CONTEXT_LINES = 3
const NO_NEWLINE = '\\ No newline at end of file'

/** What changed between two texts: one stretch from the first line that differs to the last, or nothing. */
export function patchOf(before: string, after: string): Hunk[] {
  if (before === after) return []
  const old = linesOf(before)
  const fresh = linesOf(after)
  const same = sharedStart(old, fresh)
  const sameEnd = sharedStart(old.slice(same).reverse(), fresh.slice(same).reverse())
  const start = Math.max(0, same - CONTEXT_LINES)
  const tail = Math.min(CONTEXT_LINES, sameEnd)
  const removed = old.slice(same, old.length - sameEnd)
  const added = fresh.slice(same, fresh.length - sameEnd)
  const lines = [
    ...old.slice(start, same).flatMap((line) => marked(' ', line)),
    ...removed.flatMap((line) => marked('-', line)),
    ...added.flatMap((line) => marked('+', line)),
    ...old.slice(old.length - sameEnd, old.length - sameEnd + tail).flatMap((line) => marked(' ', line)),
  ]
  const unchanged = same - start + tail
  return [hunk({ start, lines, oldLines: removed.length + unchanged, newLines: added.length + unchanged })]
}

/** Every line with its newline; the last may have none. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function sharedStart(one: readonly string[], other: readonly string[]): number {
  const differs = one.findIndex((line, at) => line !== other[at])
  return differs === -1 ? Math.min(one.length, other.length) : differs
}

function marked(mark: string, line: string): string[] {
  return line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, NO_NEWLINE]
}

/** A unified diff counts lines from 1, and calls a stretch of no lines by the line before it. */
function hunk(facts: { start: number; lines: string[]; oldLines: number; newLines: number }): Hunk {
  const { start, lines, oldLines, newLines } = facts
  return {
    oldStart: oldLines === 0 ? start : start + 1,
    oldLines,
    newStart: newLines === 0 ? start : start + 1,
    newLines,
    lines,
  }
}
