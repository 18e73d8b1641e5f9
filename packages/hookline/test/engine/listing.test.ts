import { describe, expect, it } from 'vitest'
import { withFields } from '../../src/cli/start/event-argument.ts'
import { PROFILES } from '../../src/protocol/profiles.ts'
import { commands, engineWith, makeWorld, openOn } from '../support/project.ts'

const guard = commands('./guard.sh')

async function twinsOf(...matchers: (string | undefined)[]): Promise<(string | null)[]> {
  const groups = matchers.map((matcher) => (matcher === undefined ? guard : { matcher, ...guard }))
  const engine = await engineWith({ PreToolUse: groups })
  return engine.list().map(({ duplicateOf }) => duplicateOf)
}

describe('listing hooks that run the same', () => {
  const FIRST = 'project:PreToolUse:0:0'

  it.each([
    [['Bash', 'Edit|Write']],
    [['Edit|Write|MultiEdit', 'Bash', 'Read']],
    [['^Ba', 'Edit']],
    [['mcp__a__x', 'mcp__b__y']],
    [['tool == "Bash"', 'tool == "Edit"']],
  ])('calls none of those with disjoint matchers a duplicate: %j', async (matchers) => {
    expect(await twinsOf(...matchers)).toEqual(matchers.map(() => null))
  })

  it.each([
    [['Bash', 'Bash']],
    [['Edit|Write', 'Write|MultiEdit']],
    [['Bash', undefined]],
    [['*', 'Read']],
    [['^Ba', 'Bash']],
    [['mcp__a__.*', 'mcp__a__x']],
  ])('calls the later one a duplicate when one event concerns both: %j', async (matchers) => {
    expect(await twinsOf(...matchers)).toEqual([null, FIRST])
  })

  it('names the hook that it meets, not any of the same command', async () => {
    expect(await twinsOf('Bash', 'Edit', 'Edit|Read')).toEqual([null, null, 'project:PreToolUse:1:0'])
  })

  it('is a duplicate of the managed one, wherever that stands', async () => {
    const world = await makeWorld({
      'managed.json': { hooks: { Stop: [guard] } },
      'project/.claude/settings.json': { hooks: { Stop: [guard] } },
    })
    const twins = (await openOn(world)).list().map(({ duplicateOf }) => duplicateOf)
    expect(twins).toEqual(['managed:Stop:0:0', null])
  })
})

describe('fields on the command line', () => {
  const row = PROFILES.classic.events.get('PreToolUse')

  it('stay text where the event wants a string, by what its shape says', () => {
    if (!row) throw new TypeError('no such event')
    const given = [
      { path: ['tool_name'], text: '42' },
      { path: ['tool_use_id'], text: 'true' },
      { path: ['tool_input', 'limit'], text: '7' },
    ]
    expect(withFields(row, {}, given)).toEqual({ tool_name: '42', tool_use_id: 'true', tool_input: { limit: 7 } })
  })

  it('stay text whatever the words of the misfit are', () => {
    if (!row) throw new TypeError('no such event')
    const translated = {
      ...row,
      checkInput: () => [{ path: ['tool_name'], message: 'muss Text sein', kind: 'string' }],
    }
    expect(withFields(translated, {}, [{ path: ['tool_name'], text: '42' }])).toEqual({ tool_name: '42' })
  })
})
