import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { makeWorld } from '../../../hookline/test/support/project.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import { ToolError } from '../../src/tools/tool.ts'
import { openAgent } from '../support/opened-agent.ts'

const plan = fc.record({
  /** Look runs beside its like, Change alone, and has to be permitted by the user. */
  tool: fc.constantFrom('Look', 'Look', 'Change'),
  before: fc.constantFrom('nothing', 'nothing', 'nothing', 'deny', 'halt'),
  after: fc.constantFrom('nothing', 'nothing', 'nothing', 'halt'),
  user: fc.constantFrom('allow', 'allow', 'deny'),
  fails: fc.boolean(),
  /** Milliseconds. */
  hookTakes: fc.nat(3),
  userTakes: fc.nat(3),
  toolTakes: fc.nat(3),
})
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never

const ANSWERS = {
  nothing: undefined,
  deny: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } },
  halt: { continue: false },
} as const

it('starts no call of an answer after a halt, shows hooks neighbours before the first of them runs, and answers every call', async () => {
  const world = await makeWorld()
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 6 }), async (plans) => {
      const { happened, ran, ended, answered } = await play(plans, world)
      const halted = happened.indexOf('halt')
      if (halted !== -1) expect(happened.slice(halted).filter((what) => what.startsWith('start'))).toEqual([])
      expect(ended).toBe(halted === -1 ? 'success' : 'error_stopped_by_hook')
      expect(happened).not.toContain('beside')
      expect(answered).toEqual(plans.map((_, at) => String(at)))
      for (const at of ran) {
        const seen = happened.slice(0, happened.indexOf(`start ${at}`))
        for (const other of neighboursOf(plans, at)) expect(seen).toContain(`PreToolUse ${other}`)
      }
    }),
    { numRuns: 25 },
  )
})

/** The calls that run at the same time as this one, as far as no hook speaks against it. */
function neighboursOf(plans: readonly Plan[], at: number): number[] {
  if (plans[at]?.tool === 'Change') return [at]
  const isBeside = (other: number) =>
    plans.slice(Math.min(at, other), Math.max(at, other) + 1).every(({ tool }) => tool === 'Look')
  return plans.flatMap((_, other) => (isBeside(other) ? [other] : []))
}

/** Lets a model make these calls in one answer. */
async function play(plans: readonly Plan[], world: Awaited<ReturnType<typeof makeWorld>>) {
  const happened: string[] = []
  const ran: number[] = []
  const running = new Set<number>()
  const planOf = (input: unknown) => {
    const { at } = input as { at: number } // what the script says
    return { at, ...(plans[at] ?? expect.fail('no such call')) }
  }
  const hook = async ({ hook_event_name, tool_input }: Readonly<Record<string, unknown>>) => {
    const { at, before, after, hookTakes } = planOf(tool_input)
    await wait(hookTakes)
    const answer = hook_event_name === 'PreToolUse' ? before : after
    happened.push(`${hook_event_name} ${at}`)
    return ANSWERS[answer as keyof typeof ANSWERS]
  }
  const hooks = [{ hooks: [hook] }]
  const tools = ['Look', 'Change'].map((name) =>
    defineTool({
      ...{ name, description: name, readOnly: name === 'Look', edits: false, input: z.object({ at: z.number() }) },
      run: async (input) => {
        const { at, tool, fails, toolTakes } = planOf(input)
        if (running.size > 0 && [tool, ...[...running].map((other) => plans[other]?.tool)].includes('Change'))
          happened.push('beside')
        happened.push(`start ${at}`)
        ran.push(at)
        running.add(at)
        await wait(toolTakes)
        running.delete(at)
        if (fails) throw new ToolError('broken')
        return { content: 'done', response: {} }
      },
    }),
  )
  const calls = plans.map(({ tool }, at) => ({ name: tool, input: { at }, id: String(at) }))
  const { agent } = await openAgent(
    { turns: [{ tools: calls }, { text: 'Done.' }] },
    {
      ...{ world, tools, hooks: { PreToolUse: hooks, PostToolUse: hooks, PostToolUseFailure: hooks } },
      dialog: async ({ input }) => {
        const { user, userTakes } = planOf(input)
        await wait(userTakes)
        return { behavior: user }
      },
      onEvent: (event) => {
        if (event.type === 'hook' && event.progress.type === 'decision' && event.progress.record.decision.halt)
          happened.push('halt')
      },
    },
  )
  const { subtype, messages } = await agent.run('Go')
  await agent.close()
  const answered = messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : [])),
  )
  return { happened, ran, ended: subtype, answered }
}

const wait = (ms: number): Promise<void> | undefined => (ms === 0 ? undefined : pause(ms))
