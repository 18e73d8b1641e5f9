import { expect, it } from 'vitest'
import { engineWith } from '../support/project.ts'

// The commands are text in an event: a hook is asked about them, and nothing runs them.
it('runs a hook whose "if" names an effect where a call has it, by any tool, and nowhere else', async () => {
  const hook = { type: 'command', command: 'echo kept >&2; exit 2', if: 'Deletes(~/**)' }
  const engine = await engineWith({ PreToolUse: [{ matcher: '*', hooks: [hook] }] }, { profile: 'current' })
  const isBlocked = async (tool_name: string, tool_input: Readonly<Record<string, unknown>>) => {
    const event = { hook_event_name: 'PreToolUse', tool_name, tool_input } as const
    return (await engine.dispatch(event)).decision.blocked
  }
  expect(await isBlocked('Bash', { command: 'cd ~ && rm -rf Documents' })).toBe(true)
  expect(await isBlocked('mcp__files__delete', { path: '~/Documents' })).toBe(true)
  expect(await isBlocked('Bash', { command: "echo 'rm -rf ~/Documents'" })).toBe(false)
  expect(await isBlocked('Bash', { command: 'git status' })).toBe(false)
})
