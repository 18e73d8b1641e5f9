import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeWorld } from '../../../hookline/test/support/project.ts'
import { openAgent } from '../support/opened-agent.ts'

const edit = (file_path: string, old_string: string, new_string = 'new'): object => ({
  name: 'Edit',
  input: { file_path, old_string, new_string },
})
const write = (file_path: string): object => ({ name: 'Write', input: { file_path, content: 'new' } })

/** Calls that cannot succeed, and what the model reads of each. */
const FUTILE: readonly (readonly [object, RegExp])[] = [
  [edit('read.txt', 'nowhere'), /old_string does not occur in .*read\.txt/],
  [edit('read.txt', 'twice'), /old_string occurs more than once/],
  [edit('read.txt', 'once', 'once'), /there is nothing to change/],
  [edit('read.txt', ''), /exists: an empty old_string creates a new file/],
  [edit('missing.txt', 'once'), /does not exist/],
  [edit('unread.txt', 'once'), /has not been read yet/],
  [edit('folder', 'once'), /is a folder/],
  [write('unread.txt'), /has not been read yet/],
  [write('folder'), /is a folder/],
]

it('asks nobody about an edit that cannot succeed', async () => {
  const world = await makeWorld({
    'project/read.txt': 'once twice twice\n',
    'project/unread.txt': 'once\n',
    'project/folder/a.txt': '',
    'project/.claude/settings.json': {
      hooks: { PermissionRequest: [{ hooks: [{ type: 'command', command: 'echo asked >> asked.txt' }] }] },
    },
  })
  const asked: unknown[] = []
  const { agent, requests } = await openAgent(
    {
      turns: [
        { tools: [{ name: 'Read', input: { file_path: 'read.txt' } }] },
        ...FUTILE.map(([call]) => ({ tools: [call] })),
        { tools: [edit('read.txt', 'once')] },
        { text: 'Over.' },
      ] as never, // calls as data
    },
    {
      world,
      dialog: async ({ input }) => {
        asked.push(input)
        return { behavior: 'deny' }
      },
    },
  )
  const result = await agent.run('go')

  const read = requests
    .at(-1)
    ?.messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_result' ? [block.content] : [])),
    )
  expect(read?.slice(1, -1)).toEqual(FUTILE.map(([, words]) => expect.stringMatching(words)))
  expect(await readFile(join(world.project, 'asked.txt'), 'utf8')).toBe('asked\n')
  expect(asked).toEqual([expect.objectContaining({ old_string: 'once', new_string: 'new' })])
  expect(result.denials.map(({ toolInput }) => toolInput)).toEqual(asked) // a call that failed was not denied
})
