import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents'
import { withHooks } from 'hookline/openai-agents'

/** @type {import('../battery.js').Driver} */
export const driver = {
  cannot: {},
  open({ engine, env, tools, options }) {
    const modelProvider = new OpenAIProvider({
      baseURL: env.OPENAI_BASE_URL,
      apiKey: env.OPENAI_API_KEY,
      useResponses: false,
    })
    const runner = new Runner({ modelProvider, tracingDisabled: true })
    const hooks = withHooks(engine, options)
    const own = Object.entries(tools).map(([name, { description, schema: parameters, run }]) =>
      tool(hooks.guard({ name, description, parameters, execute: run })),
    )
    const agent = new Agent({ name: 'Lamps', model: 'scripted', tools: own })
    const generate = (/** @type {any} */ input) =>
      runner.run(agent, input, options.signal === undefined ? {} : { signal: options.signal })
    /** @type {readonly object[]} */
    let history = []
    const ended = (/** @type {any} */ end) => {
      if (end.ended === 'answered') history = end.result.history
      if (end.ended !== 'waiting') return end
      const answer = async (/** @type {boolean} */ allow) => {
        const { state, interruptions } = end.result
        for (const one of interruptions) state[allow ? 'approve' : 'reject'](one)
        return ended(await hooks.resume(state, generate))
      }
      return { ...end, answer }
    }
    return { run: async (prompt) => ended(await hooks.run(prompt, generate, history)) }
  },
}
