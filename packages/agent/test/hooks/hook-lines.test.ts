import { describe, expect, it } from 'vitest'
import { answering, commands } from '../../../hookline/test/support/project.ts'
import { openAgent, worldWithHooks } from '../support/opened-agent.ts'

describe('what the user reads of a compaction', () => {
  it.each([
    ['true', 'completed successfully'],
    ['echo keep the names', 'completed successfully: keep the names'],
    ['exit 1', 'failed'],
    ['exit 2', 'failed'],
    ['echo oops >&2; exit 1', 'failed: oops'],
    ['echo oops >&2; exit 2', 'failed: oops'],
    ['echo half; exit 1', 'failed: half'],
    ['echo half; exit 2', 'failed: half'],
    ['echo half; echo oops >&2; exit 1', 'failed: half\noops'],
    ['echo half; echo oops >&2; exit 2', 'failed: half\noops'],
  ])('is one line for the hook %j', async (command, said) => {
    const world = await worldWithHooks({ PreCompact: [commands(command)] })
    const { agent, told } = await openAgent({}, { world, profile: 'classic' })
    await agent.run('Hello')
    await agent.compact()
    expect(told().user).toEqual([`PreCompact [${command}] ${said}`])
  })

  it('is who refused it where no profile is chosen: exit code 2 blocks a compaction under one of them', async () => {
    const world = await worldWithHooks({ PreCompact: [commands('echo oops >&2; exit 2')] })
    const { agent, told } = await openAgent({}, { world })
    await agent.run('Hello')
    const error = 'Compaction blocked by PreCompact hook: [echo oops >&2; exit 2]: oops'
    expect(await agent.compact()).toMatchObject({ success: false, error })
    expect(told().user).toEqual([])
  })
})

describe('what the user reads of hooks that failed at the end of a session', () => {
  it('is nothing of those that said nothing', async () => {
    const world = await worldWithHooks({ SessionEnd: [commands('exit 1', 'exit 2', 'echo oops >&2; exit 3', 'true')] })
    const { agent, told } = await openAgent({}, { world })
    await agent.close()
    expect(told().user.filter((text) => text.includes('SessionEnd'))).toEqual([
      'SessionEnd hook [echo oops >&2; exit 3] failed: oops',
    ])
  })
})

describe('what a hook adds for the model', () => {
  it.each(['SessionStart', 'UserPromptSubmit'])(
    'on %s is shown as its output when it was printed, and not when it was a field',
    async (event) => {
      const field = answering({ hookSpecificOutput: { hookEventName: event, additionalContext: 'quietly' } })
      const { agent, told } = await openAgent(
        {},
        { world: await worldWithHooks({ [event]: [commands('echo aloud', field)] }) },
      )
      await agent.run('Hello')
      expect(told().verbose).toContain(`${event} hook [echo aloud]: aloud`)
      expect(told().verbose).toContain('quietly')
    },
  )
})
