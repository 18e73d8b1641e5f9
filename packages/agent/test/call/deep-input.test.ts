import { expect, it } from 'vitest'
import { bash, openAgent, textsOf } from '../support/opened-agent.ts'

it.each([5000, 50_000])('a call whose input is nested %i levels deep fails, and the turn goes on', async (levels) => {
  let deep: unknown = 'x'
  for (let level = 0; level < levels; level++) deep = { a: deep }
  const calls = [{ ...bash('true', 'toolu_deep'), input: { command: 'true', deep } }, bash('echo shallow')]
  const { agent, requests, transcript } = await openAgent(
    { turns: [{ tools: calls }, { text: 'done' }] },
    { allowedTools: ['Bash'] },
  )
  expect(await agent.run('Go')).toMatchObject({ success: true, text: 'done' })
  const results = requests[1]?.messages.flatMap((message) => textsOf(message)).join('\n')
  expect(results).toContain('The input of Bash was nested too deeply to be read.')
  expect(results).toContain('shallow')
  expect(JSON.stringify(await transcript())).toContain('toolu_deep')
})
