import { describe, expect, it } from 'vitest'
import { loadProfile } from '../../src/protocol/profiles.ts'
import { engineWith } from '../support/project.ts'

const { events } = await loadProfile('current')

/** Texts that are no rule, and so can never hold. */
const BROKEN = ['Bash(', 'Bash)', '(ls)', 'Bash(ls) or so', ' ', 'Bash()x', '\\', 'Bash(ls', '🤖(']

/** The events whose calls a condition is asked about. */
const OF_CALLS = ['PreToolUse', 'PermissionRequest', 'PermissionDenied', 'PostToolUse', 'PostToolUseFailure']

const hookWith = (condition: string) => ({ type: 'command', command: `true ${condition.length}`, if: condition })

describe('a condition of a hook', () => {
  it('is asked on the events of tool calls alone', () => {
    const asked = [...events.values()].filter(({ takesIf }) => takesIf).map(({ name }) => name)
    expect(asked.sort()).toEqual([...OF_CALLS].sort())
  })

  it.each([...events.values()])('that is no rule keeps hooks of $name from running, and is told', async (row) => {
    const hooks = { [row.name]: [{ hooks: BROKEN.map(hookWith) }] }
    const engine = await engineWith(hooks, { profile: 'current' })
    const record = await engine.dispatch({ hook_event_name: row.name, ...row.example })
    const told = engine.problems.filter(
      ({ rule, message }) => rule === 'V-HK-09' && message.includes('"if" never holds'),
    )
    expect(told.map(({ line }) => line)).toHaveLength(BROKEN.length)
    for (const line of record.hooks) {
      expect(line).toMatchObject({ verdict: 'matcher-miss', because: expect.stringMatching(/^(?:its )?"if" /) })
    }
    expect(record.hooks).toHaveLength(BROKEN.length)
    expect(record.decision).toMatchObject({ blocked: false, halt: false, permission: null })
  })

  it.each([...events.values()])(
    'that fits keeps hooks of $name from running where no call is asked about',
    async (row) => {
      const engine = await engineWith(
        { [row.name]: [{ hooks: [hookWith('Bash'), hookWith('')] }] },
        { profile: 'current' },
      )
      const { hooks } = await engine.dispatch({ hook_event_name: row.name, ...row.example })
      const verdict = OF_CALLS.includes(row.name) ? 'ran' : 'matcher-miss'
      expect(hooks).toMatchObject([{ verdict }, { verdict: 'ran' }])
    },
  )
})
