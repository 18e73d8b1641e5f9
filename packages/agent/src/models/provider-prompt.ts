import type { LanguageModel } from 'ai'
import type { Block, Message } from '../output/messages.ts'
import type { ModelRequest, ToolSpec } from './model.ts'

/** A model of the AI SDK, asked without the SDK's own loop. */
export type ProviderModel = Extract<LanguageModel, { specificationVersion: 'v3' }>

type CallOptions = Parameters<ProviderModel['doStream']>[0]
type Prompt = CallOptions['prompt']
type SpokenPart = Extract<Prompt[number], { role: 'assistant' }>['content'][number]
type ResultPart = Extract<Prompt[number], { role: 'tool' }>['content'][number]

/** Up to here a provider with a cache keeps what it was sent; others do not read it. */
const CACHED = { anthropic: { cacheControl: { type: 'ephemeral' } } }

/** A request in the words of the AI SDK. */
export function toProviderRequest({ system, messages, tools, signal }: ModelRequest): CallOptions {
  return { prompt: toPrompt(system, messages), tools: tools.map(toFunctionTool), abortSignal: signal }
}

function toFunctionTool({ name, description, inputSchema }: ToolSpec): NonNullable<CallOptions['tools']>[number] {
  return { type: 'function', name, description, inputSchema }
}

function toPrompt(system: string, messages: readonly Message[]): Prompt {
  const names = new Map(messages.flatMap(({ content }) => content.flatMap(listCallNames)))
  const spoken = messages.flatMap((message) =>
    message.role === 'user' ? toHeardMessages(message, names) : toSaidMessages(message),
  )
  const last = spoken.pop()
  return [
    ...(system === '' ? [] : [{ role: 'system' as const, content: system, providerOptions: CACHED }]),
    ...spoken,
    ...(last ? [{ ...last, providerOptions: CACHED }] : []),
  ]
}

function listCallNames(block: Block): [string, string][] {
  return block.type === 'tool_use' ? [[block.id, block.name]] : []
}

/** Translates what the model is told: the results of its calls first, as providers want it. */
function toHeardMessages({ content }: Message, names: ReadonlyMap<string, string>): Prompt {
  const results = content.flatMap((block): ResultPart[] => {
    if (block.type !== 'tool_result') return []
    const type = block.is_error ? 'error-text' : 'text'
    const output = { type, value: block.content } as const
    return [
      { type: 'tool-result', toolCallId: block.tool_use_id, toolName: names.get(block.tool_use_id) ?? '', output },
    ]
  })
  const texts = content.flatMap(toTextPart)
  return [
    ...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []),
    ...(texts.length > 0 ? [{ role: 'user' as const, content: texts }] : []),
  ]
}

/** Providers refuse texts without a character. */
function toTextPart(block: Block): { type: 'text'; text: string }[] {
  return block.type === 'text' && block.text !== '' ? [{ type: 'text', text: block.text }] : []
}

function toSaidMessages({ content }: Message): Prompt {
  const parts = content.flatMap((block): SpokenPart[] => {
    if (block.type === 'thinking') return [toReasoningPart(block)]
    if (block.type === 'tool_use')
      return [{ type: 'tool-call', toolCallId: block.id, toolName: block.name, input: toInputObject(block.input) }]
    return toTextPart(block)
  })
  return parts.length > 0 ? [{ role: 'assistant', content: parts }] : []
}

/** Providers take an object only, also back from a model that wrote something else. */
function toInputObject(input: unknown): unknown {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { input }
}

function toReasoningPart({ thinking, signature }: Extract<Block, { type: 'thinking' }>): SpokenPart {
  const part = { type: 'reasoning' as const, text: thinking }
  return signature === undefined ? part : { ...part, providerOptions: { anthropic: { signature } } }
}
