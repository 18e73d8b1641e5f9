import * as langgraph from '@langchain/langgraph'
import fc from 'fast-check'
import * as langchain from 'langchain'
import { ToolMessage } from 'langchain'
import { describe, expect, it } from 'vitest'
import { withHooks } from '../../src/adapters/langchain.ts'
import type { Engine } from '../../src/index.ts'
import { engineWith } from '../support/project.ts'

const { Command } = Object(langgraph) // the compiler knows as much of it as adapters load
const { createAgent, FakeToolCallingModel, tool, toolRetryMiddleware } = Object(langchain)
const NIGHT = /hook additional context: It is night\./

/** An engine whose hooks say nothing, or a context before every call; `seen` are the events after it. */
async function opened(context: string | null): Promise<{ engine: Engine; seen: [string, unknown][] }> {
  const engine = await engineWith({})
  const seen: [string, unknown][] = []
  await engine.on('PreToolUse', () => {
    seen.push(['PreToolUse', null])
    return context === null
      ? undefined
      : { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: context } }
  })
  await engine.on('PostToolUse', ({ tool_response }) => void seen.push(['PostToolUse', tool_response]))
  await engine.on('PostToolUseFailure', ({ error }) => void seen.push(['PostToolUseFailure', error]))
  return { engine, seen }
}

/** What the framework gets of a call whose tool does this. */
function callWith(engine: Engine, act: () => unknown): Promise<Record<string, unknown>> {
  const { wrapToolCall } = Object(withHooks(engine, { onNotice: () => {} }).middleware)
  return wrapToolCall({ toolCall: { id: 'c1', name: 'light', args: {} }, runtime: {} }, async () => act())
}

/** What the model gets of a call whose tool throws so often; the first middleware stands around the others. */
async function runAgent({ middleware, fails = 9 }: { middleware: object[]; fails?: number }) {
  let left = fails
  const light = tool(
    () => {
      if (left-- > 0) throw new TypeError('no lamp')
      return 'lit'
    },
    { name: 'light', description: 'Lights a lamp.', schema: { type: 'object', properties: {} } },
  )
  const model = new FakeToolCallingModel({ toolCalls: [[{ id: 'c1', name: 'light', args: {} }], []] })
  const agent = createAgent({ model, tools: [light], middleware })
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Light it.' }] })
  return Object(messages.find((one: unknown) => one instanceof ToolMessage))
}

const block = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.string() }),
  fc.record({ type: fc.constant('image_url'), image_url: fc.record({ url: fc.webUrl() }) }),
)
const message = fc
  .record({
    content: fc.oneof(fc.string(), fc.array(block, { minLength: 1 })),
    artifact: fc.jsonValue(),
    status: fc.constantFrom('success', 'error', undefined),
    additional_kwargs: fc.dictionary(fc.string(), fc.jsonValue()),
    id: fc.string(),
  })
  .map((fields) => new ToolMessage({ tool_call_id: 'c1', name: 'light', ...fields } as never)) // as tools may write it

/** Everything of a message but its content. */
function restOf(of: Record<string, unknown>): object {
  const { content: _, lc_kwargs: __, ...rest } = of
  return { ...rest, type: Object(of).getType(), text: undefined }
}

describe('a result of LangChain', () => {
  it('is the very same where hooks say nothing, alone and in a command', async () => {
    const { engine } = await opened(null)
    await fc.assert(
      fc.asyncProperty(message, async (given) => {
        expect(await callWith(engine, () => given)).toBe(given)
        const command = new Command({ update: { messages: [given], lamp: 7 }, goto: 'next' })
        expect(await callWith(engine, () => command)).toBe(command)
      }),
      { numRuns: 30 },
    )
  })

  it('is the same with one text more where a hook has a context, alone and in a command', async () => {
    const { engine } = await opened('It is night.')
    await fc.assert(
      fc.asyncProperty(message, async (given) => {
        const inside = new Command({ update: [['messages', [given]]], goto: 'next' }) // pairs are an update too
        const command = await callWith(engine, () => inside)
        expect([command instanceof Command, command.goto]).toEqual([true, inside.goto])
        const [[, [ofCommand]]] = command.update as [[string, [Record<string, unknown>]]]
        for (const got of [await callWith(engine, () => given), ofCommand]) {
          expect(got).toBeInstanceOf(ToolMessage)
          expect(restOf(got)).toEqual(restOf(Object(given)))
          const { content } = got as { content: string | { text: string }[] }
          if (typeof content === 'string') expect(content.startsWith(`${given.content}\n\n`)).toBe(true)
          else expect(content.slice(0, -1)).toEqual(given.content)
          expect(typeof content === 'string' ? content : content.at(-1)?.text).toMatch(NIGHT)
        }
      }),
      { numRuns: 30 },
    )
  })

  it('that is an error is a failure for hooks, and stays what it is', async () => {
    const { engine, seen } = await opened(null)
    const failed = new ToolMessage({ tool_call_id: 'c1', content: 'no lamp', status: 'error' })
    expect(await callWith(engine, () => failed)).toBe(failed)
    expect(seen).toEqual([
      ['PreToolUse', null],
      ['PostToolUseFailure', 'no lamp'],
    ])
  })

  it.each([
    ['nothing', null],
    ['something', 'It is night.'],
  ])('of a tool that throws is what the framework makes of it, where hooks say %s', async (_, context) => {
    const { engine, seen } = await opened(context)
    const plain = await runAgent({ middleware: [] })
    const hooked = await runAgent({ middleware: [withHooks(engine, { onNotice: () => {} }).middleware] })
    expect({ ...restOf(hooked), id: plain.id }).toEqual(restOf(plain))
    expect(String(hooked.content).startsWith(String(plain.content))).toBe(true)
    expect(NIGHT.test(String(hooked.content))).toBe(context !== null)
    expect(seen.at(-1)).toEqual(['PostToolUseFailure', 'no lamp'])
  })

  it('of a tool that throws is a rejection for middleware around it, which may try again', async () => {
    const { engine, seen } = await opened(null)
    const retrying = toolRetryMiddleware({ maxRetries: 1, initialDelayMs: 1, jitter: false })
    const { middleware } = withHooks(engine, { onNotice: () => {} })
    expect(await runAgent({ middleware: [retrying, middleware], fails: 1 })).toMatchObject({ content: 'lit' })
    expect(seen.map(([event]) => event)).toEqual(['PreToolUse', 'PostToolUseFailure', 'PreToolUse', 'PostToolUse'])
  })

  it('is not there yet when the tool is interrupted: hooks hear of the call when it has ended', async () => {
    const { engine, seen } = await opened(null)
    const { wrapToolCall } = Object(withHooks(engine, { onNotice: () => {} }).middleware)
    const request = { toolCall: { id: 'c1', name: 'light', args: {} }, runtime: {} }
    const interrupt = Object.assign(new Error('asks'), { is_bubble_up: true })
    const asks = () => wrapToolCall(request, () => Promise.reject(interrupt))
    await expect(asks()).rejects.toBe(interrupt)
    expect(seen).toEqual([['PreToolUse', null]])
    await wrapToolCall(request, async () => new ToolMessage({ tool_call_id: 'c1', content: 'lit' }))
    expect(seen).toEqual([
      ['PreToolUse', null],
      ['PostToolUse', 'lit'],
    ])
  })
})
