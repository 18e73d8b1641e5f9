import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk'
import { withHooks } from 'hookline/claude-agent-sdk'

/** @type {import('../battery.js').Driver} */
export const driver = {
  cannot: {
    'rewrite that does not fit': 'the SDK checks a rewritten input itself, and tells the model in its own words',
    'halt in a batch': 'the SDK asks about a call when the one before it has run; after a halt none starts',
    'silence changes nothing': 'the SDK makes its calls itself, in a process of its own',
    'a context is one text more': 'the SDK makes its calls itself, in a process of its own',
    'two threads': 'a query of the SDK has a session of its own: hooks are made with each',
  },
  outputs: {},
  prefix: 'mcp__lamps__',
  open({ engine, env, tools, options: { names = {}, ...options }, root, streamed }) {
    const own = Object.entries(tools).map(([name, { description, schema, run }]) =>
      tool(name, description, schema.shape, async (input) => ({
        content: [{ type: 'text', text: String(await run(input)) }],
      })),
    )
    const ofTools = Object.keys(tools).map((name) => [`mcp__lamps__${name}`, { name, ...Object(names[name]) }])
    const waiting = options.onAsk === undefined ? new Map() : undefined
    const hooks = withHooks(engine, { ...options, names: Object.fromEntries(ofTools), waiting })
    /** @type {string | undefined} */
    let session
    /** @returns {Promise<import('../battery.js').End>} */
    const turn = async (/** @type {string} */ prompt) => {
      const running = query({
        prompt,
        options: {
          hooks: hooks.hooks,
          settingSources: [],
          tools: [],
          mcpServers: { lamps: createSdkMcpServer({ name: 'lamps', tools: own }) },
          allowedTools: Object.keys(tools).map((name) => `mcp__lamps__${name}`),
          cwd: `${root}/project`,
          env: { PATH: process.env.PATH, HOME: `${root}/home`, ...env, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
          model: 'claude-sonnet-5',
          includePartialMessages: streamed,
          ...(session === undefined ? {} : { resume: session }),
        },
      })
      /** @type {import('@anthropic-ai/claude-agent-sdk').SDKResultMessage | null} */
      let result = null
      for await (const message of running) if (message.type === 'result') result = message
      options.signal?.throwIfAborted()
      session = result?.session_id
      if (hooks.ended !== null) return hooks.ended
      if (result?.subtype !== 'success') throw new Error(JSON.stringify(result))
      const call = result.deferred_tool_use
      if (result.stop_reason !== 'tool_deferred' || call === undefined)
        return { ended: 'answered', text: result.result }
      return {
        ended: 'waiting',
        answer: (allow) => {
          hooks.answer(call.id, { allow })
          return turn('')
        },
      }
    }
    return { run: turn }
  },
}
