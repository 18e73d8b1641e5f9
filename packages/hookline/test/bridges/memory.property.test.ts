import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SessionMemory } from '../../src/bridges/memory.ts'
import { makeWorld } from '../support/project.ts'

/** What one event of a session does with what is remembered of it. */
const event = fc.record({
  says: fc.nat({ max: 3 }),
  claims: fc.boolean(),
  delivers: fc.boolean(),
  blocks: fc.boolean(),
  refuses: fc.boolean(),
  /** Turns of the loop that it lets others run, before each step. */
  pauses: fc.array(fc.nat({ max: 4 }), { minLength: 3, maxLength: 3 }),
})

interface Told {
  readonly delivered: string[]
}

const turns = async (count = 0): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

async function runEvent(
  home: string,
  number: number,
  { says, claims, delivers, blocks, refuses, pauses }: typeof event extends fc.Arbitrary<infer One> ? One : never,
): Promise<Told> {
  await turns(pauses[0])
  const memory = await SessionMemory.open(home, 'codex', 's')
  await turns(pauses[1])
  const texts = Array.from({ length: says }, (_, index) => `text ${number}.${index}`)
  memory.queue({ context: texts })
  if (blocks) memory.change((kept) => ({ ...kept, stops: kept.stops + 1 }))
  if (refuses) memory.refuse(`call ${number}`)
  if (claims) await memory.claim()
  const delivered = delivers ? [...memory.waiting.context] : []
  if (delivers) memory.noteDelivered('context')
  await turns(pauses[2])
  await memory.save()
  return { delivered }
}

/** What is on the disk. */
const keptIn = (home: string) =>
  JSON.parse(readFileSync(join(home, '.hookline/bridges/codex/s/session.json'), 'utf8')) as {
    readonly context: readonly string[]
    readonly refused: readonly string[]
    readonly calls: object
    readonly counts: object
    readonly stops: number
  }

describe('what is remembered of a session', () => {
  it('loses nothing and delivers each text once, in whatever order events of it run at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 2, maxLength: 8 }), async (events) => {
        const { home } = await makeWorld()
        const told = await Promise.all(events.map((one, number) => runEvent(home, number, one)))
        await SessionMemory.open(home, 'codex', 's').then(async (memory) => {
          memory.change((kept) => kept) // so that there is a file
          await memory.save()
        })
        const { context, refused, stops } = keptIn(home)
        const all = [...told.flatMap(({ delivered }) => delivered), ...context]
        const said = events.flatMap(({ says }, number) =>
          Array.from({ length: says }, (_, index) => `text ${number}.${index}`),
        )
        expect(all.sort()).toEqual(said.sort())
        expect(stops).toBe(events.filter(({ blocks }) => blocks).length)
        const refusals = events.flatMap((one, number) => (one.refuses ? [`call ${number}`] : []))
        expect([...refused].sort()).toEqual(refusals.sort())
      }),
      { numRuns: 40 },
    )
  })

  it('stays small however much is said in a session', async () => {
    const { home } = await makeWorld()
    const part = { label: 'Bash', calls: [{ tool: 'Bash', input: { command: 'x' } }] } as const
    for (let round = 0; round < 4; round++) {
      const memory = await SessionMemory.open(home, 'codex', 's')
      await memory.claim() // and does not deliver
      for (let call = 0; call < 50; call++) {
        memory.queue({ context: [`text ${round}.${call}`], toUser: ['x'] })
        memory.refuse(`call ${round}.${call}`)
        memory.remember(`call ${round}.${call}`, [part], {})
        memory.makeCallId('Bash', { round, call }, { starts: true })
      }
      await memory.save()
    }
    const { context, refused, calls, counts } = keptIn(home)
    const sizes = [context.length, refused.length, Object.keys(calls).length, Object.keys(counts).length]
    expect(Math.max(...sizes)).toBeLessThanOrEqual(64)
    expect(context.at(-1)).toBe('text 3.49')
  })
})
