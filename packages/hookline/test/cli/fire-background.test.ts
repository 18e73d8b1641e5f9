import { describe, expect, it, vi } from 'vitest'
import { drainWithin } from '../../src/cli/commands/fire/fire.ts'
import { openEngine } from '../../src/index.ts'
import { makeWorld } from '../support/project.ts'

describe('hooks in the background of hookline fire', () => {
  it('are waited for no longer than a limit, although their own timeout is a day', async () => {
    const hook = { type: 'command', command: 'sleep 600', asyncRewake: true, timeout: 86_400 }
    const world = await makeWorld({
      'project/.claude/settings.json': JSON.stringify({ hooks: { Stop: [{ hooks: [hook] }] } }),
    })
    const { project, home } = world
    const engine = await openEngine({ project, home, profile: 'current', trust: 'accepted' })
    const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    try {
      const { hooks } = await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
      expect(hooks[0]?.verdict).toBe('backgrounded')
      expect(await drainWithin(engine, 50)).toEqual([])
      expect(told.mock.calls.join('')).toContain('still runs after 0.05 s')
    } finally {
      told.mockRestore()
      await engine.close()
    }
  })
})
