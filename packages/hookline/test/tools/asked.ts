import { generateText, stepCountIs, type ToolSet, tool } from 'ai'
import { onTestFinished } from 'vitest'
import * as z from 'zod'
import { resolveModel } from '../../src/models/index.ts'
import { type ModelAnswer, startModelServer } from '../../src/testing/index.ts'
import { isHalted } from '../../src/tools/index.ts'

/** What the model was told about its calls. */
export interface ToolResult {
  readonly text: string
  readonly isError: boolean
}

/** A model that makes these calls at once, and is told what came of them; `requests` counts how often it was asked. */
export async function calling(
  tools: ToolSet,
  calls: readonly (readonly [name: string, input: Record<string, unknown>])[],
  { signal, then = [{ text: 'Done.' }] }: { signal?: AbortSignal; then?: readonly ModelAnswer[] } = {},
) {
  const first = { tools: calls.map(([name, input], at) => ({ name, input, id: `toolu_${at}` })) }
  const server = await startModelServer([first, ...then])
  onTestFinished(() => server.close())
  const result = await generateText({
    model: await resolveModel('anthropic/claude-haiku-4-5', { env: server.env }),
    prompt: 'Go',
    tools,
    stopWhen: [stepCountIs(5), isHalted],
    maxRetries: 0,
    ...(signal === undefined ? {} : { abortSignal: signal }),
  })
  return { result, requests: server.requests.length, told: told(server.requests.at(-1)?.body.messages) }
}

function told(messages: unknown): ToolResult[] {
  // The scripted server took the request, so it has the shape of the Messages API.
  const said = messages as { content: { type: string; content?: unknown; is_error?: boolean }[] }[]
  return said
    .flatMap(({ content }) => content)
    .filter(({ type }) => type === 'tool_result')
    .map(({ content, is_error = false }) => ({ text: textOf(content), isError: is_error }))
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return (content as { text: string }[]).map(({ text }) => text).join('\n\n') // the other form that the API has
}

/** A tool that says what it was called with, and a list of that. */
export function lamp() {
  const lit: string[] = []
  const light = tool({
    description: 'Lights a lamp.',
    inputSchema: z.object({ room: z.string() }),
    execute: ({ room }) => {
      if (room === 'attic') throw new Error('there is no lamp')
      lit.push(room)
      return { room, on: true }
    },
  })
  return { lit, light }
}

/** An answer before a call. */
export const pre = (fields: object) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse' as const, ...fields },
})
/** An answer that adds context. */
export const context = <Event extends string>(event: Event, additionalContext: string) => ({
  hookSpecificOutput: { hookEventName: event, additionalContext },
})
/** What the SDK passes with a call. */
export const call = { toolCallId: 'toolu_1', messages: [] }
