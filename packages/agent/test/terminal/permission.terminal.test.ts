import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { until } from '../../../hookline/test/support/processes.ts'
import { answering } from '../../../hookline/test/support/project.ts'
import { group, openSession, recording, seen } from './support/session.ts'

const call = { tools: [{ name: 'Bash', input: { command: 'touch made' } }] }
const turns = [call, call, { text: 'Finished.' }]

it('asks before a call, and runs it this once', async () => {
  const { terminal, world } = await openSession({ turns })
  await terminal.see('Ask something')
  await terminal.enter('Make it')
  await terminal.see('Run this command?')
  expect(existsSync(join(world.project, 'made'))).toBe(false)

  await terminal.press('Enter')
  await until('the call has run', () => existsSync(join(world.project, 'made')))
  await terminal.see(/touch made[\s\S]*Run this command\?/) // the second call is asked for again
  await terminal.press('1')

  await terminal.see('Finished.')
})

it('asks no more after "always", and keeps the rule in the local settings', async () => {
  const { terminal, world } = await openSession({ turns })
  await terminal.see('Ask something')
  await terminal.enter('Make it')
  await terminal.see('Yes, and always: Bash(touch:*) (.claude/settings.local.json)')

  await terminal.press('2')
  await terminal.see('Finished.')

  const written = JSON.parse(readFileSync(join(world.project, '.claude/settings.local.json'), 'utf8'))
  expect(written).toEqual({ permissions: { allow: ['Bash(touch:*)'] } })
})

it('refuses with the message that the user gives the model', async () => {
  const { terminal, world } = await openSession({ turns: [call, { text: 'Finished.' }] })
  await terminal.see('Ask something')
  await terminal.enter('Make it')
  await terminal.see('Run this command?')

  await terminal.press('3')
  await terminal.see('say what to do instead')
  await terminal.enter('use mkdir')
  const screen = await terminal.see('Finished.')

  expect(screen).toContain('The user refused this call and says: use mkdir')
  expect(existsSync(join(world.project, 'made'))).toBe(false)
})

it('closes the dialog with Esc, which interrupts the turn', async () => {
  const { terminal } = await openSession({ turns })
  await terminal.see('Ask something')
  await terminal.enter('Make it')
  await terminal.see('Run this command?')

  await terminal.press('Escape')

  await terminal.see('Interrupted')
  await terminal.seeGone('Run this command?')
})

it('shows the reason that a hook gives for asking', async () => {
  const answer = {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'ask',
      permissionDecisionReason: 'Fridays are slow',
    },
  }
  const { terminal } = await openSession({ turns, hooks: { PreToolUse: [group(answering(answer))] } })
  await terminal.see('Ask something')

  await terminal.enter('Make it')

  expect(await terminal.see('Run this command?')).toMatch(/Run this command\?[\s\S]*Fridays are slow/)
})

it('does not open the dialog when a PermissionRequest hook answers', async () => {
  const answer = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } }
  const { terminal, world } = await openSession({ turns, hooks: { PermissionRequest: [group(answering(answer))] } })
  await terminal.see('Ask something')

  await terminal.enter('Make it')
  const everything = await terminal.see('Finished.')

  expect(everything).not.toContain('Run this command?')
  expect(existsSync(join(world.project, 'made'))).toBe(true)
})

it('fires Notification permission_prompt when nobody answers', async () => {
  const { terminal, world } = await openSession({
    turns,
    hooks: { Notification: [group(recording)] },
    env: { HOOKLINE_NOTIFY_AFTER_MS: '50' },
  })
  await terminal.see('Ask something')

  await terminal.enter('Make it')
  await terminal.see('Run this command?')

  await until('the hook has run', () => seen(world).length === 1)
  expect(seen(world)).toMatchObject([{ notification_type: 'permission_prompt' }])
})

it('fires Notification idle_prompt once when nobody types', async () => {
  const { terminal, world } = await openSession({
    turns: [{ text: 'Finished.' }],
    hooks: { Notification: [group(recording)] },
    env: { HOOKLINE_IDLE_AFTER_MS: '100' },
  })
  await terminal.see('Ask something')
  await until('the hook has run', () => seen(world).length === 1)

  await terminal.enter('Hello')
  await terminal.see('Finished.')
  await until('it has run again', () => seen(world).length === 2)

  expect(seen(world)).toMatchObject([{ notification_type: 'idle_prompt' }, { notification_type: 'idle_prompt' }])
})

it('changes the mode with Shift+Tab', async () => {
  const edit = { tools: [{ name: 'Write', input: { file_path: 'made', content: 'x' } }] }
  const { terminal, world } = await openSession({ turns: [edit, { text: 'Finished.' }] })
  await terminal.see('Ask something')

  await terminal.press('BTab')
  await terminal.see('acceptEdits')
  await terminal.enter('Write it')
  await terminal.see('Finished.')

  expect(readFileSync(join(world.project, 'made'), 'utf8')).toBe('x')
})
