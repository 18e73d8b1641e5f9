import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../../hookline/test/support/any-text.ts'
import { COMPACTION, ModelError } from '../../src/models/model.ts'
import type { ScriptSource } from '../../src/models/script.ts'
import { makeScriptedModel } from '../../src/models/scripted.ts'
import type { Message } from '../../src/output/messages.ts'
import { ask, request, textIn } from './ask.ts'

const model = (script: ScriptSource) => {
  let ids = 0
  return makeScriptedModel(script, { name: 'script:test', newId: () => `id${++ids}` })
}

const said = async (...parts: Parameters<typeof ask>): Promise<string> => textIn((await ask(...parts)).pieces)

describe('a scripted model', () => {
  it('says one turn a request, and done when they are over', async () => {
    const scripted = model({ turns: [{ text: 'one' }, { text: 'two' }] })
    expect([await said(scripted), await said(scripted), await said(scripted), await said(scripted)]).toEqual([
      'one',
      'two',
      'done',
      'done',
    ])
  })

  it('thinks, speaks and calls tools in one turn', async () => {
    const tools = [
      { name: 'Bash', input: { command: 'ls' } },
      { name: 'Read', input: { file_path: '/a' }, id: 'mine' },
    ]
    const usage = { inputTokens: 7, outputTokens: 5 }
    const { pieces } = await ask(model({ turns: [{ thinking: 'a', text: 'b', tools, usage }] }))
    expect(pieces).toEqual([
      { type: 'thinking', thinking: 'a' },
      { type: 'text', text: 'b' },
      { type: 'tool_use', id: 'id1', name: 'Bash', input: { command: 'ls' } },
      { type: 'tool_use', id: 'mine', name: 'Read', input: { file_path: '/a' } },
      { type: 'end', usage, cutShort: false },
    ])
  })

  it('streams a text in pieces that join to it', async () => {
    await fc.assert(
      fc.asyncProperty(anyText({ minLength: 1 }), async (text) => {
        const { pieces } = await ask(model({ turns: [{ text }] }))
        expect(textIn(pieces)).toBe(text)
        expect(pieces.length).toBeLessThanOrEqual(5)
        for (const piece of pieces) if (piece.type === 'text') expect(piece.text).not.toMatch(/^[\udc00-\udfff]/)
      }),
    )
  })

  it('fails after what it said before', async () => {
    const { pieces, error } = await ask(model({ turns: [{ text: 'half', error: 'overloaded' }] }))
    expect(textIn(pieces)).toBe('half')
    expect(error).toEqual(new ModelError('overloaded'))
    expect(pieces.at(-1)?.type).toBe('text')
  })

  it('starts the list of an agent type anew for every subagent, beside its own', async () => {
    const scripted = model({
      turns: [{ text: 'main' }],
      agents: { reviewer: { turns: [{ text: 'r1' }, { text: 'r2' }] } },
    })
    const first: Message = { role: 'user', content: [{ type: 'text', text: 'review' }] }
    const answer: Message = { role: 'assistant', content: [{ type: 'text', text: 'r1' }] }
    const reviewer = (messages: Message[]) => said(scripted, { agentType: 'reviewer', messages })
    expect(await Promise.all([reviewer([first]), reviewer([first])])).toEqual(['r1', 'r1'])
    expect(await reviewer([first, answer, first])).toBe('r2')
    expect(await reviewer([first, answer, first, answer, first])).toBe('done')
    expect(await said(scripted, { agentType: 'constructor' })).toBe('done')
    expect(await said(scripted)).toBe('main')
  })

  it('sums up by its script, and in one line without', async () => {
    const scripted = model({ turns: [{ text: 'main' }], agents: { [COMPACTION]: { turns: [{ text: 'so far' }] } } })
    expect(await said(scripted, { agentType: COMPACTION })).toBe('so far')
    expect(await said(scripted, { agentType: COMPACTION })).toMatch(/^Summary: .+$/)
    expect(await said(scripted)).toBe('main')
  })

  it('estimates what nobody wrote down', async () => {
    const { pieces } = await ask(model({ turns: [{ text: 'x'.repeat(4000) }] }), { system: 'y'.repeat(8000) })
    const end = pieces.at(-1)
    if (end?.type !== 'end') throw new Error('no end')
    expect(end.usage.inputTokens).toBeGreaterThan(2000)
    expect(end.usage.outputTokens).toBeGreaterThan(1000)
  })

  it('throws the reason of its signal when it is aborted', async () => {
    const abort = new AbortController()
    const stream = model({ turns: [{ text: 'a long answer' }] }).stream(request({ signal: abort.signal }))
    const reason = new Error('interrupted')
    const said: string[] = []
    await expect(async () => {
      for await (const piece of stream) {
        said.push(piece.type)
        abort.abort(reason)
      }
    }).rejects.toBe(reason)
    expect(said).toEqual(['text'])
  })
})
