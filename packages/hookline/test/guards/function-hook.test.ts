import { describe, expect, it } from 'vitest'
import { guards } from '../../src/guards/index.ts'
import { bashCall, engineWith, makeWorld, openOn, put } from '../support/project.ts'

function toEvent(command: string, more: object = {}) {
  return { ...bashCall, tool_input: { command }, ...more }
}

describe('guards as a function hook', () => {
  it('refuse, ask, or have nothing to say', async () => {
    const world = await makeWorld({ 'home/Documents/notes.txt': 'notes' })
    const engine = await openOn(world)
    await engine.on('PreToolUse', guards({ home: world.home, managed: '' }))
    const cwd = world.project
    const refused = await engine.dispatch(toEvent('rm -rf ~/Documents', { cwd }))
    expect(refused.decision).toMatchObject({ permission: 'deny' })
    expect(refused.decision.reason).toContain('delete: removes ~/Documents')
    expect((await engine.dispatch(toEvent('npm publish', { cwd }))).decision.permission).toBe('ask')
    expect((await engine.dispatch(toEvent('npm test', { cwd }))).decision.permission).toBe(null)
  })

  it('refuse instead of asking where nobody is asked', async () => {
    const world = await makeWorld()
    const look = guards({ home: world.home, managed: '' })
    const event = toEvent('rm -rf "$BUILD"/*', { cwd: world.project })
    expect((await look(event))?.hookSpecificOutput.permissionDecision).toBe('ask')
    const unasked = await look({ ...event, permission_mode: 'bypassPermissions' })
    expect(unasked?.hookSpecificOutput.permissionDecision).toBe('deny')
  })

  it.each([{}, { tool_name: 'Bash' }, { tool_name: '', tool_input: {} }, { tool_name: 'Bash', tool_input: [] }])(
    'ask about an event that they cannot read: %j',
    async (event) => {
      const answer = await guards()({ hook_event_name: 'PreToolUse', ...event })
      expect(answer?.hookSpecificOutput.permissionDecision).toBe('ask')
    },
  )

  it('ask about a call on which they fail, and refuse it where nobody is asked', async () => {
    const failing = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no keys')
        },
      },
    )
    const event = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: failing }
    const asked = await guards()(event)
    expect(asked?.hookSpecificOutput).toMatchObject({
      permissionDecision: 'ask',
      permissionDecisionReason: expect.stringContaining('no keys'),
    })
    const refused = await guards()({ ...event, permission_mode: 'bypassPermissions' })
    expect(refused?.hookSpecificOutput.permissionDecision).toBe('deny')
  })

  it('follow the settings of the user, and those of the host before them', async () => {
    const world = await makeWorld()
    await put(world, 'home/.hookline/guards.json', JSON.stringify({ guards: { publish: 'off' } }))
    const event = toEvent('npm publish', { cwd: world.project })
    expect(await guards({ home: world.home, managed: '' })(event)).toBe(null)
    const strict = await guards({ home: world.home, managed: '', guards: { publish: 'deny' } })(event)
    expect(strict?.hookSpecificOutput.permissionDecision).toBe('deny')
  })

  it('use up an exception for one call', async () => {
    const world = await makeWorld({ 'home/Documents/notes.txt': 'notes' })
    const once = { guard: 'delete', path: '~/Documents', reason: 'tidy', once: Date.now() + 60_000 }
    await put(world, 'home/.hookline/guards.json', JSON.stringify({ allow: [once] }))
    const look = guards({ home: world.home, managed: '' })
    const event = toEvent('rm -rf ~/Documents', { cwd: world.project })
    expect(await look(event)).toBe(null)
    expect((await look(event))?.hookSpecificOutput.permissionDecision).toBe('deny')
  })

  it('never make an answer of another hook milder', async () => {
    const engine = await engineWith({})
    await engine.on('PreToolUse', () => ({ decision: 'block', reason: 'not today' }))
    await engine.on('PreToolUse', guards({ managed: '' }))
    expect((await engine.dispatch(toEvent('npm test'))).decision.permission).toBe('deny')
  })
})
