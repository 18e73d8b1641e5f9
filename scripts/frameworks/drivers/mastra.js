import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { InMemoryStore } from '@mastra/core/storage'
import { createTool } from '@mastra/core/tools'
import { withHooks } from 'hookline/mastra'

/** @type {import('../battery.js').Driver} */
export const driver = {
  cannot: {},
  open({ engine, env, tools, options }) {
    const { OPENAI_BASE_URL: url, OPENAI_API_KEY: apiKey } = env
    const model = { providerId: 'script', modelId: 'scripted', url, apiKey }
    const hooks = withHooks(engine, options)
    const own = Object.entries(tools).map(([id, { description, schema, run }]) => [
      id,
      createTool({ id, description, inputSchema: schema, execute: async (/** @type {any} */ input) => run(input) }),
    ])
    const made = new Agent({
      id: 'lamps',
      name: 'Lamps',
      instructions: 'Light lamps.',
      model,
      tools: hooks.tools(Object.fromEntries(own)),
      maxRetries: 0,
    })
    const agent = new Mastra({ agents: { lamps: made }, storage: new InMemoryStore(), logger: false }).getAgent('lamps')
    const more = {
      stopWhen: [hooks.isHalted],
      maxSteps: 10,
      ...(options.signal === undefined ? {} : { abortSignal: options.signal }),
    }
    const generate = (/** @type {any} */ messages) => agent.generate(messages, more)
    /** @type {readonly object[]} */
    let history = []
    const ended = (/** @type {any} */ end) => {
      history = end.messages
      if (end.ended !== 'waiting') return end
      const { runId, suspendPayload } = end.result
      const answer = async (/** @type {boolean} */ allow) => {
        const resumed = agent.resumeGenerate({ allow }, { runId, toolCallId: suspendPayload.toolCallId, ...more })
        return ended(await hooks.resume(end, resumed, generate))
      }
      return { ...end, answer }
    }
    return { run: async (prompt) => ended(await hooks.run(prompt, generate, history)) }
  },
}
