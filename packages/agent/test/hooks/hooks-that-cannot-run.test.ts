import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { commands, makeWorld } from '../../../hookline/test/support/project.ts'
import { makeLogPath } from '../../src/transcript/sessions.ts'
import { openAgent } from '../support/opened-agent.ts'

const hooks = {
  PreToolUsed: [commands('true')],
  PreToolUse: [
    { matcher: '(', ...commands('true') },
    { matcher: 'Bash', hooks: [{ type: 'comand', command: 'true' }] },
    { matcher: 'Bash', hooks: [{ type: 'command' }] },
    { matcher: 'Bash', hooks: [{ type: 'http', url: 'http://127.0.0.1:1/' }] },
    { hooks: 'true' },
  ],
  Stop: [commands('true')],
}
const REASONS = [
  /settings\.json:\d+:\d+ {2}"PreToolUsed" is not an event\. Did you mean "PreToolUse"\?/,
  /settings\.json:\d+ {2}This PreToolUse hook does not run: its matcher is no.* regular expression/,
  /settings\.json:\d+ {2}This PreToolUse hook does not run: "comand" is not a hook type/,
  /settings\.json:\d+ {2}This PreToolUse hook does not run: a command hook needs a "command"/,
  /settings\.json:\d+ {2}This PreToolUse hook does not run: "http" is a hook type of the profile "current"/,
  /settings\.json:\d+ {2}This PreToolUse hook does not run: the group has no "hooks" list/,
]

describe('hooks that cannot run', () => {
  it('are told to the user when a session starts, and stand in its log', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks } })
    const { agent, events } = await openAgent({ turns: [] }, { world, profile: 'classic' })
    const told = events.flatMap((event) => (event.type === 'told' && event.to === 'user' ? [event.text] : []))
    expect(told).toEqual(REASONS.map((reason) => expect.stringMatching(reason)))
    await agent.close()
    const [first = ''] = (await readFile(makeLogPath(agent.transcriptPath), 'utf8')).split('\n')
    expect(JSON.parse(first).record.notices).toEqual(told)
  })

  it('are told once: not again with the first call that they would have judged', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks } })
    const script = { turns: [{ tools: [{ name: 'Bash', input: { command: 'true' } }] }, { text: 'Done.' }] }
    const { agent, events } = await openAgent(script, {
      ...{ world, permissionMode: 'bypassPermissions', profile: 'classic' },
    })
    await agent.run('Go')
    const told = events.flatMap((event) => (event.type === 'told' && event.to === 'user' ? [event.text] : []))
    expect(told.filter((text) => text.includes('does not run'))).toHaveLength(REASONS.length - 1)
    await agent.close()
  })

  it('are counted where there are many', async () => {
    const many = { Stop: Array.from({ length: 30 }, () => ({ hooks: [{ type: 'comand' }] })) }
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: many } })
    const { agent, events } = await openAgent({ turns: [] }, { world })
    const told = events.flatMap((event) => (event.type === 'told' && event.to === 'user' ? [event.text] : []))
    expect(told).toHaveLength(11)
    expect(told.at(-1)).toBe('20 more hooks do not run: hookline validate names them all.')
    expect(agent.engine.faults).toHaveLength(30)
    await agent.close()
  })
})
