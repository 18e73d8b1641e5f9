import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DEFAULT_PROFILE } from '../src/protocol/profiles.ts'
import { pagePath } from './support/page.ts'
import { classicEngineWith } from './support/project.ts'
import { providedModel } from './support/provided-model.ts'

const page = readFileSync(pagePath('which-hook.md'), 'utf8')
const rows = [...DEFAULT_PROFILE.events.values()]

/** The cells of the page's row of each event. */
const cells = page
  .slice(page.indexOf('| event | command | prompt | agent |'))
  .split('\n')
  .filter((line) => /^\| [A-Z]/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| /, '')))

describe('docs/which-hook.md', () => {
  it('has a row for every event, in the order of the table', () => {
    expect(cells.map(([event]) => event)).toEqual(rows.map(({ name }) => name))
  })

  it.each(rows)('says of $name which kinds run and whose no counts', async ({ name, example, canBlock }) => {
    const [, command, ...judges] = cells.find(([event]) => event === name) ?? []
    expect([command, ...judges]).toContain('fits best')
    expect(command).toMatch(/^(?:fits best|works)$/)
    const settings = [{ hooks: ['prompt', 'agent'].map((type) => ({ type, prompt: 'Is it done?' })) }]
    const { models } = providedModel('{"ok": false, "reason": "It is not."}')
    const engine = await classicEngineWith({ [name]: settings }, { models })
    const { hooks, decision } = await engine.dispatch({ hook_event_name: name, ...example })
    expect(decision.blocked).toBe(canBlock && hooks.some(({ verdict }) => verdict === 'ran'))
    for (const [at, { verdict }] of hooks.entries()) {
      const counts = canBlock ? /^(?:fits best|works)$/ : /^blocks nothing$/
      expect(judges[at]).toMatch(verdict === 'ran' ? counts : /^does not run$/)
    }
  })
})
