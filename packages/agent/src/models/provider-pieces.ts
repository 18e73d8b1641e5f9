import { ModelError, type ModelPiece } from './model.ts'
import type { ProviderModel } from './provider-prompt.ts'

type Parts = Awaited<ReturnType<ProviderModel['doStream']>>['stream']
type StreamPart = Parts extends ReadableStream<infer One> ? One : never
type Finish = Extract<StreamPart, { type: 'finish' }>

/** Streams what a provider says, in our words; throws what it reports as an error, and when it comes to no end. */
export async function* streamPieces(stream: Parts, name: string): AsyncGenerator<ModelPiece> {
  let said = 0
  let finish: Finish | null = null
  for await (const part of stream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'finish') finish = part
    for (const piece of toPieces(part)) {
      said++
      yield piece
    }
  }
  // Some providers' packages make up an end of no known kind when the connection was closed.
  if (finish === null || (finish.finishReason.unified === 'other' && finish.finishReason.raw === undefined))
    throw new ModelError(`${name} ended its answer in the middle, or sent something that is none.`)
  yield makeEndPiece(finish, { name, said })
}

function toPieces(part: StreamPart): ModelPiece[] {
  switch (part.type) {
    case 'text-delta':
      return part.delta === '' ? [] : [{ type: 'text', text: part.delta }]
    case 'reasoning-delta': {
      const signature = part.providerMetadata?.anthropic?.signature
      return [
        ...(part.delta === '' ? [] : [{ type: 'thinking' as const, thinking: part.delta }]),
        ...(typeof signature === 'string' ? [{ type: 'signature' as const, signature }] : []),
      ]
    }
    case 'tool-call':
      return [{ type: 'tool_use', id: part.toolCallId, name: part.toolName, input: parseInput(part.input) }]
    default:
      return []
  }
}

/** A call's input; a text that is no JSON stays one, and the check of inputs says so. */
function parseInput(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The last piece; throws when the provider gave up. */
function makeEndPiece(
  { finishReason: { unified, raw }, usage }: Finish,
  { name, said }: { name: string; said: number },
): ModelPiece {
  if (unified === 'error') throw new ModelError(`${name} stopped with an error (${raw}).`)
  if (unified === 'content-filter' && said === 0) throw new ModelError(`${name} refused to answer (${raw}).`)
  const { inputTokens: input, outputTokens: output } = usage
  return {
    type: 'end',
    cutShort: unified === 'length',
    usage: {
      inputTokens: input.total ?? 0,
      outputTokens: output.total ?? 0,
      ...(input.cacheRead ? { cacheReadTokens: input.cacheRead } : {}),
      ...(input.cacheWrite ? { cacheWriteTokens: input.cacheWrite } : {}),
    },
  }
}
