import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { commands } from '../../../hookline/test/support/project.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import { type Tool, ToolError } from '../../src/tools/tool.ts'
import { bash, openAgent, worldWithHooks } from '../support/opened-agent.ts'
import { askedOf, type Logged, loggedEvents, readIn, task } from './support.ts'
import { type Expected, played, trees } from './tree.ts'

const ran: string[] = []

function tool(name: string, fails: boolean): Tool {
  return defineTool({
    ...{ name, description: name, readOnly: true, edits: false, input: z.strictObject({}) },
    run: async () => {
      ran.push(name)
      if (fails) throw new ToolError('it fails')
      return { content: 'looked', response: {} }
    },
  })
}

const TOOLS = [tool('Look', false), tool('Fail', true), tool('Forbidden', false)]

const DENY = {
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'never' },
}

/** Denies what no agent at any depth may do, starting some agents included. */
const guard = ({ tool_name, tool_input }: Readonly<Record<string, unknown>>): object | undefined =>
  tool_name === 'Forbidden' || JSON.stringify(tool_input ?? {}).includes('"forbidden-') ? DENY : undefined

it('holds for random trees of agents: every call meets the hooks once, at every depth', async () => {
  await fc.assert(
    fc.asyncProperty(trees(4), async (tree) => {
      const { script, agents, expected } = played(tree)
      ran.length = 0
      const opened = await openAgent(script, { tools: TOOLS, agents, hooks: { PreToolUse: [{ hooks: [guard] }] } })
      expect(await opened.agent.run('Go')).toMatchObject({ success: true })
      await opened.agent.close()
      const events = loggedEvents(opened)
      expect(seenCalls(events)).toEqual(wantedCalls(expected))
      expect(ran).not.toContain('Forbidden')
      expect(answersInOrder(events, expected)).toBe(true)
      const kinds = new Set(expected.map(({ agent }) => agent))
      const stopped = events.filter(({ input }) => /^(Subagent)?Stop$/.test(String(input.hook_event_name)))
      for (const kind of kinds) expect(stopped.filter(({ input }) => agentOf(input) === kind)).toHaveLength(1)
    }),
    { numRuns: 60 },
  )
})

it('lets a deny of the project hold for a subagent of a subagent', async () => {
  const world = await worldWithHooks({ PreToolUse: [{ matcher: 'Bash', ...commands('echo no shell >&2; exit 2') }] })
  const agents = { outer: { description: 'o', prompt: 'o' }, inner: { description: 'i', prompt: 'i' } }
  const opened = await openAgent(
    {
      turns: [{ tools: [task('outer')] }],
      agents: { outer: { turns: [{ tools: [task('inner')] }] }, inner: { turns: [{ tools: [bash('touch x')] }] } },
    },
    { world, agents, permissionMode: 'bypassPermissions' },
  )
  await opened.agent.run('Go')
  expect(readIn(askedOf(opened, 'inner')[1])).toContain('no shell')
})

const agentOf = (input: Logged['input']): string | null =>
  typeof input.agent_type === 'string' ? input.agent_type : null

/** Every call that hooks saw, with the events it caused. */
function seenCalls(events: readonly Logged[]): string[] {
  const toolEvents = events.filter(({ input }) => typeof input.tool_use_id === 'string')
  return toolEvents.map(({ input }) => `${agentOf(input)} ${input.tool_use_id} ${input.hook_event_name}`).toSorted()
}

/** One PreToolUse a call, and one event after it when it was made. */
function wantedCalls(expected: readonly Expected[]): string[] {
  const after = { succeeds: ['PostToolUse'], fails: ['PostToolUseFailure'], 'is refused': [] }
  return expected
    .flatMap(({ agent, id, becomes }) => ['PreToolUse', ...after[becomes]].map((event) => `${agent} ${id} ${event}`))
    .toSorted()
}

/** Whether the records of each agent, by themselves, go through its answers in order, each call from before to after. */
function answersInOrder(events: readonly Logged[], expected: readonly Expected[]): boolean {
  const answers = new Map(expected.map(({ id, answer }) => [id, answer]))
  const toolEvents = events.filter(({ input }) => typeof input.tool_use_id === 'string')
  return [...new Set(toolEvents.map(({ input }) => agentOf(input)))].every((agent) => {
    const own = toolEvents.filter(({ input }) => agentOf(input) === agent)
    const order = own.map(({ input }) => answers.get(String(input.tool_use_id)) ?? -1)
    const begun = new Set<unknown>()
    const inPairs = own.every(({ input: { hook_event_name, tool_use_id } }) =>
      hook_event_name === 'PreToolUse' ? begun.add(tool_use_id) : begun.has(tool_use_id),
    )
    return inPairs && order.every((answer, at) => at === 0 || answer >= (order[at - 1] ?? 0))
  })
}
