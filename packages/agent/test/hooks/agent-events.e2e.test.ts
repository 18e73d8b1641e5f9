import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openEngine } from 'hookline'
import { describe, expect, it } from 'vitest'
import { CURRENT_SCENARIOS } from '../scenarios/current-scenarios.ts'
import { agentEventsPage, type Played } from '../scenarios/page.ts'
import { normalised, play, type Seen, withHook } from '../scenarios/run-scenario.ts'
import type { Block, Scenario } from '../scenarios/scenario.ts'
import { SCENARIOS } from '../scenarios/scenarios.ts'

const pageOf = (name: string): string => fileURLToPath(new URL(`../../../../docs/${name}.md`, import.meta.url))
const title = ({ event, value, variant }: Scenario): string =>
  [event, value, variant].filter((part) => part !== null && part !== undefined).join(': ')
const titled = (scenarios: readonly Scenario[]) =>
  scenarios.map((scenario): [string, Scenario] => [title(scenario), scenario])

const PROFILES = [
  { profile: 'classic', scenarios: SCENARIOS, count: 14, page: 'agent-events' },
  { profile: 'current', scenarios: CURRENT_SCENARIOS, count: 33, page: 'agent-events-current' },
] as const

const rowsOf = async (profile: 'classic' | 'current') => {
  const engine = await openEngine({ profile, project: '/hookline-nowhere', home: '/hookline-nowhere' })
  await engine.close()
  return engine.profile.events
}

describe.each(PROFILES)('every event of $profile', ({ profile, scenarios, count }) => {
  it('has a scenario for each of its values', async () => {
    const rows = await rowsOf(profile)
    expect(rows.size).toBe(count)
    for (const [event, { values }] of rows) {
      const played = scenarios.filter((scenario) => scenario.event === event).map(({ value }) => value)
      expect(played.length, event).toBeGreaterThan(0)
      if (values.length > 0) expect(new Set(played), event).toEqual(new Set(values))
    }
    expect(scenarios.filter(({ event }) => !rows.has(event))).toEqual([])
  })

  it('says what a block does', async () => {
    for (const event of (await rowsOf(profile)).keys())
      expect(
        scenarios.some((scenario) => scenario.event === event && scenario.block !== null),
        event,
      ).toBe(true)
  })
})

async function expectFit(scenario: Scenario, profile: 'classic' | 'current', input: object): Promise<void> {
  const faults = (await rowsOf(profile)).get(scenario.event)?.checkInput({ hook_event_name: scenario.event, ...input })
  expect(faults).toEqual([])
}

function expectBlock(block: Block, { code, person, model, world }: Seen): void {
  expect(code).toBe(block.code)
  if (block.person) expect(person).toContain(withHook(block.person))
  if (block.quiet) expect(person).not.toContain('not today')
  if (block.model) expect(model).toContain(withHook(block.model))
  else expect(model).not.toContain('not today')
  if (block.nowhere) expect(model).not.toContain(block.nowhere)
  for (const [file, there] of Object.entries(block.files ?? {}))
    expect(existsSync(join(world.project, file))).toBe(there)
}

describe.each(PROFILES)('a scenario of $profile', { timeout: 120_000 }, ({ profile, scenarios, page }) => {
  const seen: Played[] = []

  it.each(titled(scenarios))('%s: fires, and a block does what the table says', async (_title, scenario) => {
    const { block, variant } = scenario
    const played = await play(scenario, block === null ? 'watching' : 'objecting', profile)
    expect(played.inputs).toHaveLength(1)
    const [input = {}] = played.inputs
    await expectFit(scenario, profile, input)
    if (variant !== undefined) expect(Object.values(input)).toContain(variant)
    if (block !== null) expectBlock(block, played)
    seen.push({ scenario, input: normalised(input, played.world) })
  })

  it(`is written down in docs/${page}.md, with the input that was seen`, async () => {
    await expect(agentEventsPage(seen, profile)).toMatchFileSnapshot(pageOf(page))
  })
})
