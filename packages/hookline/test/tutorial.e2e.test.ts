import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { pageAsRun, pagePath } from './support/page.ts'

beforeAll(() => void vi.stubEnv('TMPDIR', '/tmp')) // a short name: what is printed is broken into lines
afterAll(() => void vi.unstubAllEnvs())

/** After a change of what a command prints: `npx vitest run --project e2e tutorial -u`, and look at the difference. */
describe('a page whose shell blocks are run from top to bottom in an empty project', () => {
  it.each([
    'first-hook.md',
    'from-a-bad-day-to-a-test.md',
    'my-hook-does-not-fire.md',
    'security.md',
    'logs-and-stats.md',
    'same-guard-in-codex.md',
    'with-claude-code.md',
  ])('docs/%s prints what the page says', { timeout: 300_000 }, async (name) => {
    await expect(await pageAsRun(name)).toMatchFileSnapshot(pagePath(name))
  })
})

/** Where a block overwrites, moves or removes files by a name of its own, or writes settings. */
const HARM =
  /(?:^|[^-=<>&0-9])>{1,2} ?(?!&|\/dev\/|["']?\$(?:\{?(?:scratch|other)\b))[\w.~"'$]|^\s*(?:rm|mv|truncate|sed -i) |hookline (?:init|add|remove|trust accept)\b|--fix\b/m

it('no page lets a reader overwrite or remove what is theirs: whatever writes does so in a new folder', () => {
  const pages = readerPages()
  expect(pages.length).toBeGreaterThan(30)
  for (const page of pages) {
    let elsewhere = false
    for (const [, body = ''] of readFileSync(page, 'utf8').matchAll(/^```(?:sh|bash|shell)\n([\s\S]*?)^```$/gm)) {
      elsewhere ||= body.includes('mktemp -d')
      if (isOwnGuard(page, body)) continue
      if (!elsewhere && !body.startsWith('#!')) expect(HARM.exec(body)?.[0] ?? null, `${page}:\n${body}`).toBeNull()
    }
  }
})

/** The README's guard for the reader's own project: `add` shows what it adds, and keeps everything else. */
function isOwnGuard(page: string, body: string): boolean {
  return page.endsWith(join('/', 'README.md')) && /^hookline add PreToolUse .*\nhookline fire .*\n$/.test(body)
}

/** Every page that a reader may follow. */
function readerPages(): string[] {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const folders = ['docs', 'examples', 'packages/hookline', 'packages/agent']
  const found = folders.flatMap((folder) => {
    const entries = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    return entries
      .filter((name) => /\.md$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(root, folder, name))
  })
  return [...found.filter((page) => !page.includes('/test/')), join(root, 'README.md')]
}
