import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answering, commands, makeWorld } from '../../../hookline/test/support/project.ts'
import { makeScriptedModel } from '../../src/models/scripted.ts'
import { createAgent } from '../../src/session/agent.ts'
import { listening } from '../support/listening.ts'
import { bash, openAgent, recording, textsOf, worldWithHooks } from '../support/opened-agent.ts'

describe('a session', () => {
  it('begins once and ends once, however often it is closed', async () => {
    const { heard, ...listener } = listening()
    const { agent } = await openAgent({}, { ...listener })
    await agent.run('Go')
    await Promise.all([agent.close(), agent.close('logout')])
    await agent.close()
    expect(heard).toEqual(['SessionStart startup', 'SessionEnd other'])
  })

  it('is ended and begun anew by clear, with another id and an empty conversation', async () => {
    const { heard, ...listener } = listening()
    const { agent, requests } = await openAgent({}, { ...listener })
    await agent.run('Before')
    const { sessionId } = agent
    await agent.clear()
    await agent.run('After')
    expect(agent.sessionId).not.toBe(sessionId)
    expect(requests.at(-1)?.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'After' }] }])
    expect(heard).toEqual(['SessionStart startup', 'SessionEnd clear', 'SessionStart clear'])
  })

  it('goes on where it was when it is resumed, and what hooks had put in is there again', async () => {
    const world = await worldWithHooks({ UserPromptSubmit: [commands('echo beside')] })
    const first = await openAgent(
      { turns: [{ tools: [bash('echo out')] }, { text: 'Done.' }] },
      { world, allowedTools: ['Bash'] },
    )
    await first.agent.run('First')
    await first.agent.close()
    const { heard, ...listener } = listening()
    const second = await openAgent({}, { world, ...listener, resume: first.agent.sessionId })
    await second.agent.run('Second')
    expect(second.agent.sessionId).toBe(first.agent.sessionId)
    expect(heard).toEqual(['SessionStart resume'])
    const [before = []] = first.requests.slice(-1).map(({ messages }) => messages)
    const answer = { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] }
    expect(second.requests[0]?.messages.slice(0, before.length + 1)).toEqual([...before, answer])
    expect(second.events.filter(({ type }) => type === 'restored')).toHaveLength(before.length + 1)
    const lines = await second.transcript()
    expect(lines.filter(({ subtype }) => subtype === 'init')).toHaveLength(1)
    expect(lines.at(-1)).toMatchObject({ type: 'result', subtype: 'success' })
  })

  it('that does not exist cannot be resumed', async () => {
    await expect(openAgent({}, { resume: 'no-such-session' })).rejects.toThrow('There is no session "no-such-session"')
    await expect(openAgent({}, { resume: 'newest' })).rejects.toThrow(
      /^There is no earlier session of .* to continue\.$/,
    )
    await expect(openAgent({}, { resume: '../../etc/passwd' })).rejects.toThrow('There is no session')
  })

  it('can be changed for an earlier one', async () => {
    const world = await makeWorld()
    const first = await openAgent({}, { world })
    await first.agent.run('First')
    await first.agent.close()
    const { heard, ...listener } = listening()
    const { agent, requests } = await openAgent({}, { world, ...listener })
    await agent.resume('newest')
    await agent.run('Second')
    expect(agent.sessionId).toBe(first.agent.sessionId)
    expect(textsOf(requests[0]?.messages[0])).toEqual(['First'])
    expect(heard).toEqual(['SessionStart startup', 'SessionEnd resume', 'SessionStart resume'])
  })

  it('ends within its time when a SessionEnd hook hangs', async () => {
    const world = await worldWithHooks({ SessionEnd: [commands('sleep 60')] })
    const { agent } = await openAgent({}, { world, endWithinMs: 200 })
    const started = performance.now()
    await agent.close()
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  it('does not wait for a SessionStart hook once it is interrupted', async () => {
    const world = await worldWithHooks({ SessionStart: [commands('sleep 60')] })
    const { project, home, managed } = world
    const model = makeScriptedModel({}, { name: 'scripted' })
    const signal = AbortSignal.timeout(100)
    const agent = await createAgent({ project, home, managed, model, trust: 'accepted' }, { signal })
    expect(await agent.run('Go', { signal })).toMatchObject({ subtype: 'error_interrupted' })
    await agent.close()
  })

  it('that policy denies the mode it asks for begins, ends for that reason, and is refused', async () => {
    const { heard, ...listener } = listening()
    const world = await makeWorld({ 'managed.json': { permissions: { disableBypassPermissionsMode: 'disable' } } })
    await expect(openAgent({}, { world, ...listener, permissionMode: 'bypassPermissions' })).rejects.toThrow(
      /^The mode bypassPermissions is switched off by /,
    )
    expect(heard).toEqual(['SessionStart startup', 'SessionEnd bypass_permissions_disabled'])
  })

  it('says once that a provider accepted the key, and a hook may halt there', async () => {
    const model = { ...recording(makeScriptedModel({}, { name: 'keyed' })).model, authenticated: true }
    const { project, home, managed } = await makeWorld()
    const halting = answering({ continue: false, stopReason: 'enough' })
    const agent = await createAgent({
      ...{ project, home, managed, model },
      hooks: { Notification: [commands(`cat >> notified; ${halting}`)] },
    })
    expect(await agent.run('Go')).toMatchObject({ subtype: 'error_stopped_by_hook', error: 'enough' })
    expect(await agent.run('Go')).toMatchObject({ success: true })
    await agent.close()
    const seen = (await readFile(join(project, 'notified'), 'utf8')).trimEnd().split('\n')
    expect(seen.map((line) => JSON.parse(line))).toMatchObject([
      { notification_type: 'auth_success', message: 'keyed accepted the key' },
    ])
  })
})

describe('the transcript', () => {
  it('is with the system before a hook reads it, and ends with what was last said', async () => {
    const last: unknown[] = []
    const look = async ({ transcript_path }: Record<string, unknown>) => {
      const lines = (await readFile(String(transcript_path), 'utf8')).trimEnd().split('\n')
      const { type, message } = JSON.parse(lines.at(-1) ?? '{}')
      last.push([type, message?.content?.[0]?.type ?? message?.content])
    }
    const group = [{ hooks: [look] }]
    const keep = `cp "$(sed -n 's/.*"transcript_path":"\\([^"]*\\)".*/\\1/p')" at-end`
    const { agent, world } = await openAgent(
      { turns: [{ tools: [bash('true')] }, { text: 'Done.' }] },
      {
        allowedTools: ['Bash'],
        hooks: {
          UserPromptSubmit: group,
          PreToolUse: group,
          PostToolUse: group,
          Stop: group,
          SessionEnd: [commands(keep)],
        },
      },
    )
    await agent.run('Go')
    await agent.close()
    await look({ transcript_path: join(world.project, 'at-end') })
    expect(last).toEqual([
      ['system', undefined],
      ['assistant', 'tool_use'],
      ['user', 'tool_result'],
      ['assistant', 'text'],
      ['result', undefined],
    ])
  })

  it('begins with what the session is and ends with what came of it', async () => {
    const { agent, transcript, world } = await openAgent({ turns: [{ thinking: 'Hm.', text: 'Hello.' }] })
    await agent.run('Hello')
    const lines = await transcript()
    expect(lines[0]).toMatchObject({ type: 'system', subtype: 'init', model: 'scripted', cwd: world.project })
    expect(lines[0]?.tools).toContain('Bash')
    expect(lines[2]).toMatchObject({
      type: 'assistant',
      message: {
        content: [
          { type: 'thinking', thinking: 'Hm.' },
          { type: 'text', text: 'Hello.' },
        ],
      },
    })
    expect(lines.at(-1)).toMatchObject({ type: 'result', subtype: 'success', result: 'Hello.', num_turns: 1 })
  })
})
