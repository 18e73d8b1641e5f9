import { convertToModelMessages, readUIMessageStream, stepCountIs, streamText, tool, type UIMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { withHooks } from '../../src/adapters/ai-sdk.ts'
import type { Engine } from '../../src/index.ts'
import { resolveModel } from '../../src/models/resolve-model.ts'
import { startModelServer } from '../../src/testing/model-server.ts'
import { engineWith } from '../support/project.ts'

const light = tool({ inputSchema: z.object({ room: z.string() }), execute: () => ({ lit: true }) })

/** An engine whose hook says something about every call that ran. */
async function talkative(): Promise<Engine> {
  const engine = await engineWith({})
  await engine.on('PostToolUse', () => ({
    hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'It is night.' },
  }))
  return engine
}

/** A chat request as a route answers it, and the message that the client then has. */
async function chat(engine: Engine): Promise<UIMessage> {
  const server = await startModelServer([{ tools: [{ name: 'light', input: { room: 'hall' } }] }, { text: 'Done.' }])
  const hooks = withHooks(engine, { onNotice: () => {} })
  const result = streamText({
    model: (await resolveModel('openai/scripted', { env: server.env })) as never, // of whichever version
    prompt: 'Go',
    tools: hooks.tools({ light }),
    stopWhen: [stepCountIs(5), hooks.isHalted],
  })
  let last: UIMessage | undefined
  const stream = result.toUIMessageStream({ messageMetadata: hooks.messageMetadata })
  for await (const message of readUIMessageStream({ stream })) last = message
  await server.close()
  return JSON.parse(JSON.stringify(last)) // over the wire, and back
}

describe('UI messages', () => {
  it('carry what hooks said about a call to the next request, in another process', async () => {
    const engine = await talkative()
    const message = await chat(engine)
    const part = message.parts.find(({ type }) => type === 'tool-light')
    expect(part).toMatchObject({ state: 'output-available', output: { lit: true } })
    const hooks = withHooks(engine)
    hooks.recall([message])
    const converted = await convertToModelMessages([message], { tools: hooks.tools({ light }) })
    expect(JSON.stringify(converted)).toMatch(
      /\{\\+"lit\\+":true\}.*PostToolUse:light hook additional context: It is night\./,
    )
  })

  it('are as without hooks where these say nothing', async () => {
    const message = await chat(await engineWith({}))
    expect(message.metadata).toBeUndefined()
    const hooks = withHooks(await engineWith({}))
    hooks.recall([message])
    const [hooked, plain] = await Promise.all(
      [hooks.tools({ light }), { light }].map((tools) => convertToModelMessages([message], { tools })),
    )
    expect(hooked).toEqual(plain)
  })

  it.each([
    [{ hookline: null }],
    [{ hookline: { call_0_0: 7 } }],
    [{ hookline: { call_0_0: { texts: [{ a: 1 }, 7], replaced: 'x' } } }],
    ['words'],
  ])('may say anything under that name: %j', async (metadata) => {
    const hooks = withHooks(await engineWith({}))
    hooks.recall([{ metadata }])
    const { toModelOutput } = Object(hooks.tools({ light }).light)
    expect(await toModelOutput({ toolCallId: 'call_0_0', input: {}, output: 'lit' })).toEqual({
      type: 'text',
      value: 'lit',
    })
  })
})
