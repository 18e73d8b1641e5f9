import { onTestFinished } from 'vitest'
import type { AgentTask, ModelQuestion } from '../../src/run/ports.ts'
import {
  type ModelScript,
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from '../../src/testing/index.ts'

/** A model of each protocol. */
export const BOTH = ['anthropic/claude-haiku-5-5', 'openai/local']

export const SCHEMA = {
  type: 'object',
  properties: { ok: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['ok'],
  additionalProperties: false,
}

/** A scripted server that is closed when the test is over. */
export async function serving(script: ModelScript, options?: ModelServerOptions): Promise<ModelServer> {
  const server = await startModelServer(script, options)
  onTestFinished(() => server.close())
  return server
}

/** What an engine would ask; ten seconds are enough for everything. */
export function question(changes: Partial<ModelQuestion> = {}): ModelQuestion {
  return {
    model: null,
    system: 'Judge.',
    messages: [{ role: 'user', text: 'Is it done?' }],
    schema: SCHEMA,
    signal: new AbortController().signal,
    deadline: performance.now() + 10_000,
    ...changes,
  }
}

/** The same for an agent. */
export function task(project: string, changes: Partial<AgentTask> = {}): AgentTask {
  const { messages: _, ...common } = question()
  return { ...common, prompt: 'Find out.', project, transcript: null, maxTurns: 50, ...changes }
}
