import { generateText, stepCountIs, tool } from 'ai'
import { withHooks } from 'hookline/ai-sdk'
import { resolveModel } from 'hookline/models'

/** @type {import('../battery.js').Driver} */
export const driver = {
  cannot: {},
  async open({ engine, env, tools, options }) {
    const model = await resolveModel('openai/scripted', { env })
    const hooks = withHooks(engine, options)
    const own = Object.entries(tools).map(([name, { description, schema, run }]) => [
      name,
      tool({ description, inputSchema: schema, execute: run }),
    ])
    const generate = (/** @type {import('ai').ModelMessage[]} */ messages) =>
      generateText({
        model,
        messages,
        tools: hooks.tools(Object.fromEntries(own)),
        .../** @type {object} */ ({ toolApproval: hooks.toolApproval(() => undefined) }), // read by version 7 alone
        stopWhen: [stepCountIs(10), hooks.isHalted],
        ...(options.signal === undefined ? {} : { abortSignal: options.signal }),
        maxRetries: 0,
      })
    const ended = (/** @type {any} */ end) =>
      end.ended !== 'waiting'
        ? end
        : {
            ...end,
            answer: async (/** @type {boolean} */ approved) => {
              const content = end.approvals.map((/** @type {string} */ approvalId) => ({
                type: 'tool-approval-response',
                approvalId,
                approved,
              }))
              return ended(await hooks.resume([...end.messages, { role: 'tool', content }], generate))
            },
          }
    return { run: async (prompt) => ended(await hooks.run(prompt, generate)) }
  },
}
