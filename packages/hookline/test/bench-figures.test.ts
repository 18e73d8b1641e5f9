import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** What `npm run bench -- --write` put into a page. */
function figuresIn(page: string): string | undefined {
  const text = readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8')
  return /<!-- figures, .*?-->\n(.*?)<!-- end of figures -->/s.exec(text)?.[1]
}

it('quotes in docs/performance.md the main figures of bench/RESULTS.md (npm run bench -- --write writes both)', () => {
  const figures = figuresIn('bench/RESULTS.md')
  expect(figures).toMatch(/^\| an event with \| 1 hook \|/m)
  expect(figuresIn('docs/performance.md')).toBe(figures)
})
