import { expect, it } from 'vitest'
import { makeWorld } from '../../../hookline/test/support/project.ts'
import { openAgent, textsOf } from '../support/opened-agent.ts'

const files = {
  'project/notes.txt': 'the lamp is lit\n',
  'project/.env': 'TOKEN=1\n',
  'far.txt': 'far away\n',
  'project/.claude/settings.json': { permissions: { deny: ['Read(./.env)'] } },
}
const prompt = 'See @notes.txt, "@notes" me@notes.txt @.env @../far.txt @src'

it('adds the files that a user names with @ and the model may read unasked', async () => {
  const world = await makeWorld({ ...files, 'project/src/a.ts': '' })
  const dialog = async () => ({ behavior: 'deny' }) as const
  const { agent, requests, told } = await openAgent({}, { world, dialog })
  await agent.run(prompt)

  const read = textsOf(requests[0]?.messages[0])
  expect(read.filter((text) => text.includes('The user named'))).toEqual([
    expect.stringContaining('the lamp is lit'),
    expect.stringMatching(/the folder .*src\. It holds:\na\.ts/),
  ])
  expect(read.at(-1)).toBe(prompt)
  expect(told().user).toEqual([
    '@notes.txt was read: 1 line',
    '@.env was not added: Permission to use Read was denied by the rule Read(./.env) of .claude/settings.json.',
    '@../far.txt was not added: reading it requires approval, which the model can ask for.',
    '@src was read: 1 name',
  ])
})

it('adds none to a prompt that comes from elsewhere: no user typed it', async () => {
  const { agent, requests } = await openAgent({}, { world: await makeWorld(files) })
  await agent.run(prompt)
  expect(textsOf(requests[0]?.messages[0])).toEqual([prompt])
})
