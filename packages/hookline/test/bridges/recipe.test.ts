import { describe, expect, it } from 'vitest'
import type { Bridge } from '../../src/bridges/bridge.ts'
import { fillRecipe } from '../../src/bridges/install/recipe.ts'
import { AGENTS, findBridge } from '../../src/bridges/list.ts'
import { parseData } from '../../src/files/parse-data.ts'

const VALUES = {
  url: 'http://127.0.0.1:1',
  project: '/a project',
  model: 'a-model',
  prompt: 'Do it.',
  command: "touch '/a project/made'",
}

const tried = AGENTS.map((agent) => findBridge(agent) as Bridge).filter(({ recipe }) => recipe !== null)

describe('the recipes of clients', () => {
  it.each(tried.map((bridge) => [bridge.name, bridge] as const))('%s has nothing left to fill in', (_, { recipe }) => {
    if (recipe === null) return
    const filled = fillRecipe(recipe, VALUES)
    expect(JSON.stringify(filled)).not.toMatch(/\{(?:url|project|model|prompt|command)\}/)
    expect(filled.args).toContain(VALUES.prompt)
    expect(Object.values(filled.shell.input)).toContain(VALUES.command)
    expect(JSON.stringify([filled.files, filled.env])).toContain(VALUES.url)
    for (const [path, text] of Object.entries(filled.files))
      expect(parseData(text, path.endsWith('.toml') ? 'toml' : 'json')).toHaveProperty('value')
  })

  it('are there for every agent that was observed', () => {
    const observed = AGENTS.filter((agent) => findBridge(agent)?.seen.mark === 'O')
    expect(tried.map(({ name }) => name)).toEqual(observed)
  })
})
