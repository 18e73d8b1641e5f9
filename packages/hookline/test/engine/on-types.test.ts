import { describe, expect, it } from 'vitest'
import type { Engine } from '../../src/index.ts'
import { engineWith } from '../support/project.ts'

const rm = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'rm -rf x' } } as const
const edit = { hook_event_name: 'PostToolUse', tool_name: 'Edit', tool_input: { file_path: '/a' } } as const
const no = { decision: 'block', reason: 'no' } as const

/** Hooks as people write them, with an event that each blocks: `npm run types` compiles them, without a cast or a `?.`. */
const WRITTEN: Record<string, [(engine: Engine) => Promise<unknown>, Parameters<Engine['dispatch']>[0]]> = {
  'a field of the input': [
    (engine) => engine.on('PreToolUse', ({ tool_input }) => (tool_input.command.includes('rm') ? no : undefined)),
    rm,
  ],
  'a field taken out of the input': [
    (engine) =>
      engine.on('PreToolUse', ({ tool_name, tool_input: { command } }) =>
        tool_name === 'Bash' && /\brm\b/.test(command) ? no : null,
      ),
    rm,
  ],
  'an answer in the words of the event': [
    (engine) =>
      engine.on('PreToolUse', async ({ tool_input, cwd, session_id }) => ({
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: tool_input.command.startsWith('rm') && cwd.length > 0 ? 'deny' : 'allow',
          permissionDecisionReason: session_id.slice(0, 4),
          updatedInput: { ...tool_input, command: 'ls' },
        },
      })),
    rm,
  ],
  'a function with a name': [
    (engine) => {
      const guard = ({ tool_input }: { tool_input: { command: string } }) => (tool_input.command === '' ? null : no)
      return engine.on('PreToolUse', guard)
    },
    rm,
  ],
  'what a tool gave': [
    (engine) =>
      engine.on('PostToolUse', ({ tool_response, tool_input }) =>
        tool_response.stdout.trim() === tool_input.file_path ? no : undefined,
      ),
    { ...edit, tool_response: { stdout: '/a\n' } },
  ],
  'a prompt': [
    (engine) => engine.on('UserPromptSubmit', ({ prompt }) => (prompt.includes('secret') ? no : 'a context')),
    { hook_event_name: 'UserPromptSubmit', prompt: 'a secret' },
  ],
  'an end': [
    (engine) => engine.on('Stop', ({ stop_hook_active }) => (stop_hook_active ? {} : no)),
    { hook_event_name: 'Stop', stop_hook_active: false },
  ],
}

describe('engine.on', () => {
  it.each(Object.entries(WRITTEN))('takes a hook that reads %s', async (_, [register, event]) => {
    const engine = await engineWith({})
    await register(engine)
    expect((await engine.dispatch(event)).decision.blocked).toBe(true)
  })

  it('refuses what no event has, at compile time', async () => {
    const engine = await engineWith({})
    const wrong = [
      // @ts-expect-error: not an event
      () => engine.on('PreToolUsed', () => {}),
      // @ts-expect-error: a prompt has no length in minutes
      () => engine.on('UserPromptSubmit', ({ prompt }) => String(prompt.minutes)),
      // @ts-expect-error: Stop comes without a prompt
      () => engine.on('Stop', ({ prompt }) => prompt.trim()),
      // @ts-expect-error: a permission is a word
      () => engine.on('PreToolUse', () => ({ hookSpecificOutput: { permissionDecision: 7 } })),
    ]
    await expect(wrong[0]?.()).rejects.toThrow('PreToolUsed')
    expect(wrong).toHaveLength(4)
  })
})
