import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Explanation } from '../../src/engine/explain.ts'
import { commands, makeWorld, openOn } from '../support/project.ts'

/** The verdict on each hook, by its command; no hook is started. */
function verdictsOf({ hooks }: Explanation): (readonly [string | null | undefined, string])[] {
  return hooks.map(({ command, verdict }) => [command, verdict])
}

const bash = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } } as const

describe('a plan', () => {
  it('has a line for every hook of the event, the nearest file first, and none of another event', async () => {
    const world = await makeWorld({
      'home/.claude/settings.json': { hooks: { PreToolUse: [{ matcher: 'Write', ...commands('echo user') }] } },
      'project/.claude/settings.json': {
        hooks: {
          PreToolUse: [
            { matcher: 'Bash', ...commands('echo one', 'echo two') },
            { matcher: 'bash', ...commands('echo lower') },
            commands('echo all'),
          ],
          Stop: [commands('echo stop')],
        },
      },
      'project/.claude/settings.local.json': { hooks: { PreToolUse: [{ matcher: 'B.*', ...commands('echo local') }] } },
    })
    const engine = await openOn(world, { profile: 'classic' })
    expect(verdictsOf(engine.explain(bash))).toEqual([
      ['echo local', 'ran'],
      ['echo one', 'ran'],
      ['echo two', 'ran'],
      ['echo lower', 'matcher-miss'],
      ['echo all', 'ran'],
      ['echo user', 'matcher-miss'],
    ])
    expect(verdictsOf(engine.explain({ hook_event_name: 'Stop', stop_hook_active: false }))).toEqual([
      ['echo stop', 'ran'],
    ])
  })

  it('runs equal hooks once, and says so of the others', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': {
        hooks: {
          PreToolUse: [
            { matcher: 'Bash', ...commands('echo same') },
            { matcher: '*', ...commands('echo same', 'echo other') },
          ],
        },
      },
    })
    const engine = await openOn(world, { profile: 'classic' })
    const ran = engine.explain(bash).hooks.filter(({ verdict }) => verdict === 'ran')
    expect(ran.map(({ command }) => command)).toEqual(['echo same', 'echo other'])
    expect(engine.explain(bash).hooks).toHaveLength(3)
  })

  it('leaves out what was switched off, and takes it back', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { PreToolUse: [commands('echo one'), commands('echo two')] } },
    })
    const engine = await openOn(world, { profile: 'classic' })
    const [first] = engine.list()
    const id = first?.hook.id ?? ''
    engine.switchHook(id, { off: true })
    expect(verdictsOf(engine.explain(bash))).toEqual([
      ['echo one', 'disabled'],
      ['echo two', 'ran'],
    ])
    engine.switchHook(id, { off: false })
    expect(verdictsOf(engine.explain(bash)).map(([, verdict]) => verdict)).toEqual(['ran', 'ran'])
  })

  it('matches exact names alone where a matcher is a list of names, whatever the names are', async () => {
    const names = ['Bash', 'BashOutput', 'Write', 'TodoWrite', 'mcp__a__b', 'mcp__a__bc']
    const lists = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 })
    const cases = fc.sample(lists, { numRuns: 40, seed: 37 })
    const PreToolUse = cases.map((list, at) => ({ matcher: list.join('|'), ...commands(`echo ${at}`) }))
    const engine = await openOn(await makeWorld({ 'project/.claude/settings.json': { hooks: { PreToolUse } } }), {
      profile: 'classic',
    })
    for (const tool_name of names) {
      const { hooks } = engine.explain({ ...bash, tool_name })
      expect(hooks.map(({ verdict }) => verdict === 'ran')).toEqual(cases.map((list) => list.includes(tool_name)))
    }
  })
})
