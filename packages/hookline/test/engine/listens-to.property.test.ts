import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../support/cpu-time.ts'
import { commands, engineWith } from '../support/project.ts'

const EVENTS = ['PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd', 'UserPromptSubmit']
const matcher = fc.constantFrom('Bash', 'Edit|Write', '^Ba', '*', 'mcp__a__.*', 'tool == "Bash"', '(')
const group = fc.record({
  matcher,
  hooks: fc.array(
    fc.oneof(
      fc.constant({ type: 'command', command: 'true' }),
      fc.constant({ type: 'command', command: 'true', async: true }),
      fc.constant({ type: 'command' }),
      fc.constant({ type: 'prompt', prompt: 'may it?' }),
    ),
    { maxLength: 3 },
  ),
})
const hooksSetting = fc.dictionary(fc.constantFrom(...EVENTS), fc.array(group, { maxLength: 3 }), { maxKeys: 4 })
const tool = fc.constantFrom('Bash', 'Edit', 'Read', 'mcp__a__x')

describe('the question who listens', () => {
  it('is answered of an event name as the list of all hooks answers it', async () => {
    await fc.assert(
      fc.asyncProperty(hooksSetting, fc.constantFrom('accepted' as const, 'refused' as const), async (hooks, trust) => {
        const engine = await engineWith(hooks, { trust })
        for (const event of EVENTS) {
          const listed = engine.list().filter(({ hook }) => hook.event === event)
          expect(engine.listListeners(event).map(({ hook, verdict }) => [hook.id, verdict])).toEqual(
            listed.map(({ hook, standing }) => [hook.id, standing.verdict]),
          )
          expect(engine.listensTo(event)).toBe(listed.some(({ standing }) => standing.verdict === 'active'))
        }
        await engine.close()
      }),
      { numRuns: 60 },
    )
  })

  it('is answered of one event as its explanation answers it', async () => {
    await fc.assert(
      fc.asyncProperty(hooksSetting, tool, async (hooks, tool_name) => {
        const engine = await engineWith(hooks)
        const event = { hook_event_name: 'PreToolUse', tool_name, tool_input: { command: 'ls' } } as const
        const explained = engine.explain(event).hooks.some(({ verdict }) => verdict === 'ran')
        expect(engine.listensTo(event)).toBe(explained)
        await engine.close()
      }),
      { numRuns: 60 },
    )
  })

  it('hears hooks of the host and of subagents', async () => {
    const engine = await engineWith({})
    expect(engine.listensTo('Stop')).toBe(false)
    const { remove } = await engine.register({ Stop: [commands('true')] }, { agent: 'one' })
    expect(engine.listensTo('Stop')).toBe(true)
    remove()
    expect(engine.listensTo('Stop')).toBe(false)
    expect(engine.listensTo('NoSuchEvent')).toBe(false)
    await engine.close()
  })
})

describe('the list of many hooks', () => {
  it.each([
    ['the same matcher', () => 'Bash'],
    ['matchers of their own', (at: number) => `mcp__server__tool_${at}`],
    ['expressions that overlap', (at: number) => `^mcp__server__.*_${at}`],
  ])('takes no longer for each of them when all share a command and have %s', async (_name, matcherOf) => {
    const measure = async (count: number): Promise<number> => {
      const groups = Array.from({ length: count }, (_, at) => ({ matcher: matcherOf(at), ...commands('./guard.sh') }))
      const engine = await engineWith({ PreToolUse: groups })
      engine.list()
      const times = Array.from({ length: 5 }, () => {
        const began = cpuMs()
        engine.list()
        return cpuMs() - began
      })
      await engine.close()
      return Math.min(...times)
    }
    const [few, many] = [await measure(40), await measure(400)]
    expect(many).toBeLessThan(1000)
    expect(many / Math.max(few, 1)).toBeLessThan(80) // compared with each other: a hundred times and more
  })
})
