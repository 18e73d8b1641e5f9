import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AGENTS, findBridge, listAgents, readOwnBridge } from '../../src/bridges/list.ts'
import { listTableProblems } from '../../src/bridges/own-table.ts'
import { makeWorld, put } from '../support/project.ts'

/** A shipped table under a name of the user's. */
const tableLike = (agent: string): Record<string, unknown> => ({ ...findBridge(agent), name: 'mine' })

async function readAs(table: unknown): Promise<unknown> {
  const world = await makeWorld()
  await put(world, 'home/.hookline/agents/mine.json', table as object)
  return readOwnBridge('mine', world.home)
}

/** All places of a value, as the messages name them. */
function placesIn(value: unknown, place = ''): string[] {
  if (Array.isArray(value))
    return value.flatMap((one, index) => [`${place}[${index}]`, ...placesIn(one, `${place}[${index}]`)])
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => {
    const inner = place === '' ? name : `${place}.${name}`
    return name.includes('.') || name.includes('/') ? [] : [inner, ...placesIn(one, inner)]
  })
}

/** The same with another value at a place. */
function changed(table: Record<string, unknown>, place: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(table)
  const steps = place.split(/[.[\]]+/).filter((step) => step !== '')
  const last = steps.pop() ?? ''
  const holder = steps.reduce<Record<string, unknown>>((inner, step) => inner[step] as Record<string, unknown>, copy)
  holder[last] = value
  return copy
}

/** Places that may hold anything: what a client of the user reads is not ours to judge. */
const isFree = (place: string): boolean =>
  /(^|[.])value$/.test(place) || /[.](how|as)$/.test(place) || /^recipe[.](?:files|shell[.]input)[.[]/.test(place)

describe('a table of the user', () => {
  it.each(AGENTS)('may be like that of %s', async (agent) => {
    expect(await readAs(tableLike(agent))).toEqual(tableLike(agent))
  })

  it.each(AGENTS)('like that of %s is refused with the place of whatever is of a wrong kind', (agent) => {
    const table = tableLike(agent)
    for (const place of placesIn(table).filter((one) => !isFree(one)))
      expect(listTableProblems(changed(table, place, -1), 'mine').join('\n')).toContain(`${place}: must`)
  })

  it('is told what is missing, unknown or misspelt, and what could stand there', async () => {
    const { answers, ...rest } = tableLike('kimi')
    await expect(readAs(rest)).rejects.toThrow('answers: is missing.')
    await expect(readAs({ ...rest, answers, colour: 1 })).rejects.toThrow('colour: is not a field here; known: name,')
    const table = { ...rest, answers }
    await expect(readAs(changed(table, 'answers.deny.write', 'exit3'))).rejects.toThrow(/answers.deny.write: .*"exit2"/)
    await expect(readAs(changed(table, 'name', 'yours'))).rejects.toThrow(
      'name: must be "mine", as the file is called.',
    )
    await expect(readAs('{')).rejects.toThrow(/mine.json is not JSON .*Fix it/)
  })

  it('cannot make a refusal milder', async () => {
    const note = 'x'
    for (const place of ['answers.deny', 'answers.ask', 'answers.defer', 'answers.updatedInput', 'answers.halt'])
      for (const cell of [
        { how: 'lost', note },
        { how: 'queued', note },
        { how: 'emulated', as: 'context', note },
      ])
        await expect(readAs(changed(tableLike('kimi'), place, cell))).rejects.toThrow(`${place}.`)
  })

  it('is one of the user alone: not of a project, not one that others may write, and not in place of a shipped one', async () => {
    const world = await makeWorld()
    await put(world, 'project/.hookline/agents/mine.json', tableLike('kimi'))
    expect(await readOwnBridge('mine', world.home)).toBeNull()
    expect(await readOwnBridge('../../project/.hookline/agents/mine', world.home)).toBeNull()
    const file = await put(world, 'home/.hookline/agents/mine.json', tableLike('kimi'))
    await put(world, 'home/.hookline/agents/codex.json', tableLike('kimi'))
    expect(listAgents(world.home)).toEqual([...AGENTS, 'mine'])
    chmodSync(file, 0o666)
    await expect(readOwnBridge('mine', world.home)).rejects.toThrow('may be written by others')
    expect(join(world.home, '.hookline/agents/mine.json')).toBe(file)
  })
})
