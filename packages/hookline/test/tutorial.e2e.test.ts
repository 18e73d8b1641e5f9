import { describe, expect, it } from 'vitest'
import { pageAsRun, pagePath } from './support/page.ts'

/** After a change of what a command prints: `npx vitest run --project e2e tutorial -u`, and look at the difference. */
describe('a page whose shell blocks are run from top to bottom in an empty project', () => {
  it.each(['first-hook.md', 'from-a-bad-day-to-a-test.md', 'my-hook-does-not-fire.md', 'security.md', 'evidence.md'])(
    'docs/%s prints what the page says',
    { timeout: 300_000 },
    async (name) => {
      await expect(await pageAsRun(name)).toMatchFileSnapshot(pagePath(name))
    },
  )
})
