import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { until } from '../../../hookline/test/support/processes.ts'
import { answering, put } from '../../../hookline/test/support/project.ts'
import { transcripts } from '../support/command.ts'
import { group, openSession, recording, reopen, seen } from './support/session.ts'

/** The six scenarios that a person is to see in a terminal, by the plan of the agent Envoy. */

const write = { tools: [{ name: 'Write', input: { file_path: 'notes.txt', content: 'draft' } }] }
const args = ['--permission-mode', 'acceptEdits']

it('changes the first message by what a startup hook prints', async () => {
  const hooks = { SessionStart: [{ matcher: 'startup', ...group('echo the branch is feature-x') }] }
  const { terminal, world } = await openSession({ turns: [{ text: 'Hello.' }], hooks })
  await terminal.see('Ask something')

  await terminal.enter('Hi')
  await terminal.see('Hello.')
  await until('the transcript is written', () => JSON.stringify(transcripts(world)).includes('Hello.'))

  const [lines = []] = transcripts(world)
  const said = lines.filter(({ type }) => type === 'user').map((line) => JSON.stringify(line.message))
  expect(said[0]).toContain('SessionStart:startup hook success: the branch is feature-x')
  expect(said[1]).toContain('Hi')
})

it('runs a resume hook when a session goes on', async () => {
  const hooks = { SessionStart: [{ matcher: 'resume', ...group(recording) }] }
  const { terminal, world } = await openSession({ turns: [{ text: 'Hello.' }], hooks })
  await terminal.see('Ask something')
  await terminal.enter('Hi')
  await terminal.see('Hello.')
  await terminal.press('C-d')
  await terminal.ended()
  expect(seen(world)).toEqual([])

  const second = await reopen(world, { turns: [], args: ['--continue'] })
  await second.see('Ask something')

  expect(await second.everything()).toContain('Hello.')
  expect(seen(world)).toMatchObject([{ source: 'resume' }])
})

it('runs a clear hook at /clear', async () => {
  const hooks = { SessionStart: [{ matcher: 'clear', ...group(recording) }] }
  const { terminal, world } = await openSession({ turns: [], hooks })
  await terminal.see('Ask something')
  expect(seen(world)).toEqual([])

  await terminal.enter('/clear')
  await terminal.see('Conversation cleared.')

  expect(seen(world)).toMatchObject([{ source: 'clear' }])
})

it('gives feedback after a file was written', async () => {
  const hooks = { PostToolUse: [{ matcher: 'Write|Edit', ...group('echo the draft has no title >&2; exit 2') }] }
  const { terminal, world } = await openSession({ turns: [write, { text: 'I see.' }], hooks, args })
  await terminal.see('Ask something')

  await terminal.enter('Write')
  const screen = await terminal.see('I see.')

  expect(screen).toContain('the draft has no title')
  const told = (): boolean => JSON.stringify(transcripts(world)).includes('PostToolUse:Write hook blocking error:')
  await until('the transcript says so', told)
})

it('formats, then tests, in order', async () => {
  const files = {
    'project/format.sh':
      'while [ ! -e asked ]; do sleep 0.05; done; printf formatted > notes.txt; echo format >> order',
    'project/test.sh': 'cp notes.txt tested.txt; echo test >> order',
  }
  const hooks = { PostToolUse: [{ matcher: 'Write', ...group('sh format.sh') }, group('sh test.sh')] }
  const inOrder = [...args, '--preset', 'envoy']
  const { terminal, world } = await openSession({ turns: [write, { text: 'Done.' }], hooks, files, args: inOrder })
  await terminal.see('Ask something')

  await terminal.enter('Write')
  await until('the draft is there', () => existsSync(join(world.project, 'notes.txt')))
  await put(world, 'project/asked', '')
  await terminal.see('Done.')

  expect(readFileSync(join(world.project, 'order'), 'utf8')).toBe('format\ntest\n')
  expect(readFileSync(join(world.project, 'tested.txt'), 'utf8')).toBe('formatted')
})

it('hides what a hook printed when it asks for that', async () => {
  const loud = answering({ suppressOutput: false, reason: 'MARK-loud' })
  const quiet = answering({ suppressOutput: true, reason: 'MARK-quiet' })
  const hooks = { PostToolUse: [group(`sh ./loud.sh`), group(`sh ./quiet.sh`)] }
  const files = { 'project/loud.sh': loud, 'project/quiet.sh': quiet }
  const { terminal } = await openSession({ turns: [write, { text: 'Done.' }], hooks, files, args })
  await terminal.see('Ask something')

  await terminal.enter('Write')
  await terminal.see('Done.')
  await terminal.press('C-o')

  expect(await terminal.see('"reason":"MARK-loud"')).not.toContain('MARK-quiet')
})
