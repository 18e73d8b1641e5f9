import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { until } from '../../../hookline/test/support/processes.ts'
import { group, openSession, recording, seen } from './support/session.ts'

it('lets the user play the model, and says how to configure one', async () => {
  const { terminal } = await openSession()

  const screen = await terminal.see('Ask something')

  expect(screen).toContain('No model is configured, so you play the model')
  expect(screen).toMatch(/ANTHROPIC_API_KEY/)
})

it('drives the whole loop by hand, hooks included', async () => {
  const refuses = `grep -q forbidden && { echo not that >&2; exit 2; } || true`
  const { terminal, world } = await openSession({
    hooks: { PreToolUse: [group(refuses)], PostToolUse: [group(recording)], Stop: [group(recording)] },
    args: ['--allowed-tools', 'Bash,Write', '--permission-mode', 'acceptEdits'],
  })
  await terminal.see('Ask something')

  await terminal.enter('Do something')
  await terminal.see('model❯')
  await terminal.enter('Bash cat forbidden')
  await terminal.see(/PreToolUse:Bash hook error:[\s\S]*model❯/)
  await terminal.enter('Write notes.txt hello world')
  await terminal.see(/● Write\(notes.txt\)[\s\S]*model❯/)
  await terminal.enter('That is all.')
  await terminal.see('Ask something')

  expect(readFileSync(join(world.project, 'notes.txt'), 'utf8')).toBe('hello world')
  expect(seen(world)).toMatchObject([
    { hook_event_name: 'PostToolUse', tool_name: 'Write' },
    { hook_event_name: 'Stop', stop_hook_active: false },
  ])
})

it('takes several calls of one turn, and inputs as JSON', async () => {
  const { terminal, world } = await openSession({ args: ['--permission-mode', 'acceptEdits'] })
  await terminal.see('Ask something')
  await terminal.enter('Go')
  await terminal.see('model❯')

  await terminal.type('Write one.txt 1')
  await terminal.press('M-Enter')
  await terminal.enter('Write {"file_path": "two.txt", "content": "2"}')
  await terminal.see(/● Write\(two.txt\)[\s\S]*model❯/)
  await terminal.press('Enter') // nothing to say: the turn is over
  await terminal.see('Ask something')

  expect(existsSync(join(world.project, 'one.txt'))).toBe(true)
  expect(readFileSync(join(world.project, 'two.txt'), 'utf8')).toBe('2')
})

it('sums the conversation up in the words that the user types', async () => {
  const { terminal, world } = await openSession({ hooks: { SessionStart: [group(recording)] } })
  await terminal.see('Ask something')
  await terminal.enter('Remember 42')
  await terminal.see('model❯')
  await terminal.enter('I do.')
  await terminal.see('Ask something')

  await terminal.enter('/compact keep the number')
  await terminal.see('summary❯')
  await terminal.enter('The number is 42.')
  await terminal.see('Conversation compacted.')
  await until('the session has started anew', () => seen(world).length === 2)

  expect(seen(world).map(({ source }) => source)).toEqual(['startup', 'compact'])
})

it('can be interrupted at the turn of the model', async () => {
  const { terminal } = await openSession()
  await terminal.see('Ask something')
  await terminal.enter('Go')
  await terminal.see('model❯')

  await terminal.press('Escape')

  await terminal.see('Interrupted')
  await terminal.see('Ask something')
})
