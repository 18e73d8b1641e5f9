import { dynamicTool, generateText, stepCountIs, streamText, tool } from 'ai'
import { withHooks } from 'hookline/ai-sdk'
import { resolveModel } from 'hookline/models'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII='

/** @type {import('../battery.js').Driver} */
export const driver = {
  cannot: {},
  outputs: {
    'a text': () => 'lit',
    'an empty text': () => '',
    'an object': () => ({ lit: true, at: [1.5, null], when: new Date(0) }),
    nothing: () => undefined,
    'an image': () => ({ picture: PIXEL }),
    'an error': () => {
      throw new TypeError('no lamp')
    },
    'a thrown text': () => {
      throw 'no lamp'
    },
    'a thrown object': () => {
      throw { code: 7 }
    },
  },
  async open({ engine, engineFor, env, tools, options, streamed, hooked }) {
    const model = await resolveModel('openai/scripted', { env })
    const hooks = /** @type {any} */ (withHooks(/** @type {any} */ (engineFor ?? engine), options)) // both kinds
    const own = Object.entries(tools).map(([name, { description, schema, run }], at) => {
      const make = at % 2 === 0 ? tool : dynamicTool
      return [name, make(/** @type {any} */ ({ description, inputSchema: schema, execute: run, toModelOutput }))]
    })
    const ask = streamed ? streamText : generateText
    const generate = (/** @type {import('ai').ModelMessage[]} */ messages) =>
      ask({
        model,
        messages,
        tools: hooked ? hooks.tools(Object.fromEntries(own)) : Object.fromEntries(own),
        .../** @type {object} */ (hooked ? { toolApproval: hooks.toolApproval(() => undefined) } : {}), // read by version 7 alone
        stopWhen: hooked ? [stepCountIs(10), hooks.isHalted] : stepCountIs(10),
        ...(options.signal === undefined ? {} : { abortSignal: options.signal }),
        .../** @type {object} */ (streamed ? { onError: () => {} } : {}), // which prints by itself
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
    return {
      run: async (prompt, thread) => {
        if (hooked) return ended(await (thread === undefined ? hooks : hooks.thread(thread)).run(prompt, generate))
        return { ended: 'answered', text: await (await generate([{ role: 'user', content: prompt }])).text }
      },
    }
  },
}

const toModelOutput = (/** @type {{ output: any }} */ { output }) => {
  if (typeof output?.picture !== 'string') return { type: 'json', value: JSON.parse(JSON.stringify(output ?? null)) }
  const image = { type: 'image-data', data: output.picture, mediaType: 'image/png' }
  return { type: 'content', value: [{ type: 'text', text: 'a picture' }, image] }
}
