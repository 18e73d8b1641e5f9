// What the other files of this folder take for granted.

import { tool } from 'ai'
import { openEngine } from 'hookline'
import { resolveModel } from 'hookline/models'
import { startModelServer } from 'hookline/testing'
import * as z from 'zod'

/** A call of a model, as a loop keeps it. */
export interface Call {
  readonly id: string
  readonly name: string
  readonly input: object
}

/** The one tool. */
export function run(input: unknown): string {
  console.log('RAN', JSON.stringify(input))
  return 'done'
}

/** A user who says no. */
export const onAsk = async (): Promise<boolean> => false

export const onNotice = (text: string): void => console.error(text)

/** A loop of its own: its hooks, its tools, what the model wants, and what was said so far. */
export async function openLoop() {
  const call: Call = { id: '1', name: 'Bash', input: { command: 'ls' } }
  const callTool = (_name: string, input: unknown): unknown => run(input)
  const messages: { role: string; text: string }[] = []
  const { signal } = new AbortController()
  return { engine: await openEngine(), call, answer: { calls: [call] }, callTool, messages, signal }
}

/** An agent on the AI SDK, with a scripted model that calls the tool once. */
export async function openSdk() {
  const server = await startModelServer([{ tools: [{ name: 'Bash', input: { command: 'ls' } }] }, { text: 'Done.' }])
  const model = await resolveModel('openai/scripted', { env: server.env })
  const tools = { Bash: tool({ inputSchema: z.object({ command: z.string() }), execute: (input) => run(input) }) }
  const close = async (): Promise<void> => {
    console.log(server.requests.map(({ body }) => JSON.stringify(body)).join())
    await server.close()
  }
  return { model, tools, prompt: 'Go', close }
}
