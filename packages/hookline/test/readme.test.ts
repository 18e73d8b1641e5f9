import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { hooklineInProcess } from './support/in-process.ts'
import { makeWorld } from './support/project.ts'

const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')

const MAX_WORDS = 750

it('has at most 750 words before its first table, code included', () => {
  const [before = ''] = README.split(/^\|/m)
  expect(before.split(/\s+/).length).toBeLessThanOrEqual(MAX_WORDS)
  expect(before.length).toBeLessThan(README.length) // there is a table
})

it('leads from the clone to the picture, three commands, a broken file, embedding, other agents and the pages', () => {
  const stations = [
    'git clone ',
    'npm ci && npm start\n',
    '![hookline explain',
    '\nhookline why ',
    '\nhookline explain ',
    '\nhookline fire ',
    'This guard never runs',
    'openEngine(',
    'hookline bridge',
    '](docs/index.md)',
    'npm ci && npm test\n',
  ]
  const places = stations.map((station) => README.indexOf(station))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((one, other) => one - other))
})

it('quotes what hookline why says of its broken file', async () => {
  const [, settings = '', cause = ''] =
    /This guard never runs:\n\n```json\n([\s\S]*?)```[\s\S]*?```text\n([\s\S]*?)```/.exec(README) ?? []
  const world = await makeWorld({ 'project/.claude/settings.json': settings })
  const { stdout } = await hooklineInProcess(world, ['why', 'PreToolUse', 'tool_name=Bash'])
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(cause.trim())
})
