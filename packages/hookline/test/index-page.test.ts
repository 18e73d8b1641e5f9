import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const docs = fileURLToPath(new URL('../../../docs/', import.meta.url))
const index = readFileSync(`${docs}index.md`, 'utf8')
const links = [...index.matchAll(/\]\(([^)#]+\.md)\)/g)].map(([, path = '']) => path)

/** Pages that another page lists. */
const LISTED_ELSEWHERE = /^(?:commands|bridges)\/|^index\.md$/

it('puts the pages into six groups, which are those of the sidebar', () => {
  expect(index.match(/^## .+$/gm)).toHaveLength(6)
})

it('names every page of docs once, and neither what was measured nor what has changed', () => {
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter(
    (page) => page.endsWith('.md') && !LISTED_ELSEWHERE.test(page),
  )
  expect(links.filter((link) => !link.startsWith('../')).toSorted()).toEqual(pages.toSorted())
  expect(links.filter((link, at) => links.indexOf(link) !== at)).toEqual([])
  expect(links.filter((link) => /bench|changelog/i.test(link))).toEqual([])
})
