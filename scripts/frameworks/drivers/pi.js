import { Agent } from '@earendil-works/pi-agent-core'
import { streamSimple } from '@earendil-works/pi-ai/compat'
import { withHooks } from 'hookline/pi'
import * as z from 'zod'

/** @type {import('../battery.js').Driver} */
export const driver = {
  cannot: { 'two threads': 'an agent of pi has one conversation: hooks are made with each' },
  outputs: {
    'a text': () => 'lit',
    'an image': () => ({
      content: [
        { type: 'text', text: 'a picture' },
        { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
      ],
      details: { lamp: 7 },
    }),
    'an error': () => {
      throw new TypeError('no lamp')
    },
    'a thrown text': () => {
      throw 'no lamp'
    },
  },
  open({ engine, env, tools, options, streamed, hooked }) {
    const hooks = withHooks(engine, options)
    const own = Object.entries(tools).map(([name, { description, schema, run }]) => ({
      name,
      label: name,
      description,
      parameters: /** @type {any} */ (z.toJSONSchema(schema)),
      execute: async (/** @type {string} */ _, /** @type {any} */ input) => {
        const given = /** @type {any} */ (await run(input))
        return Array.isArray(given?.content) ? given : { content: [{ type: 'text', text: String(given) }], details: {} }
      },
    }))
    const agent = new Agent({
      streamFn: streamSimple,
      getApiKey: () => env.OPENAI_API_KEY,
      initialState: { model: scripted(env.OPENAI_BASE_URL), tools: hooked ? hooks.tools(own) : own },
      ...(hooked ? hooks.agent : {}),
    })
    if (streamed) agent.subscribe(() => {})
    const ended = (/** @type {any} */ end) => {
      const answer = async (/** @type {boolean} */ allow) => ended(await hooks.resume(agent, () => allow))
      return end.ended === 'waiting' ? { ...end, answer } : end
    }
    return {
      run: async (prompt) => {
        if (hooked) return ended(await hooks.run(agent, prompt))
        await agent.prompt(prompt)
        return { ended: 'answered' }
      },
    }
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
  ...{
    reasoning: false,
    input: [/** @type {const} */ ('text'), /** @type {const} */ ('image')],
    contextWindow: 100_000,
    maxTokens: 4_000,
  },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
})
