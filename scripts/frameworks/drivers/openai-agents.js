import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents'
import { withHooks } from 'hookline/openai-agents'

/** @type {import('../battery.js').Driver} */
export const driver = {
  cannot: {},
  failureWords: /An error occurred while running the tool/,
  outputs: {
    'a text': () => 'lit',
    'an object': () => ({ lit: true, at: [1.5, null] }),
    nothing: () => undefined,
    'a text item': () => ({ type: 'text', text: 'lit' }),
    'an error': () => {
      throw new TypeError('no lamp')
    },
    'a thrown text': () => {
      throw 'no lamp'
    },
  },
  open({ engine, engineFor, env, tools, options, streamed, hooked }) {
    const modelProvider = new OpenAIProvider({
      baseURL: env.OPENAI_BASE_URL,
      apiKey: env.OPENAI_API_KEY,
      useResponses: false,
    })
    const runner = new Runner({ modelProvider, tracingDisabled: true })
    const hooks = /** @type {any} */ (withHooks(/** @type {any} */ (engineFor ?? engine), options)) // both kinds
    const own = Object.entries(tools).map(([name, { description, schema: parameters, run }]) =>
      tool(
        /** @type {any} */ ((/** @type {object} */ parts) => (hooked ? hooks.guard(parts) : parts))({
          name,
          description,
          parameters,
          execute: run,
        }),
      ),
    )
    const agent = new Agent({ name: 'Lamps', model: 'scripted', tools: own })
    const generate = (/** @type {any} */ input) =>
      runner.run(agent, input, /** @type {any} */ ({ stream: streamed, signal: options.signal }))
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
    return {
      run: async (prompt, thread) => {
        if (hooked)
          return ended(
            await (thread === undefined ? hooks : hooks.thread(thread)).run(
              prompt,
              generate,
              thread === undefined ? history : [],
            ),
          )
        const result = /** @type {any} */ (await generate([{ role: 'user', content: prompt }])) // both kinds
        await result.completed
        return { ended: 'answered', text: String(result.finalOutput) }
      },
    }
  },
}
