import { EventEmitter, once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands, makeWorld, put } from '../../../hookline/test/support/project.ts'
import { halting } from '../support/answers.ts'
import { EVERY_EVENT, playEverything } from '../support/every-event.ts'
import { bash, openAgent, worldWithHooks } from '../support/opened-agent.ts'

describe('a halt', () => {
  const HALTED = { success: false, subtype: 'error_stopped_by_hook', error: 'lunch break', text: 'lunch break' }

  it.each(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'])(
    'at %s ends the turn with its reason, and the next prompt goes through',
    async (event) => {
      const once = `[ -e halted ] || { touch halted; ${halting('lunch break')}; }`
      const { agent, told } = await openAgent(
        { turns: [{ tools: [bash('echo out')] }, { text: 'Done.' }] },
        { world: await worldWithHooks({ [event]: [commands(once)] }), allowedTools: ['Bash'] },
      )
      expect(await agent.run('First')).toMatchObject(HALTED)
      expect(told().user).toEqual(['lunch break'])
      expect(await agent.run('Second')).toMatchObject({ success: true })
    },
  )

  it('leaves a result with the number of tool calls and the messages so far', async () => {
    const { agent } = await openAgent(
      { turns: [{ tools: [bash('echo one', 'a'), bash('echo two', 'b')] }, { tools: [bash('echo three', 'c')] }] },
      {
        world: await worldWithHooks({
          PostToolUse: [commands(`grep -q three && ${halting('lunch break')} || true`)],
        }),
        allowedTools: ['Bash'],
      },
    )
    const result = await agent.run('Go')
    expect(result).toMatchObject({ ...HALTED, toolCalls: 3, turns: 2, denials: [] })
    expect(result.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'user', 'assistant', 'user'])
    expect(JSON.stringify(result.messages)).toMatch(/Go.*echo one.*two.*three/)
  })

  it('at PostToolUseFailure ends the turn', async () => {
    const { agent, requests } = await openAgent(
      { turns: [{ tools: [bash('exit 7')] }] },
      {
        world: await worldWithHooks({ PostToolUseFailure: [commands(halting('lunch break'))] }),
        allowedTools: ['Bash'],
      },
    )
    expect(await agent.run('Go')).toMatchObject(HALTED)
    expect(requests).toHaveLength(1)
  })

  it('at PreCompact and at the SessionStart after it ends a compaction', async () => {
    for (const group of [
      { PreCompact: [commands(halting('lunch break'))] },
      { SessionStart: [{ matcher: 'compact', ...commands(halting('lunch break')) }] },
    ]) {
      const { agent } = await openAgent({}, { world: await worldWithHooks(group) })
      await agent.run('Go')
      expect(await agent.compact()).toMatchObject(HALTED)
    }
  })

  it('at PreCompact ends a turn whose conversation grew too long', async () => {
    const { agent } = await openAgent(
      { contextWindow: 1000, turns: [{ tools: [bash('echo out')], usage: { inputTokens: 900 } }, { text: 'Done.' }] },
      { world: await worldWithHooks({ PreCompact: [commands(halting('lunch break'))] }), allowedTools: ['Bash'] },
    )
    expect(await agent.run('Go')).toMatchObject(HALTED)
  })

  it('at PermissionRequest ends the turn without asking anybody', async () => {
    const { agent } = await openAgent(
      { turns: [{ tools: [bash('echo out')] }] },
      {
        world: await worldWithHooks({ PermissionRequest: [commands(halting('lunch break'))] }),
        dialog: () => expect.unreachable('the dialog opens'),
      },
    )
    expect(await agent.run('Go')).toMatchObject(HALTED)
  })

  it('at the Notification of a dialog closes it and ends the turn', async () => {
    const { agent } = await openAgent(
      { turns: [{ tools: [bash('touch mark')] }] },
      {
        world: await worldWithHooks({ Notification: [commands(halting('lunch break'))] }),
        notifyAfterMs: 1,
        dialog: () => new Promise(() => {}), // the user is away
      },
    )
    expect(await agent.run('Go')).toMatchObject(HALTED)
  })

  it.each(EVERY_EVENT)('at %s without a reason is called "Stopped by hook"', async (event) => {
    const { told } = await playEverything(event, `[ -e halted ] || { touch halted; ${halting()}; }`)
    expect(told().user).toContain('Stopped by hook')
  })

  it('leaves the rest of a batch undone, with a result for every call', async () => {
    const world = await worldWithHooks({ PreToolUse: [{ matcher: 'Write', ...commands(halting('lunch break')) }] })
    const file = (name: string, id: string) => ({
      name: 'Write',
      input: { file_path: join(world.project, name), content: 'x' },
      id,
    })
    const { agent, requests } = await openAgent(
      { turns: [{ tools: [bash('touch first', 'a'), file('second', 'b'), bash('touch third', 'c')] }] },
      { world, permissionMode: 'bypassPermissions' },
    )
    await agent.run('Go')
    await agent.run('On')
    expect(['first', 'second', 'third'].map((name) => existsSync(join(world.project, name)))).toEqual([
      true,
      false,
      false,
    ])
    const results = requests[1]?.messages.at(-1)?.content.filter(({ type }) => type === 'tool_result')
    expect(results).toMatchObject([
      { tool_use_id: 'a', content: '(no output)' },
      { tool_use_id: 'b', content: 'Not run: a hook stopped the turn.', is_error: true },
      { tool_use_id: 'c', content: 'Not run: a hook stopped the turn.', is_error: true },
    ])
  })

  it.each([
    ['keeps a call beside it from running that the user allows afterwards', 'allows'],
    ['closes the dialog of a call beside it', 'is away'],
  ])('%s', async (_what, person) => {
    const world = await makeWorld({ 'project/one.txt': 'one', 'project/two.txt': 'two' })
    await put(world, 'project/.claude/settings.json', { permissions: { ask: ['Read(two.txt)'] } })
    const read = (name: string) => ({ name: 'Read', input: { file_path: join(world.project, name) }, id: name })
    const signals = new EventEmitter()
    const isAsked = once(signals, 'asked')
    const isHalted = once(signals, 'halted')
    const haltsTheFirst = async ({ tool_use_id }: { tool_use_id?: unknown }) => {
      if (tool_use_id !== 'one.txt') return null
      await isAsked
      return { continue: false }
    }
    const { agent, events, transcript } = await openAgent(
      { turns: [{ tools: [read('one.txt'), read('two.txt')] }] },
      {
        world,
        hooks: { PostToolUse: [{ hooks: [haltsTheFirst] }] },
        dialog: async () => {
          signals.emit('asked')
          await (person === 'allows' ? isHalted : new Promise(() => {}))
          return { behavior: 'allow' }
        },
        onEvent: (event) => {
          if (event.type === 'hook' && event.progress.type === 'decision' && event.progress.record.decision.halt)
            signals.emit('halted')
        },
      },
    )
    expect(await agent.run('Go')).toMatchObject({ subtype: 'error_stopped_by_hook', denials: [] })
    expect(events.filter(({ type }) => type === 'tool_started')).toMatchObject([{ id: 'one.txt' }])
    expect(JSON.stringify(await transcript()).match(/Not run: a hook stopped the turn/g)).toHaveLength(1)
  })

  it('keeps a call beside it from running whose own hooks are still being heard', async () => {
    const world = await makeWorld({ 'project/one.txt': 'one', 'project/two.txt': 'two' })
    const read = (name: string) => ({ name: 'Read', input: { file_path: join(world.project, name) }, id: name })
    let halted = (): void => {}
    const afterwards = new Promise<void>((resolve) => {
      halted = resolve
    })
    const { agent, events } = await openAgent(
      { turns: [{ tools: [read('one.txt'), read('two.txt')] }] },
      {
        world,
        hooks: {
          PreToolUse: [
            {
              hooks: [
                async ({ tool_use_id }: { tool_use_id?: unknown }) => {
                  if (tool_use_id === 'one.txt') return { continue: false }
                  await afterwards
                  return null
                },
              ],
            },
          ],
        },
        onEvent: (event) => {
          if (event.type === 'hook' && event.progress.type === 'decision' && event.progress.record.decision.halt)
            setImmediate(halted)
        },
      },
    )
    expect(await agent.run('Go')).toMatchObject({ subtype: 'error_stopped_by_hook' })
    expect(events.filter(({ type }) => type === 'tool_started')).toEqual([])
  })
})
