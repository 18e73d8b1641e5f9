import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { classic, type EventName, inputSchema } from 'hookline/protocol'
import { describe, expect, it } from 'vitest'
import { agentEventsPage, type Played } from '../scenarios/page.ts'
import { normalised, play, withHook } from '../scenarios/run-scenario.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { SCENARIOS } from '../scenarios/scenarios.ts'

const page = fileURLToPath(new URL('../../../../docs/agent-events.md', import.meta.url))
const names = Object.keys(classic) as EventName[] // keys forgets which ones
const title = ({ event, value }: Scenario): string => (value === null ? event : `${event}: ${value}`)

const titled = SCENARIOS.map((scenario): [string, Scenario] => [title(scenario), scenario])

describe('every event of the protocol', () => {
  it.each(names)('%s has a scenario for each of its values', (event) => {
    const { values } = classic[event]
    const isTool = values.length === 0
    const played = SCENARIOS.filter((scenario) => scenario.event === event).map(({ value }) => value)
    if (isTool) expect(played.length).toBeGreaterThan(0)
    else expect(new Set(played)).toEqual(new Set(values))
  })
})

describe('a scenario', { timeout: 120_000 }, () => {
  const seen: Played[] = []

  it.each(titled)('%s: fires once, with an input that fits the protocol', async (_title, scenario) => {
    const { inputs, world } = await play(scenario, 'watching')
    expect(inputs).toHaveLength(1)
    const [input = {}] = inputs
    expect(inputSchema(scenario.event, classic[scenario.event].input).safeParse(input)).toMatchObject({ success: true })
    seen.push({ scenario, input: normalised(input, world) })
  })

  it.each(titled)('%s: a block does what the table says', async (_title, scenario) => {
    const { block } = scenario
    const { code, person, model, world } = await play(scenario, 'objecting')
    expect(code).toBe(block.code)
    if (block.person) expect(person).toContain(withHook(block.person))
    if (block.model) expect(model).toContain(withHook(block.model))
    else expect(model).not.toContain('not today')
    if (block.nowhere) expect(model).not.toContain(block.nowhere)
    for (const [file, there] of Object.entries(block.files ?? {}))
      expect(existsSync(join(world.project, file))).toBe(there)
  })

  it('is a section of docs/agent-events.md, with the input that was seen', async () => {
    await expect(agentEventsPage(seen)).toMatchFileSnapshot(page)
  })
})
