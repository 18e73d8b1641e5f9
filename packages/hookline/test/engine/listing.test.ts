import { describe, expect, it } from 'vitest'
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
