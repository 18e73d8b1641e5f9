import { readdirSync, readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { until } from '../../../hookline/test/support/processes.ts'
import { group, openSession, recording, reopen, seen } from './support/session.ts'

const hooks = { SessionStart: [group(recording)], SessionEnd: [group(recording)], PreCompact: [group(recording)] }

it('ends the session with /clear, and begins an empty one', async () => {
  const { terminal, world } = await openSession({ turns: [{ text: 'First.' }], hooks })
  await terminal.see('Ask something')
  await terminal.enter('Hello')
  await terminal.see('First.')

  await terminal.enter('/clear')
  await terminal.see('Conversation cleared.')

  expect(await terminal.screen()).not.toContain('First.')
  expect(seen(world).map(({ hook_event_name, source, reason }) => [hook_event_name, source ?? reason])).toEqual([
    ['SessionStart', 'startup'],
    ['SessionEnd', 'clear'],
    ['SessionStart', 'clear'],
  ])
})

it('compacts with the instructions that were typed', async () => {
  const { terminal, world } = await openSession({ turns: [{ text: 'First.' }], hooks })
  await terminal.see('Ask something')
  await terminal.enter('Hello')
  await terminal.see('First.')

  await terminal.enter('/compact keep the names')
  await terminal.see('Conversation compacted.')
  await until('the session has started anew', () => seen(world).length === 3)

  expect(seen(world)).toMatchObject([
    { source: 'startup' },
    { hook_event_name: 'PreCompact', trigger: 'manual', custom_instructions: 'keep the names' },
    { source: 'compact' },
  ])
})

it('goes on with an earlier session that is picked', async () => {
  const { terminal, world } = await openSession({ turns: [{ text: 'The lamp is lit.' }], hooks })
  await terminal.see('Ask something')
  await terminal.enter('Light the lamp')
  await terminal.see('The lamp is lit.')
  await terminal.press('C-d')
  await terminal.ended()
  const second = await reopen(world, { turns: [] })
  await second.see('Ask something')

  await second.enter('/resume')
  await second.see('Resume which session?')
  await second.see('Light the lamp')
  await second.press('Enter')
  await second.see('The lamp is lit.')

  await until('the session has started', () => seen(world).at(-1)?.source === 'resume')
})

it('shows the rules, and adds one', async () => {
  const { terminal, world } = await openSession({ turns: [], settings: { permissions: { deny: ['Bash(rm:*)'] } } })
  await terminal.see('Ask something')

  await terminal.enter('/permissions')
  await terminal.see('Bash(rm:*)  (.claude/settings.json)')
  await terminal.press('Escape')
  await terminal.see('Ask something')
  await terminal.enter('/permissions allow Bash(npm test:*)')
  await terminal.see('allow: Bash(npm test:*), in .claude/settings.local.json')
  await terminal.enter('/permissions allow Bash(oops')
  await terminal.see('is not a valid rule')

  const written = readFileSync(join(world.project, '.claude/settings.local.json'), 'utf8')
  expect(JSON.parse(written)).toEqual({ permissions: { allow: ['Bash(npm test:*)'] } })
})

it('shows the model, and exchanges it', async () => {
  const { terminal } = await openSession({ turns: [{ text: 'Scripted.' }] })
  await terminal.see('Ask something')

  await terminal.enter('/model')
  await terminal.see('The model is script:turns.json.')
  await terminal.enter('/model you')
  await terminal.see('The model is you.')
  await terminal.enter('Hello')
  await terminal.see('model❯')
  await terminal.press('Escape')
  await terminal.see('Interrupted')
  await terminal.enter('/model nobody/knows')

  await terminal.see(/nobody/)
})

it('shows the status, and the commands', async () => {
  const { terminal } = await openSession({ turns: [], hooks })
  await terminal.see('Ask something')

  await terminal.enter('/status')
  expect(await terminal.see(/tokens +0 in, 0 out/)).toMatch(/hooks +3 of 3 active/)
  await terminal.enter('/help')

  expect(await terminal.see('/compact [INSTRUCTIONS]')).toContain('Ctrl+O')
})

it('runs a command that somebody wrote, with its hooks', async () => {
  const command = `---\ndescription: greets\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: touch greeted\n---\nGreet $ARGUMENTS\n`
  const { terminal, world } = await openSession({
    turns: [{ text: 'Hello, Ada.' }],
    files: { 'project/.claude/commands/greet.md': command },
  })
  await terminal.see('Ask something')

  await terminal.type('/gre')
  await terminal.see('greets')
  await terminal.press('Tab')
  await terminal.enter('Ada')
  await terminal.see('❯ Greet Ada')
  await terminal.see('Hello, Ada.')

  await until('its hook has run', () => readable(join(world.project, 'greeted')))
})

it('says that it does not know a command', async () => {
  const { terminal } = await openSession({ turns: [] })
  await terminal.see('Ask something')

  await terminal.enter('/nonsense')

  const said = (await terminal.see('There is no command "/nonsense".')).replaceAll(/\s+/g, ' ')
  for (const name of ['/compact', '/hooks', '/permissions', '/rewind', '/theme']) expect(said).toContain(name)
})

function readable(path: string): boolean {
  try {
    readFileSync(path)
    return true
  } catch {
    return false // not yet
  }
}

it('opens the page of the inspector at this session with /inspect, and ends it with the session', async () => {
  const { terminal, world } = await openSession({ turns: [{ text: 'First.' }], hooks, columns: 160 })
  await terminal.see('Ask something')
  await terminal.enter('Hello')
  await terminal.see('First.')

  await terminal.enter('/inspect')
  await terminal.see('Open this link in your browser, it works once: http://127.0.0.1:')
  const link = /http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]+/.exec(await terminal.screen())?.[0] ?? ''
  const headers = { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }
  const opened = await new Promise<IncomingMessage>((done) => get(link, { headers }, done))
  opened.resume()
  const { session_id: id } = seen(world)[0] ?? {}
  expect([opened.statusCode, opened.headers.location]).toEqual([303, `/session/${String(id)}`])

  await terminal.enter('/inspect')
  await terminal.see('This link works once: ')
  const marks = join(world.home, '.hookline/inspectors')
  expect(readdirSync(marks)).toHaveLength(1)
  await terminal.press('C-d')
  await terminal.ended()
  await until('the inspector has ended', () => readdirSync(marks).length === 0)
})
