import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Pages about the form itself, and about mistakes. */
const ABOUT_IT = ['docs/adoption.md', 'docs/configuration.md', 'docs/rules.md']

/** Objects that stand in the list of an event, as far as their first field. */
const FIRST_FIELD = /"[A-Z][a-zA-Z]+": \[\s*\{\s*"(\w+)"(?:: "[^"]*",\s*"(\w+)")?/g

it('no page teaches the flat form, which drops the hooks of a whole file in Claude Code', () => {
  const pages = execFileSync('git', ['ls-files', 'README.md', 'docs/*.md', 'examples/*.md', 'packages/*/README.md'], {
    cwd: root,
    encoding: 'utf8',
  })
  const flat = pages
    .trim()
    .split('\n')
    .filter((page) => !ABOUT_IT.includes(page))
    .flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(FIRST_FIELD)]
        .filter(([, first = '', second = '']) =>
          /^(?:command|type|prompt|url)$/.test(first === 'matcher' ? second : first),
        )
        .map(([text]) => `${page}: ${text}`),
    )
  expect(flat).toEqual([])
})
