import { Agent } from '@earendil-works/pi-agent-core'
import { streamSimple } from '@earendil-works/pi-ai/compat'
import { withHooks } from 'hookline/pi'
import * as z from 'zod'

/** @type {import('../battery.js').Driver} */
export const driver = {
  cannot: {},
  open({ engine, env, tools, options }) {
    const hooks = withHooks(engine, options)
    const own = Object.entries(tools).map(([name, { description, schema, run }]) => ({
      name,
      label: name,
      description,
      parameters: /** @type {any} */ (z.toJSONSchema(schema)),
      execute: async (/** @type {string} */ _, /** @type {any} */ input) => ({
        content: [{ type: /** @type {const} */ ('text'), text: String(await run(input)) }],
        details: {},
      }),
    }))
    const agent = new Agent({
      streamFn: streamSimple,
      getApiKey: () => env.OPENAI_API_KEY,
      initialState: { model: scripted(env.OPENAI_BASE_URL), tools: hooks.tools(own) },
      ...hooks.agent,
    })
    const ended = (/** @type {any} */ end) => {
      const answer = async (/** @type {boolean} */ allow) => ended(await hooks.resume(agent, () => allow))
      return end.ended === 'waiting' ? { ...end, answer } : end
    }
    return { run: async (prompt) => ended(await hooks.run(agent, prompt)) }
  },
}

const scripted = (/** @type {string} */ baseUrl) => ({
  ...{
    id: 'scripted',
    name: 'Scripted',
    api: /** @type {const} */ ('openai-completions'),
    provider: 'openai',
    baseUrl,
  },
  ...{ reasoning: false, input: [/** @type {const} */ ('text')], contextWindow: 100_000, maxTokens: 4_000 },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
})
