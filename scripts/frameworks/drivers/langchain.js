import { Command, MemorySaver } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { withHooks } from 'hookline/langchain'
import { createAgent, tool } from 'langchain'

/** @type {import('../battery.js').Driver} */
export const driver = {
  cannot: {},
  open({ engine, env, tools, options }) {
    const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey } = env
    const model = new ChatOpenAI({ model: 'scripted', apiKey, configuration: { baseURL }, maxRetries: 0 })
    const hooks = withHooks(engine, options)
    const own = Object.entries(tools).map(([name, { description, schema, run }]) =>
      tool(run, { name, description, schema }),
    )
    const agent = createAgent({ model, tools: own, checkpointer: new MemorySaver(), middleware: [hooks.middleware] })
    const config = {
      configurable: { thread_id: 'one' },
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    }
    const generate = (/** @type {any} */ input) => agent.invoke(input, config)
    const ended = (/** @type {any} */ end) => {
      if (end.ended !== 'waiting') return end
      const answer = async (/** @type {boolean} */ allow) =>
        ended(await hooks.resume(new Command({ resume: { allow } }), generate))
      return { ...end, answer }
    }
    return { run: async (prompt) => ended(await hooks.run(prompt, generate)) }
  },
}
