import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** What readers stumbled over, and what is said instead. */
const RETIRED: Readonly<Record<string, RegExp>> = {
  'permission  deny': /\bpermit +(?:deny|allow|ask)\b/,
  'is not a valid regular expression': /is no regular expression/,
  'must be a string': /must be a text\b/,
  'no model is configured': /\b(?:is|are) lent\b|\blends\b/,
  'run test cases against your hooks': /hold hooks against cases/,
  'No known tool matches': /[Ii]t hits nothing/,
  'allowed (no hook objected)': /nothing objected/,
  'result  blocked (exit 2)': /\bended +(?:blocking|non_blocking)/,
  'matcher  (none: every call)': /\bnone: all\b/,
  'Write notes.md?': /\bMay \S+ run\?/,
  'they run with my permissions': /with (?:my|your) rights/,
  'Press Ctrl+C again to quit': /again leaves\b/,
  'Conversation compacted.': /conversation was summed up/i,
  'queued:': /['"`]waits:/,
  'the user': /\b[Ww]hoever\b/,
  'run test cases against your hooks ': /run hooks on cases|hooks of a project on cases/,
  'a matcher is ignored': /one that is written is ignored/,
  'is checked against the call': /is asked of the call/,
  'same decision, different text': /decided alike, with other words/,
  'Ctrl+C stops it': /Ctrl\+C ends it/,
  'assume that': /`? {2,}suppose (?:that|the)/,
  'is enough': /an id says everything/,
  'all that apply here': /that are in play here/,
}

/** Everything with words for users: sources, pages, examples. */
function texts(): string[] {
  const folders = [
    'packages/hookline/src',
    'packages/agent/src',
    'docs',
    'examples',
    'clients/python/src',
    'site/.vitepress',
  ]
  const below = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  const found = below.filter((name) => /\.(?:tsx?|m?js|md|py|sh)$/.test(name) && !name.includes('node_modules'))
  return [
    ...found,
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'packages/hookline/README.md',
    'packages/agent/README.md',
  ]
}

it.each(Object.entries(RETIRED))('says "%s" wherever that is meant', (_, retired) => {
  const files = texts()
  expect(files.length).toBeGreaterThan(600)
  const found = files.flatMap((file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    return lines.flatMap((line, at) => (retired.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : []))
  })
  expect(found).toEqual([])
})
