import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { until } from '../../../hookline/test/support/processes.ts'
import { put } from '../../../hookline/test/support/project.ts'
import { group, openSession } from './support/session.ts'

const guard = { PreToolUse: [{ matcher: 'Bash', ...group('./guard.sh') }] }
const call = { tools: [{ name: 'Bash', input: { command: 'true' } }] }
const files = {
  'project/guard.sh': '#!/bin/sh\necho not now >&2\nexit 2\n',
  'home/.claude/settings.json': { hooks: { Stop: [group('true')] } },
}
const args = ['--allowed-tools', 'Bash']

it('lists hooks by event, by scope and by state', async () => {
  const { terminal } = await openSession({ turns: [], hooks: guard, files })
  await terminal.see('Ask something')

  await terminal.enter('/hooks')
  const byEvent = await terminal.see('Hooks by event')
  await terminal.press('Tab')
  const byScope = await terminal.see('Hooks by scope')
  await terminal.press('Tab')
  await terminal.see('Hooks by state')
  await terminal.press('Escape')
  await terminal.seeGone('Hooks by state')

  expect(byEvent).toMatch(/guard\.sh {2}PreToolUse Bash {2}project/)
  expect(byEvent).toMatch(/true {6}Stop {13}user/)
  expect(byScope).toMatch(/guard\.sh[^\n]*project[^\n]*\n[^\n]*true[^\n]*user/)
})

it('shows a hook with its last runs, and switches it off for the session', async () => {
  const turns = [call, { text: 'First.' }, call, { text: 'Second.' }]
  const { terminal } = await openSession({ turns, hooks: guard, files, args })
  await terminal.see('Ask something')
  await terminal.enter('Go')
  await terminal.see('First.')

  await terminal.enter('/hooks')
  await terminal.see('Hooks by event')
  await terminal.press('Enter')
  const detail = await terminal.see('last runs')
  await terminal.press('d')
  await terminal.see('it was switched off for this session')
  await terminal.press('Escape', 'Escape')
  await terminal.see('Ask something')
  await terminal.enter('Again')
  const everything = await terminal.see('Second.')

  expect(detail).toMatch(/where +\.claude\/settings\.json:\d+/)
  expect(detail).toMatch(/ended: blocking, exit 2, \d+ ms/)
  expect(everything.match(/hook error/g)).toHaveLength(1)
})

it('adds a hook that is active at once', async () => {
  const { terminal, world } = await openSession({ turns: [{ text: 'First.' }], hooks: guard, files })
  await terminal.see('Ask something')

  await terminal.enter('/hooks')
  await terminal.see('Hooks by event')
  await terminal.press('a')
  await terminal.see('which event')
  await terminal.press('Down')
  await terminal.see('❯ UserPromptSubmit')
  await terminal.press('Enter')
  await terminal.see('which command')
  await terminal.enter('touch added-hook-ran')
  await terminal.see('where it is kept')
  await terminal.press('Enter')
  await terminal.see('Added, and active at once')
  await terminal.press('Escape')
  await terminal.see('Ask something')
  await terminal.enter('Go')
  await terminal.see('First.')

  await until('the hook has run', () => existsSync(join(world.project, 'added-hook-ran')))
  expect(readFileSync(join(world.project, '.claude/settings.local.json'), 'utf8')).toContain('touch added-hook-ran')
})

it('reviews a change on disk as a diff, and runs it once it is accepted', async () => {
  const turns = [call, { text: 'First.' }, call, { text: 'Second.' }]
  const { terminal, world } = await openSession({ turns, hooks: guard, files, args })
  await terminal.see('Ask something')
  await put(world, 'project/.claude/settings.json', { hooks: { PreToolUse: [group('./other.sh')] } })
  await put(world, 'project/other.sh', '#!/bin/sh\necho never ever >&2\nexit 2\n')
  await terminal.enter('Go')
  await terminal.see('changed on disk')
  await terminal.see('First.')

  await terminal.enter('/hooks')
  await terminal.see('Hooks by event')
  await terminal.press('r')
  const diff = await terminal.see('Changes on disk')
  await terminal.press('y')
  await terminal.see('Trusted: 1 changed file.')
  await terminal.press('Escape')
  await terminal.see('Ask something')
  await terminal.enter('Again')
  const everything = await terminal.see('Second.')

  expect(diff).toMatch(/-.*guard\.sh/)
  expect(diff).toMatch(/\+.*other\.sh/)
  expect(everything).toContain('not now')
  expect(everything).toContain('never ever')
})

it('keeps the hooks it has when a change is rejected', async () => {
  const { terminal, world } = await openSession({ turns: [call, { text: 'First.' }], hooks: guard, files, args })
  await terminal.see('Ask something')
  await put(world, 'project/.claude/settings.json', {})

  await terminal.enter('/hooks')
  await terminal.see('Hooks by event')
  await terminal.press('r')
  await terminal.see('Changes on disk')
  await terminal.press('n')
  await terminal.see('The change is rejected')
  await terminal.press('Escape')
  await terminal.see('Ask something')
  await terminal.enter('Go')

  expect(await terminal.see('First.')).toContain('not now')
})
