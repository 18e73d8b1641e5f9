import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as z from 'zod'
import type { DispatchRecord, HookAnswer } from '../../src/index.ts'
import { HaltedByHook, RefusedByHook, withHooks } from '../../src/tools/index.ts'
import { engineWith } from '../support/project.ts'
import { pre } from './asked.ts'

const planWith = (...before: string[]) =>
  fc.record({
    before: fc.constantFrom('nothing', 'deny', 'halt', 'ask', ...before),
    person: fc.boolean(),
    tool: fc.constantFrom('gives', 'throws'),
  })
type Plan = ReturnType<typeof planWith> extends fc.Arbitrary<infer T> ? T : never

const ANSWERS: Readonly<Record<string, HookAnswer<'PreToolUse'> | undefined>> = {
  nothing: undefined,
  deny: pre({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
  halt: { continue: false },
  ask: pre({ permissionDecision: 'ask' }),
  defer: pre({ permissionDecision: 'defer' }),
}

it.each([
  ['classic', planWith()],
  ['current', planWith('defer')],
] as const)(
  'shows every call of a batch under %s once before it, and once after it exactly if it ran, and runs none beside one that ends the turn',
  async (profile, plan) => {
    const engine = await engineWith({}, { profile })
    let plans: readonly Plan[] = []
    let ran: number[] = []
    let records: DispatchRecord[] = []
    const planOf = ({ at }: { at: number }): Plan => plans[at] ?? expect.fail('no such call')
    // The tool input is what this test passes.
    await engine.on('PreToolUse', ({ tool_input }) => ANSWERS[planOf(tool_input as { at: number }).before])
    const call = {
      inputSchema: z.object({ at: z.number() }),
      execute: async (input: { at: number }, _options: object) => {
        ran.push(input.at)
        if (planOf(input).tool === 'throws') throw new Error('broken')
        return input.at
      },
    }
    const onAsk = ({ input }: { input: unknown }) => planOf(input as { at: number }).person
    const tools = withHooks({ call }, engine, { onAsk, onRecord: (record) => records.push(record) })

    await fc.assert(
      fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 6 }), async (drawn) => {
        plans = drawn
        ran = []
        records = []
        const messages = [{ role: 'user' }]
        const ends = await Promise.allSettled(
          plans.map((_, at) => tools.call.execute({ at }, { toolCallId: String(at), messages })),
        )
        const count = (event: string) => records.filter((record) => record.event === event).length
        const isHalted = plans.some(({ before }) => before === 'halt' || before === 'defer')
        const mayRun = plans.flatMap(({ before, person }, at) =>
          before === 'nothing' || (before === 'ask' && person) ? [at] : [],
        )
        expect(count('PreToolUse')).toBe(plans.length)
        expect(count('PostToolUse') + count('PostToolUseFailure')).toBe(ran.length)
        expect(new Set(ran).size).toBe(ran.length)
        expect(ran.toSorted()).toEqual(isHalted ? [] : mayRun)
        for (const [at, end] of ends.entries()) {
          if (ran.includes(at)) expect(end.status).toBe(planOf({ at }).tool === 'gives' ? 'fulfilled' : 'rejected')
          else expect(end).toMatchObject({ reason: expect.toSatisfy(isHookError) })
        }
      }),
      { numRuns: 60 },
    )
  },
)

const isHookError = (error: unknown): boolean => error instanceof RefusedByHook || error instanceof HaltedByHook
