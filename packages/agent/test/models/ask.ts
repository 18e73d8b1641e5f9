import type { Model, ModelPiece, ModelRequest } from '../../src/models/model.ts'
import type { Message } from '../../src/output/messages.ts'

/** A request in which only the named parts matter. */
export function request(parts: Partial<ModelRequest> = {}): ModelRequest {
  const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }]
  return { system: '', messages, tools: [], agentType: null, signal: new AbortController().signal, ...parts }
}

/** Everything a model says to a request, and what it threw in the end. */
export async function ask(
  model: Model,
  parts: Partial<ModelRequest> = {},
): Promise<{ pieces: ModelPiece[]; error: unknown }> {
  const pieces: ModelPiece[] = []
  try {
    for await (const piece of model.stream(request(parts))) pieces.push(piece)
    return { pieces, error: null }
  } catch (error) {
    return { pieces, error }
  }
}

/** The text of pieces. */
export function textIn(pieces: readonly ModelPiece[]): string {
  return pieces.flatMap((piece) => (piece.type === 'text' ? [piece.text] : [])).join('')
}
