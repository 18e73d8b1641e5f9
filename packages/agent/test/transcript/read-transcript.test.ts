import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../../hookline/test/support/any-text.ts'
import type { Block, Message } from '../../src/output/messages.ts'
import { readTranscript } from '../../src/transcript/read-transcript.ts'
import { repairConversation } from '../../src/transcript/repair.ts'
import { temporaryFolder } from './folder.ts'
import { answered, entryOf, text, told, transcriptAt } from './said.ts'

const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))

const someText = anyText({ maxLength: 30 })
const textBlock = fc.record({ type: fc.constant('text' as const), text: someText })
const thinkingBlock = fc.record(
  { type: fc.constant('thinking' as const), thinking: someText, signature: fc.string() },
  { requiredKeys: ['type', 'thinking'] },
)
/** As JSON has it: minus zero, for one, comes back as zero. */
const input = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.parse(JSON.stringify(value)))

/** One exchange: a prompt, an answer with calls, and the result of each of them. */
const exchange = fc.record({
  prompt: fc.array(textBlock, { minLength: 1, maxLength: 2 }),
  answer: fc.array(fc.oneof(textBlock, thinkingBlock), { minLength: 1, maxLength: 3 }),
  calls: fc.array(
    fc.record({ name: fc.string({ minLength: 1 }), input, content: someText, failed: fc.option(fc.boolean()) }),
    {
      maxLength: 3,
    },
  ),
})

const conversation = fc.array(exchange, { maxLength: 5 }).map((exchanges) =>
  exchanges.flatMap(({ prompt, answer, calls }, turn): Message[] => {
    const id = (at: number): string => `toolu_${turn}_${at}`
    const uses = calls.map(({ name, input }, at) => ({ type: 'tool_use' as const, id: id(at), name, input }))
    const results = calls.map(({ content, failed }, at) => ({
      type: 'tool_result' as const,
      tool_use_id: id(at),
      content,
      ...(failed === null ? {} : { is_error: failed }),
    }))
    const asked: Message[] = [
      { role: 'user', content: prompt },
      { role: 'assistant', content: [...answer, ...uses] },
    ]
    if (results.length === 0) return asked
    return [...asked, { role: 'user', content: results }, text('assistant', 'seen')]
  }),
)

describe('a conversation', () => {
  it('comes back from its lines as it was', async () => {
    const folder = await temporaryFolder()
    let runs = 0
    await fc.assert(
      fc.asyncProperty(conversation, async (messages) => {
        const path = join(folder, `${runs++}.jsonl`)
        const transcript = transcriptAt(path)
        transcript.append({ kind: 'init', model: 'm', tools: [], permissionMode: 'default' })
        const lines = messages.map((message) => transcript.append(entryOf(message)))
        await transcript.close()
        const lastUuid = lines.at(-1)?.uuid ?? null
        expect(await readTranscript(path)).toMatchObject({ messages, lastUuid, open: [], unfinished: false, broken: 0 })
      }),
      { numRuns: 100 },
    )
  })

  it('is the same when every result and every hint has its own line', async () => {
    const path = join(await temporaryFolder(), 's1.jsonl')
    const result = (id: string): Block => ({ type: 'tool_result', tool_use_id: id, content: id })
    const calls = ['a', 'b'].map((id): Block => ({ type: 'tool_use', id, name: 'Bash', input: {} }))
    const transcript = transcriptAt(path)
    transcript.append({ kind: 'user', message: text('user', 'from a hook'), origin: 'injected' })
    transcript.append(told(text('user', 'go')))
    transcript.append(answered({ role: 'assistant', content: calls }))
    transcript.append({ kind: 'user', message: { role: 'user', content: [result('a')] }, origin: 'tool' })
    transcript.append({ kind: 'user', message: { role: 'user', content: [result('b')] }, origin: 'tool' })
    await transcript.close()
    expect(await readTranscript(path)).toMatchObject({
      messages: [
        { role: 'user', content: [...text('user', 'from a hook').content, ...text('user', 'go').content] },
        { role: 'assistant', content: calls },
        { role: 'user', content: [result('a'), result('b')] },
      ],
    })
  })

  it('begins with the summary of the last compaction', async () => {
    const path = join(await temporaryFolder(), 's1.jsonl')
    const transcript = transcriptAt(path)
    transcript.append(told(text('user', 'long ago')))
    transcript.append(answered(text('assistant', 'yes')))
    transcript.append({ kind: 'compacted', trigger: 'manual', tokensBefore: 9 })
    transcript.append({ kind: 'user', message: text('user', 'what was'), origin: 'summary' })
    const last = transcript.append(answered(text('assistant', 'understood')))
    await transcript.close()
    expect(await readTranscript(path)).toEqual({
      messages: [text('user', 'what was'), text('assistant', 'understood')],
      lastUuid: last.uuid,
      open: [],
      unfinished: false,
      broken: 0,
      title: null,
      responses: new Map(),
      answered: { at: expect.any(Date), tokens: 5 },
    })
  })

  it('that ends in calls gets results which say that it was interrupted', async () => {
    const path = join(await temporaryFolder(), 's1.jsonl')
    const calls = ['a', 'b'].map((id): Block => ({ type: 'tool_use', id, name: 'Bash', input: {} }))
    const transcript = transcriptAt(path)
    transcript.append(told(text('user', 'go')))
    transcript.append(answered({ role: 'assistant', content: calls }))
    await transcript.close()
    const stored = await readTranscript(path)
    const failed = { type: 'tool_result', is_error: true, content: expect.stringContaining('interrupted') }
    expect('messages' in stored && stored.messages.at(-1)).toEqual({
      role: 'user',
      content: [
        { ...failed, tool_use_id: 'a' },
        { ...failed, tool_use_id: 'b' },
      ],
    })
  })

  it('is found between broken lines and lines of unknown kinds', async () => {
    const path = join(await temporaryFolder(), 's1.jsonl')
    const lines = [
      '{"type":"user","message":{"role":"user","content":"hello"}}',
      'not JSON',
      '',
      '[]',
      '{"type":"user"}',
      '{"type":"user","message":{"content":5}}',
      '{"type":"file-history-snapshot","message":{}}',
      '{"type":"assistant","isApiErrorMessage":true,"message":{"content":[{"type":"text","text":"API Error"}]}}',
      '{"type":"user","isSidechain":true,"message":{"content":"to a subagent"}}',
      '{"type":"assistant","message":{"content":[{"type":"hologram"},{"type":"text","text":"hi"},{"type":"text"}]}}',
    ]
    await writeFile(path, `${lines.join('\n')}\n`)
    expect(await readTranscript(path)).toEqual({
      messages: [text('user', 'hello'), text('assistant', 'hi')],
      lastUuid: null,
      open: [],
      unfinished: false,
      broken: 4,
      title: null,
      responses: new Map(),
      answered: null,
    })
  })

  it('keeps a last line that lacks its newline alone', async () => {
    const path = join(await temporaryFolder(), 's1.jsonl')
    await writeFile(path, '{"type":"user","message":{"role":"user","content":"whole"}}')
    expect(await readTranscript(path)).toMatchObject({ messages: [text('user', 'whole')], unfinished: false })
  })

  it('of another client is read too', async () => {
    expect(await readTranscript(fixture('failing-calls.jsonl'))).toMatchObject({
      messages: [
        text('user', 'Say hello.'),
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_fake_0001', name: 'Bash' }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_fake_0001', is_error: true }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_fake_0002', name: 'Read' }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_fake_0002', is_error: true }] },
        text('assistant', 'done'),
      ],
      broken: 0,
    })
    const compacted = await readTranscript(fixture('compacted-session.jsonl'))
    expect(JSON.stringify(compacted)).toContain('Summary:')
    expect(JSON.stringify(compacted)).not.toContain('answer one')
  })

  it('that is not there is told of as a fault', async () => {
    const path = join(await temporaryFolder(), 'none.jsonl')
    expect(await readTranscript(path)).toEqual({ fault: expect.stringContaining(`${path} cannot be read: ENOENT`) })
  })
})

const id = fc.constantFrom('a', 'b', 'c')
const anyBlock: fc.Arbitrary<Block> = fc.oneof(
  textBlock,
  thinkingBlock,
  fc.record({ type: fc.constant('tool_use' as const), id, name: fc.constant('Bash'), input: fc.constant({}) }),
  fc.record({ type: fc.constant('tool_result' as const), tool_use_id: id, content: fc.constant('') }),
)
const anyMessages = fc.array(
  fc.record({
    role: fc.constantFrom('user' as const, 'assistant' as const),
    content: fc.array(anyBlock, { maxLength: 4 }),
  }),
  { maxLength: 8 },
)

const idsOf = (message: Message | undefined, type: 'tool_use' | 'tool_result'): string[] =>
  (message?.content ?? []).flatMap((block) => {
    if (block.type === 'tool_use' && type === block.type) return [block.id]
    return block.type === 'tool_result' && type === block.type ? [block.tool_use_id] : []
  })

describe('a repaired conversation', () => {
  it('is one that providers accept, whatever is left of it', () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const repaired = repairConversation(messages)
        for (const [at, message] of repaired.entries()) {
          expect(message.role).toBe(at % 2 === 0 ? 'user' : 'assistant')
          expect(message.content.length).toBeGreaterThan(0)
          const called = idsOf(message, 'tool_use')
          expect(new Set(called).size).toBe(called.length)
          expect(idsOf(repaired[at + 1], 'tool_result').toSorted()).toEqual(called.toSorted())
        }
        expect(idsOf(repaired[0], 'tool_result')).toEqual([])
      }),
    )
  })

  it('is itself when it is repaired again', () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const repaired = repairConversation(messages)
        expect(repairConversation(repaired)).toEqual(repaired)
      }),
    )
  })

  it('is unchanged when nothing was wrong', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        expect(repairConversation(messages)).toEqual(messages)
      }),
    )
  })
})
