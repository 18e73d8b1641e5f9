import assert from 'node:assert/strict'
import { Agent, OpenAIProvider, Runner, setTraceProcessors, tool, Usage } from '@openai/agents'
import { withHooks } from 'hookline/openai-agents'
import * as z from 'zod'

/** What a tool may be made of, by what it gives. */
const TOOLS = {
  'an image': { execute: () => ({ type: 'image', image: 'data:image/png;base64,AAAA' }) },
  'a text, an image and a file': {
    execute: () => [
      { type: 'text', text: 'lit' },
      { type: 'image', image: { url: 'http://127.0.0.1/lamp.png' } },
      { type: 'file', file: { data: 'AAAA', mediaType: 'application/pdf', filename: 'lamp.pdf' } },
    ],
  },
  'what a schema wants': { outputSchema: z.object({ lamps: z.number() }), execute: () => ({ lamps: 1 }) },
  'what a schema does not want': { outputSchema: z.object({ lamps: z.number() }), execute: () => ({ lamps: 'one' }) },
  nothing: { execute: () => undefined },
  null: { execute: () => null },
  'a number': { execute: () => 7 },
  'an object': { execute: () => ({ lamps: [1] }) },
  'an error': {
    execute: () => {
      throw new TypeError('no lamp')
    },
  },
}

/** A model that calls the tool once, and notes what it is sent. */
class CallingModel {
  /** @type {any[]} */
  sent = []

  async getResponse(/** @type {any} */ { input }) {
    this.sent.push(input)
    const call = { type: 'function_call', id: 'f', callId: 'c', name: 'light', arguments: '{}', status: 'completed' }
    const content = [{ type: 'output_text', text: 'Done.' }]
    const message = { type: 'message', id: 'm', role: 'assistant', status: 'completed', content }
    return { usage: new Usage(), responseId: 'r', output: [this.sent.length === 1 ? call : message] }
  }

  async *getStreamedResponse(/** @type {any} */ request) {
    const { responseId: id, output } = await this.getResponse(request)
    const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }
    yield { type: 'response_done', response: { id, usage, output } }
  }
}

/**
 * What the model and the trace are given of one call, and how the run ends.
 *
 * @param {import('../battery.js').Host} host
 * @param {object} made
 */
async function watchCall({ engine, streamed, hooked, options }, made) {
  /** @type {any[]} */
  const spans = []
  const nothing = async () => {}
  const onSpanEnd = async (/** @type {any} */ { spanData }) => void spans.push(spanData)
  const ends = { onTraceStart: nothing, onTraceEnd: nothing, onSpanStart: nothing, shutdown: nothing }
  setTraceProcessors([{ ...ends, onSpanEnd, forceFlush: nothing }])
  const model = new CallingModel()
  const hooks = withHooks(engine, options)
  const parts = /** @type {any} */ ({ name: 'light', description: '', parameters: z.object({}), ...made }) // of every kind
  const agent = new Agent({
    name: 'Lamps',
    model: /** @type {any} */ (model), // as much of one as a run needs
    tools: [tool(hooked ? hooks.guard(parts) : parts)],
  })
  const runner = new Runner({ tracingDisabled: false })
  const generate = async (/** @type {any} */ input) => {
    const result = /** @type {any} */ (await runner.run(agent, input, /** @type {any} */ ({ stream: streamed }))) // both kinds
    await result.completed
    return result
  }
  const run = hooked ? hooks.run('Go', generate) : generate([{ role: 'user', content: 'Go' }])
  const error = await run.then(
    () => null,
    (/** @type {unknown} */ thrown) => String(thrown),
  )
  const span = spans.find(({ type }) => type === 'function')
  assert.ok(span, 'the call has no span')
  return { sent: model.sent, input: span.input, output: span.output, error }
}

/** @type {import('../battery.js').Driver} */
export const driver = {
  cannot: {},
  cases: {
    'silence changes no output and no trace': async (open) => {
      const events = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure']
      const hook = { hooks: [{ type: 'command', command: 'true' }] }
      const silent = Object.fromEntries(events.map((name) => [name, [hook]]))
      for (const [name, made] of Object.entries(TOOLS)) {
        const [plain, hooked] = [await open({}, [], { hooked: false }), await open(silent, [])]
        assert.deepEqual(await watchCall(hooked.host, made), await watchCall(plain.host, made), name)
      }
    },
    'a context is one text beside every output': async (open) => {
      const answer = { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'It is night.' } }
      const hooks = {
        PreToolUse: [{ hooks: [{ type: 'command', command: `printf '%s' '${JSON.stringify(answer)}'` }] }],
      }
      for (const [name, made] of Object.entries(TOOLS)) {
        const scene = await open(hooks, [])
        const { sent } = await watchCall(scene.host, made)
        const said = [JSON.stringify(sent.at(-1)), ...scene.told].filter((text) => text.includes('It is night.'))
        const isTold = 'outputSchema' in made // has no room for a text
        assert.deepEqual([said.length, scene.told.length], [1, isTold ? 1 : 0], name)
      }
    },
  },
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
