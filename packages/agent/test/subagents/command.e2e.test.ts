import { describe, expect, it } from 'vitest'
import { makeWorld } from '../../../hookline/test/support/project.ts'
import { linesIn, scripted, transcripts } from '../support/command.ts'
import { runAgent } from '../support/in-process.ts'
import { task } from './support.ts'

describe('--agents', () => {
  it('defines subagents for one run; their messages name them in stream-json', async () => {
    const world = await makeWorld()
    const script = {
      turns: [{ tools: [task('counter')] }, { text: 'Counted.' }],
      agents: { counter: { turns: [{ text: '7' }] } },
    }
    const agents = JSON.stringify({ counter: { description: 'Counts', prompt: 'You count.', tools: ['Glob'] } })
    const args = [
      '-p',
      'Count',
      '--agents',
      agents,
      '--output-format',
      'stream-json',
      ...(await scripted(world, script)),
    ]
    const { code, stdout } = await runAgent(world, { args })
    expect(code).toBe(0)
    const said = linesIn(stdout).filter(({ type, agent_type }) => type === 'assistant' && agent_type === 'counter')
    expect(JSON.stringify(said)).toContain('"text":"7"')
    expect(transcripts(world)).toHaveLength(2)
  })

  it.each([
    ['{', '--agents is not JSON'],
    ['[]', '--agents is a JSON object such as {"reviewer"'],
    ['{"counter": {"description": "Counts"}}', 'prompt'],
  ])('says what is wrong with %s', async (agents, words) => {
    const world = await makeWorld()
    const { code, stderr } = await runAgent(world, { args: ['-p', 'Count', '--agents', agents] })
    expect(code).toBe(1)
    expect(stderr).toContain(words)
    expect(stderr).not.toContain('    at ')
  })
})
