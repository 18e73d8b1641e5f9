import { expect, it } from 'vitest'
import { until } from '../../../hookline/test/support/processes.ts'
import { config, smallServer } from '../mcp/support.ts'
import { group, openSession, recording, seen } from './support/session.ts'

const opening = {
  turns: [{ tools: [{ name: 'mcp__small__ask', input: {} }] }, { text: 'Thank you.' }],
  files: { 'project/.mcp.json': config({ small: smallServer() }) },
  hooks: { Notification: [group(recording)] },
  args: ['--allowed-tools', 'mcp__small'],
}

it('shows the form of an MCP server, and sends back what is filled in', async () => {
  const { terminal, world } = await openSession(opening)
  await terminal.see('Ask something')
  await terminal.enter('Ask me')
  await terminal.see('small asks')

  await terminal.enter('main')
  const screen = await terminal.see('Thank you.')
  await until('hooks have heard of it', () => seen(world).length === 1)

  expect(screen).toMatch(/mcp__small__ask[\s\S]*main/)
  expect(seen(world)).toMatchObject([{ notification_type: 'elicitation_dialog' }])
})

it('closes it with Esc', async () => {
  const { terminal } = await openSession(opening)
  await terminal.see('Ask something')
  await terminal.enter('Ask me')
  await terminal.see('small asks')

  await terminal.press('Escape')

  await terminal.see('Thank you.')
})
