import { expect, it } from 'vitest'
import { makeWorld } from '../../../hookline/test/support/project.ts'
import { config, smallServer } from '../mcp/support.ts'
import { hooked, specific } from '../support/current.ts'
import { bash } from '../support/opened-agent.ts'

/** Calls whose output holds a secret, each by another tool. */
const CALLS = [
  bash('printf SEC; printf RET'),
  { name: 'Write', input: { file_path: 'new.txt', content: 'SECRET one\n' } },
  { name: 'Read', input: { file_path: 'old.txt' } },
  { name: 'Edit', input: { file_path: 'old.txt', old_string: 'one', new_string: 'two' } },
  { name: 'Glob', input: { pattern: '*.key' } },
  { name: 'Grep', input: { pattern: 'one|two', output_mode: 'content' } },
  { name: 'Task', input: { description: 'Ask', prompt: 'Say it.', subagent_type: 'general-purpose' } },
  { name: 'TaskCreate', input: { subject: 'SECRET', description: 'd' } },
  { name: 'mcp__small__say', input: { text: 'SECRET' } },
].map((call, at) => ({ ...call, id: `toolu_${at}` }))

it('lets no secret reach the model that a hook redacts, in the shape of each tool', async () => {
  const world = await makeWorld({
    'project/old.txt': 'SECRET one\n',
    'project/SECRET.key': '',
    'project/.mcp.json': config({ small: smallServer() }),
  })
  const script = {
    turns: [...CALLS.map((call) => ({ tools: [call] })), { text: 'Done.' }],
    agents: { 'general-purpose': { turns: [{ text: 'SECRET said.' }] } },
  }
  const redact = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll('SECRET', 'GONE'))
  const allowedTools = ['Bash', 'Write', 'Read', 'Edit', 'Glob', 'Grep', 'Task', 'TaskCreate', 'mcp__small']
  const { agent, requests, seen } = await hooked(
    script,
    [['PostToolUse', ({ tool_response }) => specific('PostToolUse', { updatedToolOutput: redact(tool_response) })]],
    { world, allowedTools },
  )
  await agent.run('Go')
  const results = (requests.at(-1)?.messages ?? [])
    .flatMap(({ content }) => content)
    .flatMap((block) => (block.type === 'tool_result' ? [block] : []))
  const own = seen.filter(({ agent_id }) => agent_id === undefined)
  expect(own.map(({ tool_name }) => tool_name)).toEqual(CALLS.map(({ name }) => name))
  for (const { tool_name, tool_response } of own)
    expect([tool_name, JSON.stringify(tool_response)]).toEqual([tool_name, expect.stringContaining('SECRET')])
  expect(results).toHaveLength(CALLS.length)
  for (const [at, { content }] of results.entries()) expect([CALLS[at]?.name, content]).not.toContain('SECRET')
  expect(JSON.stringify(results)).not.toContain('SECRET')
})
