import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { defineTool } from '../../src/tools/define-tool.ts'
import { openAgent } from '../support/opened-agent.ts'

/** A tool, and every input that its schema was asked to parse. */
function lamp() {
  const parsed: unknown[] = []
  const input = z.preprocess(
    (written) => {
      parsed.push(written)
      return written
    },
    z.strictObject({ room: z.string(), watts: z.number().default(40) }),
  )
  const tool = defineTool({
    ...{ name: 'Lamp', description: 'Lights a lamp.', input, readOnly: false, edits: false },
    normalise: ({ room, watts }) => ({ room: room.toLowerCase(), watts }),
    run: async (given) => ({ content: JSON.stringify(given), response: given }),
  })
  return { tool, parsed }
}

const call = { turns: [{ tools: [{ name: 'Lamp', input: { room: 'Hall' } }] }, { text: 'Lit.' }] }

describe('the input of a tool is parsed', () => {
  it('once, as the model wrote it', async () => {
    const { tool, parsed } = lamp()
    const { agent, events } = await openAgent(call, { tools: [tool], allowedTools: ['Lamp'] })
    await agent.run('Go')
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'tool_ended', response: { room: 'hall', watts: 40 } }),
    )
    expect(parsed).toEqual([{ room: 'Hall' }])
  })

  it('once more for each time that a hook rewrites it', async () => {
    const { tool, parsed } = lamp()
    const rewriting = (hookEventName: string, fields: object) => ({
      hooks: [() => ({ hookSpecificOutput: { hookEventName, ...fields } })],
    })
    const { agent, events } = await openAgent(call, {
      tools: [tool],
      hooks: {
        PreToolUse: [rewriting('PreToolUse', { permissionDecision: 'ask', updatedInput: { room: 'Cellar' } })],
        PermissionRequest: [
          rewriting('PermissionRequest', { decision: { behavior: 'allow', updatedInput: { room: 'Attic' } } }),
        ],
      },
      dialog: () => expect.fail('the user was asked'),
    })
    await agent.run('Go')
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'tool_ended', response: { room: 'attic', watts: 40 } }),
    )
    expect(parsed).toEqual([{ room: 'Hall' }, { room: 'Cellar' }, { room: 'Attic' }])
  })
})
