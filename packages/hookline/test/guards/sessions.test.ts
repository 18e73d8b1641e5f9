import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { judge } from '../../src/guards/judge.ts'
import { readCallList } from '../support/call-list.ts'
import { smallWorld } from '../support/small-world.ts'

const SCRIPTS = {
  ...{ dev: 'vite', build: 'vite build', test: 'vitest run', lint: 'eslint .', 'docs:build': 'vitepress build docs' },
  ...{ preinstall: 'npx only-allow npm', migrate: 'node scripts/migrate.js' },
}

const world = smallWorld({
  'shop/package.json': JSON.stringify({ scripts: SCRIPTS }),
  'shop/docker-compose.yml':
    'services:\n  db:\n    image: postgres\n    volumes:\n      - data:/var/lib/postgresql/data\n',
  'shop/.pre-commit-config.yaml': 'repos:\n  - repo: https://github.com/psf/black\n    hooks:\n      - id: black\n',
})
const LISTS = ['sessions.txt', 'sessions-of-engineers.txt'].map((name) => ({
  name,
  calls: readCallList(readFileSync(new URL(`cases/${name}`, import.meta.url), 'utf8')),
}))

// Nothing of the list is ever run: text is handed to a function, and its answer is looked at.
describe.each(LISTS)('sessions of everyday work in $name', ({ calls }) => {
  it('are stopped at the calls that the guards are meant to stop, and at no other', () => {
    const stopped = calls.filter((each) => judge(each, world).answer !== 'pass')
    expect(stopped.map(({ text }) => text)).toEqual(calls.filter(({ sign }) => sign === '?').map(({ text }) => text))
  })

  it('are stopped once in 190 calls, those calls counted', () => {
    const stopped = calls.filter(({ sign }) => sign === '?')
    expect(calls.length).toBeGreaterThan(400)
    expect(stopped.length / calls.length).toBeLessThanOrEqual(1 / 190)
  })
})
