import type { DispatchRecord } from 'hookline'
import { describe, expect, it } from 'vitest'
import { answering, commands } from '../../../hookline/test/support/project.ts'
import { formatWork, readHookWork } from '../../src/terminal/state/hook-work.ts'
import { bash, openAgent, worldWithHooks } from '../support/opened-agent.ts'

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
    const failing = ['exit 1', 'exit 2', 'echo oops >&2; exit 3', 'echo half; exit 4']
    const world = await worldWithHooks({ SessionEnd: [commands(...failing, 'true')] })
    const { agent, told } = await openAgent({}, { world })
    await agent.close()
    expect(told().user.filter((text) => text.includes('SessionEnd'))).toEqual([
      'SessionEnd hook [echo oops >&2; exit 3] failed: oops',
      'SessionEnd hook [echo half; exit 4] failed: half',
    ])
  })
})

describe('what the verbose view shows of stdout', () => {
  const long = "head -c 3000000 /dev/zero | tr '\\0' a"
  const hidden = answering({ suppressOutput: true, systemMessage: 'canary' })

  it.each([undefined, 'classic', 'current'] as const)(
    'is that of hooks that failed or blocked too, bounded, unless they asked for it not to be shown (profile %s)',
    async (profile) => {
      const world = await worldWithHooks({
        UserPromptSubmit: [commands('echo of a failure; echo no >&2; exit 1', `${long}; echo no >&2; exit 1`)],
        Stop: [commands('[ -e asked ] && exit; touch asked; echo of a block; echo no >&2; exit 2')],
        SessionEnd: [commands(`${hidden}; echo no >&2; exit 1`)],
      })
      const { agent, told } = await openAgent({}, { world, ...(profile === undefined ? {} : { profile }) })
      await agent.run('Hello')
      await agent.close()
      const shown = told().verbose
      expect(shown).toEqual(expect.arrayContaining(['of a failure', 'of a block']))
      const lengths = shown.filter((text) => text.startsWith('aaa')).map(({ length }) => length)
      expect(lengths).toEqual([1024 * 1024])
      expect(shown.filter((text) => text.includes('suppressOutput'))).toHaveLength(profile === 'current' ? 1 : 0) // it knows no such wish
    },
  )
})

describe('a hook that the user interrupts', () => {
  /** The agent with a hook that waits, and the record of its event once the user has interrupted that. */
  async function interrupt(event: 'PreCompact' | 'PreToolUse') {
    const stop = new AbortController()
    const records: DispatchRecord[] = []
    const world = await worldWithHooks({ [event]: [commands('sleep 60')] })
    const turns = [{ tools: [bash('true')] }, { text: 'Done.' }]
    const { agent, told } = await openAgent(event === 'PreToolUse' ? { turns } : {}, {
      world,
      onEvent: (seen) => {
        if (seen.type !== 'hook' || seen.event !== event) return
        if (seen.progress.type === 'decision') records.push(seen.progress.record)
        else stop.abort()
      },
    })
    await agent.run('Hello', event === 'PreToolUse' ? { signal: stop.signal } : {})
    if (event === 'PreCompact') await agent.compact('', { signal: stop.signal })
    return { told: told().user, work: records.flatMap((record) => readHookWork(record, {}) ?? []) }
  }

  it('was interrupted, and did not fail', async () => {
    const call = await interrupt('PreToolUse')
    expect(call.work).toMatchObject([{ failed: 0, interrupted: 1 }])
    expect(call.work.flatMap(formatWork)).toMatchObject([{ text: expect.stringMatching(/^1 of 1 hook interrupted, /) }])
    const compaction = await interrupt('PreCompact')
    expect(compaction.told).toContain('PreCompact [sleep 60] was interrupted')
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
