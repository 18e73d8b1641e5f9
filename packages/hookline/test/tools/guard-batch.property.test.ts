import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { guardBatch } from '../../src/tools/index.ts'
import { engineWith } from '../support/project.ts'
import { pre } from './asked.ts'

const plan = fc.record({
  before: fc.constantFrom('nothing', 'nothing', 'nothing', 'deny', 'ask', 'halt'),
  after: fc.constantFrom('nothing', 'nothing', 'halt'),
  tool: fc.constantFrom('gives', 'throws'),
  alone: fc.boolean(),
  /** Milliseconds that its hooks, the user and the tool take. */
  hookTakes: fc.nat(3),
  userTakes: fc.nat(3),
  toolTakes: fc.nat(3),
})
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never

const ANSWERS = {
  nothing: undefined,
  deny: pre({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
  ask: pre({ permissionDecision: 'ask' }),
  halt: { continue: false },
} as const

it('asks hooks about all calls of a batch first, starts none after a halt, and none beside one that is to be alone', async () => {
  const engine = await engineWith({})
  let plans: readonly Plan[] = []
  const planOf = (input: unknown): Plan => plans[(input as { at: number }).at] ?? expect.fail('no such call')
  const wait = (ms: number) => (ms === 0 ? undefined : pause(ms))
  await engine.on('PreToolUse', async ({ tool_input }) => {
    const { before, hookTakes } = planOf(tool_input)
    await wait(hookTakes)
    return ANSWERS[before as keyof typeof ANSWERS]
  })
  for (const event of ['PostToolUse', 'PostToolUseFailure'] as const)
    await engine.on(event, async ({ tool_input }) => {
      const { after, hookTakes } = planOf(tool_input)
      await wait(hookTakes)
      return after === 'halt' ? { continue: false } : undefined
    })

  await fc.assert(
    fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 6 }), async (drawn) => {
      plans = drawn
      const happened: string[] = []
      const running = new Set<number>()
      const run = async (input: unknown) => {
        const { at } = input as { at: number }
        const { alone, tool, toolTakes } = planOf(input)
        const isAlone = alone || [...running].some((other) => plans[other]?.alone)
        if (running.size > 0 && isAlone) happened.push('beside')
        happened.push('start')
        running.add(at)
        await wait(toolTakes)
        running.delete(at)
        if (tool === 'throws') throw new Error('broken')
      }
      const ends = await guardBatch(
        engine,
        plans.map(({ alone }, at) => ({ name: 'call', input: { at }, id: String(at), alone, run })),
        {
          onAsk: async ({ input }) => {
            await wait(planOf(input).userTakes)
            return true
          },
          onNotice: () => {},
          onRecord: ({ event, decision }) => void happened.push(decision.halt ? 'halt' : event),
        },
      )
      const starts = happened.filter((what) => what === 'start').length
      expect(ends.filter(({ ended }) => ended === 'ran' || ended === 'failed')).toHaveLength(starts)
      expect(happened).not.toContain('beside')
      expect(happened.slice(happened.indexOf('halt')).includes('start') && happened.includes('halt')).toBe(false)
      expect(happened.slice(happened.indexOf('start')).includes('PreToolUse') && starts > 0).toBe(false)
      if (plans.some(({ before }) => before === 'halt')) expect(starts).toBe(0)
    }),
    { numRuns: 150 },
  )
})
