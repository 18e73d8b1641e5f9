import { describe, expect, it } from 'vitest'
import { answering, commands, makeWorld, put } from '../../../hookline/test/support/project.ts'
import { bash, openAgent, textsOf } from '../support/opened-agent.ts'

describe('the options', () => {
  it('take hooks and permissions from a settings file of their own, which may have comments', async () => {
    const world = await makeWorld()
    const settings = await put(
      world,
      'own.json',
      `{ // mine
        "permissions": { "allow": ["Bash(echo:*)"] },
        "hooks": { "Stop": [${JSON.stringify(commands(answering({ systemMessage: 'own hook' })))}] },
      }`,
    )
    const { agent, told, requests } = await openAgent({ turns: [{ tools: [bash('echo out')] }] }, { world, settings })
    await agent.run('Go')
    expect(told().user).toEqual(['own hook'])
    expect(textsOf(requests[1]?.messages.at(-1))).toEqual(['out'])
  })

  it.each([
    [{ settings: 'there-is-none.json' }, /^The settings file .*there-is-none\.json does not exist\./],
    [{ allowedTools: ['Bash('] }, /"Bash\(" is not a valid rule/],
    [{ disallowedTools: ['bash'] }, /did you mean "Bash"/],
    [{ maxTurns: 0 }, /^maxTurns must be a positive number, not 0\.$/],
  ])('that cannot be right are refused: %j', async (options, words) => {
    await expect(openAgent({}, options)).rejects.toThrow(words)
  })

  it('refuse a settings file that is not JSON, with the line', async () => {
    const world = await makeWorld()
    const settings = await put(world, 'own.json', '{\n  "hooks": {\n  oops\n}')
    await expect(openAgent({}, { world, settings })).rejects.toThrow(/own\.json:3 {2}own\.json is not JSON/)
  })

  it('show the user what is wrong in a hook of theirs', async () => {
    const { told } = await openAgent(
      {},
      { hooks: { PostToolUsed: [{ hooks: [{ type: 'command', command: 'true' }] }] } },
    )
    expect(told().user).toEqual([expect.stringContaining('"PostToolUsed" is not an event')])
  })
})
