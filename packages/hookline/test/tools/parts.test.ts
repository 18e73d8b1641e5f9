import { stepCountIs, streamText, tool } from 'ai'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'
import { resolveModel } from '../../src/models/index.ts'
import { startModelServer } from '../../src/testing/index.ts'
import { withHooks } from '../../src/tools/index.ts'
import { engineWith } from '../support/project.ts'
import { call, calling, context, pre } from './asked.ts'

describe('a tool whose result grows', () => {
  const count = tool({
    inputSchema: z.object({ to: z.number() }),
    async *execute({ to }) {
      for (let at = 1; at <= to; at++) yield `${at} of ${to}`
      if (to === 0) throw new Error('nothing to count')
    },
  })

  it('is followed while it grows, and hooks see its end', async () => {
    const engine = await engineWith({})
    const seen: unknown[] = []
    await engine.on('PostToolUse', ({ tool_response }) => {
      seen.push(tool_response)
      return context('PostToolUse', 'Counted.')
    })
    const server = await startModelServer([{ tools: [{ name: 'count', input: { to: 3 } }] }, { text: 'Done.' }])
    onTestFinished(() => server.close())
    const model = await resolveModel('openai/local', { env: server.env })
    const result = streamText({ model, prompt: 'Go', tools: withHooks({ count }, engine), stopWhen: stepCountIs(2) })
    const parts: unknown[] = []
    for await (const part of result.fullStream)
      if (part.type === 'tool-result') parts.push([part.output, part.preliminary])
    expect(parts).toEqual([
      ['1 of 3', true],
      ['2 of 3', true],
      ['3 of 3', true],
      ['3 of 3', undefined],
    ])
    expect(seen).toEqual(['3 of 3'])
    expect(JSON.stringify(server.requests[1]?.body)).toContain('hook additional context: Counted.')
  })

  it('can be refused, and can fail', async () => {
    const engine = await engineWith({})
    const failures: unknown[] = []
    const no = pre({ permissionDecision: 'deny', permissionDecisionReason: 'too far' })
    await engine.on('PreToolUse', () => no, { matcher: 'tool_input.to == 9' })
    await engine.on('PostToolUseFailure', ({ error }) => void failures.push(error))
    const { told } = await calling(withHooks({ count }, engine), [
      ['count', { to: 9 }],
      ['count', { to: 0 }],
    ])
    expect(told.map(({ text }) => text)).toEqual(['PreToolUse:count hook error: too far', 'nothing to count'])
    expect(failures).toEqual(['nothing to count'])
  })

  it('is a call that failed when nobody waits for its end', async () => {
    const engine = await engineWith({})
    const failures: unknown[] = []
    await engine.on('PostToolUseFailure', ({ error }) => void failures.push(error))
    const { execute = () => [] } = withHooks({ count }, engine).count
    for await (const part of execute({ to: 3 }, call) as AsyncIterable<string>) if (part === '1 of 3') break
    expect(failures).toEqual(['The result was not read to its end.'])
  })

  it('still grows when the hooks of another engine stand around it', async () => {
    const engines = [await engineWith({}), await engineWith({})] as const
    const seen: unknown[] = []
    for (const engine of engines) await engine.on('PostToolUse', ({ tool_response }) => void seen.push(tool_response))
    const { execute = () => [] } = withHooks(withHooks({ count }, engines[0]), engines[1]).count
    const parts: string[] = []
    for await (const part of execute({ to: 2 }, call) as AsyncIterable<string>) parts.push(part)
    expect({ parts, seen }).toEqual({ parts: ['1 of 2', '2 of 2'], seen: ['2 of 2', '2 of 2'] })
  })

  it('comes to its last part when it is no generator function', async () => {
    const { execute } = count
    const later = tool({
      inputSchema: z.object({ to: z.number() }),
      execute: (input, options) => execute?.(input, options),
    })
    const { told } = await calling(withHooks({ later }, await engineWith({})), [['later', { to: 2 }]])
    expect(told[0]?.text).toBe('2 of 2')
  })
})
