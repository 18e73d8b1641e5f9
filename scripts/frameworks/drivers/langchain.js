import { Command, MemorySaver } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { withHooks } from 'hookline/langchain'
import { createAgent, ToolMessage, tool } from 'langchain'

const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
const message = (/** @type {object} */ fields) =>
  new ToolMessage(/** @type {any} */ ({ tool_call_id: 'call_0_0', name: 'light', content: 'lit', ...fields }))

/** @type {import('../battery.js').Driver} */
export const driver = {
  cannot: {},
  outputs: {
    'a text': () => 'lit',
    'an object': () => ({ lit: true, at: [1.5, null] }),
    nothing: () => undefined,
    blocks: () => [{ type: 'text', text: 'lit' }, IMAGE],
    'a message with an artifact': () => message({ artifact: { lamp: 7 }, additional_kwargs: { watts: 9 } }),
    'a message with blocks': () => message({ content: [{ type: 'text', text: 'lit' }, IMAGE] }),
    'a message about an error': () => message({ content: 'no lamp', status: 'error' }),
    'a command': () => new Command({ update: { messages: [message({})] } }),
    'an error': () => {
      throw new TypeError('no lamp')
    },
    'a thrown text': () => {
      throw 'no lamp'
    },
  },
  open({ engine, engineFor, env, tools, options, streamed, hooked }) {
    const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey } = env
    const model = new ChatOpenAI({ model: 'scripted', apiKey, configuration: { baseURL }, maxRetries: 0 })
    const hooks = /** @type {any} */ (withHooks(/** @type {any} */ (engineFor ?? engine), options)) // both kinds
    const own = Object.entries(tools).map(([name, { description, schema, run }]) =>
      tool(run, { name, description, schema }),
    )
    const middleware = hooked ? [hooks.middleware] : []
    const agent = createAgent({ model, tools: own, checkpointer: new MemorySaver(), middleware })
    const ask = (/** @type {string} */ thread_id) => async (/** @type {any} */ input) => {
      const config = {
        configurable: { thread_id },
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      }
      if (!streamed) return agent.invoke(input, config)
      /** @type {any} */
      let state = {}
      for await (const one of await agent.stream(input, { ...config, streamMode: 'values' }))
        state = { ...state, .../** @type {object} */ (one) }
      return state
    }
    const ended = (/** @type {any} */ end) => {
      if (end.ended !== 'waiting') return end
      const answer = async (/** @type {boolean} */ allow) =>
        ended(await hooks.resume(new Command({ resume: { allow } }), ask('one')))
      return { ...end, answer }
    }
    return {
      run: async (prompt, thread) => {
        if (hooked)
          return ended(await (thread === undefined ? hooks : hooks.thread(thread)).run(prompt, ask(thread ?? 'one')))
        const state = await ask('one')({ messages: [{ role: 'user', content: prompt }] })
        return { ended: 'answered', text: state.messages.at(-1).content }
      },
    }
  },
}
