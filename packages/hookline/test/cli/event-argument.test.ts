import { describe, expect, it } from 'vitest'
import { withFields } from '../../src/cli/input/event-argument.ts'
import { DEFAULT_PROFILE } from '../../src/protocol/profiles.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import { makeWorld } from '../support/project.ts'

describe('fields on the command line', () => {
  const row = DEFAULT_PROFILE.events.get('PreToolUse')

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

  it('stop a call where they are nearly those of the event; others go to the hooks as they are', async () => {
    const world = await makeWorld()
    const call = (field: string) => hooklineInProcess(world, ['explain', 'PreToolUse', `${field}=Bash`])
    for (const [field, told] of [
      ['tool_nam', 'PreToolUse has no field "tool_nam". Did you mean "tool_name"?'],
      ['toolname', 'PreToolUse has no field "toolname". Did you mean "tool_name"?'],
      ['tool', 'PreToolUse has no field "tool". Did you mean "tool_name"?'],
      ['tool_input.comand', 'tool_input of PreToolUse has no field "comand". Did you mean "command"?'],
    ] as const)
      expect(await call(field)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(told) })
    for (const field of ['tool_name', 'prompt_id', 'my_own', 'tool_input.command', 'tool_input.timeout'])
      expect((await call(field)).stderr).toBe('')
  })
})
