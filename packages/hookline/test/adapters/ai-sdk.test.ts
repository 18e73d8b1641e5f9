import { type ModelMessage, type ToolSet, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { withHooks } from '../../src/adapters/ai-sdk.ts'
import { engineWith } from '../support/project.ts'

const hall = { toolCallId: 'c1', input: { room: 'hall' } }
const messages: ModelMessage[] = []

/** Hooks of one loop that answer a call so, the tool with them, and what was seen. */
async function opened(permissionDecision: 'ask' | 'deny' | undefined, own: Partial<ToolSet[string]> = {}) {
  const seen: string[] = []
  const engine = await engineWith({})
  await engine.on('PreToolUse', () => {
    seen.push('PreToolUse')
    return permissionDecision && { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision } }
  })
  const hooks = withHooks(engine, { onNotice: () => {} })
  const light = tool({ inputSchema: z.object({ room: z.string() }), execute: ({ room }) => void seen.push(room) })
  /** The SDK is given them anew with every request. */
  const tools = (): ToolSet => hooks.tools({ light: { ...light, ...own } as ToolSet[string] })
  return { hooks, seen, tools }
}

describe('hooks of the AI SDK', () => {
  it('are not asked again when the program has a call approved by itself', async () => {
    const { tools, seen } = await opened(undefined, { needsApproval: true })
    const { needsApproval } = Object(tools().light)
    expect(await needsApproval(hall.input, { toolCallId: hall.toolCallId, messages })).toBe(true)
    await Object(tools().light).execute(hall.input, { toolCallId: hall.toolCallId, messages })
    expect(seen).toEqual(['PreToolUse', 'hall'])
  })

  it.each([
    ['approved', undefined, 'approved'],
    ['approved', 'ask', 'user-approval'],
    [undefined, 'ask', 'user-approval'],
    [undefined, undefined, undefined],
    ['denied', 'ask', 'denied'],
    ['user-approval', 'deny', 'user-approval'],
  ] as const)(
    'are asked before a toolApproval that says %s; where they say %s, it is %s',
    async (own, said, expected) => {
      const { hooks, tools, seen } = await opened(said)
      const call = { toolCall: { toolName: 'light', ...hall }, tools: tools(), messages }
      const approval = hooks.toolApproval(() => {
        seen.push('own')
        return own
      })
      expect(await approval(call)).toBe(expected)
      expect(seen).toEqual(['PreToolUse', 'own'])
    },
  )
})
