import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { InMemoryStore } from '@mastra/core/storage'
import { createTool } from '@mastra/core/tools'
import { withHooks } from 'hookline/mastra'

/** @type {import('../battery.js').Driver} */
export const driver = {
  cannot: {},
  outputs: {
    'a text': () => 'lit',
    'an object': () => ({ lit: true, at: [1.5, null] }),
    'a number': () => 7,
    'an image': () => ({ picture: 'iVBORw0KGgo=' }),
    'an error': () => {
      throw new TypeError('no lamp')
    },
    'a thrown text': () => {
      throw 'no lamp'
    },
  },
  open({ engine, engineFor, env, tools, options, streamed, hooked }) {
    const { OPENAI_BASE_URL: url, OPENAI_API_KEY: apiKey } = env
    const model = { providerId: 'script', modelId: 'scripted', url, apiKey }
    const hooks = /** @type {any} */ (withHooks(/** @type {any} */ (engineFor ?? engine), options)) // both kinds
    const own = Object.entries(tools).map(([id, { description, schema, run }]) => [
      id,
      createTool({
        id,
        description,
        inputSchema: schema,
        execute: async (/** @type {any} */ input) => run(input),
        toModelOutput,
      }),
    ])
    const made = new Agent({
      id: 'lamps',
      name: 'Lamps',
      instructions: 'Light lamps.',
      model,
      tools: hooked ? hooks.tools(Object.fromEntries(own)) : Object.fromEntries(own),
      maxRetries: 0,
    })
    const agent = new Mastra({ agents: { lamps: made }, storage: new InMemoryStore(), logger: false }).getAgent('lamps')
    const more = {
      ...(hooked ? { stopWhen: [hooks.isHalted] } : {}),
      maxSteps: 10,
      ...(options.signal === undefined ? {} : { abortSignal: options.signal }),
    }
    const generate = (/** @type {any} */ messages) =>
      streamed ? agent.stream(messages, more) : agent.generate(messages, more)
    /** @type {readonly object[]} */
    let history = []
    const ended = (/** @type {any} */ end) => {
      history = end.messages
      if (end.ended !== 'waiting') return end
      const { runId } = end.result
      const answer = async (/** @type {boolean} */ allow) => {
        const { toolCallId } = await end.result.suspendPayload
        const how = { runId, toolCallId, ...more }
        const resumed = streamed ? agent.resumeStream({ allow }, how) : agent.resumeGenerate({ allow }, how)
        return ended(await hooks.resume(end, resumed, generate))
      }
      return { ...end, answer }
    }
    return {
      run: async (prompt, thread) => {
        if (thread !== undefined) return hooks.thread(thread).run(prompt, generate)
        if (hooked) return ended(await hooks.run(prompt, generate, history))
        return { ended: 'answered', text: await (await generate([{ role: 'user', content: prompt }])).text }
      },
    }
  },
}

const toModelOutput = (/** @type {any} */ output) => {
  if (typeof output?.picture !== 'string') return undefined
  const image = { type: 'image-data', data: output.picture, mediaType: 'image/png' }
  return { type: 'content', value: [{ type: 'text', text: 'a picture' }, image] }
}
