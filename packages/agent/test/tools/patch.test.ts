import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Hunk, makePatch } from '../../src/tools/patch.ts'

/** The text that a patch makes of another, done by the book. */
function applied(text: string, hunks: readonly Hunk[]): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  for (const { oldStart, oldLines, lines: marked } of [...hunks].reverse()) {
    const added = marked.flatMap((line, at) => {
      if (line.startsWith('-') || line.startsWith('\\')) return []
      return [line.slice(1) + (marked[at + 1]?.startsWith('\\') ? '' : '\n')]
    })
    lines.splice(oldLines === 0 ? oldStart : oldStart - 1, oldLines, ...added)
  }
  return lines.join('')
}

it('a patch makes the new text of the old one, and counts its lines right', () => {
  const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'end'), { maxLength: 40 }).map((all) => all.join(''))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const hunks = makePatch(before, after)
      expect(applied(before, hunks)).toBe(after)
      for (const { lines, oldLines, newLines } of hunks) {
        expect(lines.filter((line) => /^[ -]/.test(line)).length).toBe(oldLines)
        expect(lines.filter((line) => /^[ +]/.test(line)).length).toBe(newLines)
      }
    }),
  )
})
