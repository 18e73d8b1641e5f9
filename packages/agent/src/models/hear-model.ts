import type { DebugLog } from 'hookline/internal'
import type { EarlyEnd } from '../output/result.ts'
import { type Model, ModelError, type ModelPiece, type ModelRequest } from './model.ts'

/** Loop that asks, and the log of its requests. */
interface AskingLoop {
  readonly model: Model
  readonly session: { readonly apiLog: DebugLog | null }
}

/** Makes one request; what the model says is heard piece by piece. Resolves with what cut it off, or null. */
export async function hearModel(
  { model, session: { apiLog } }: AskingLoop,
  request: ModelRequest,
  hear: (piece: ModelPiece) => void,
): Promise<EarlyEnd | null> {
  const { signal } = request
  const started = performance.now()
  const formatTime = (): string => `${Math.round(performance.now() - started)} ms`
  apiLog?.('DEBUG', () => `Asking ${model.name}: ${request.messages.length} messages, ${request.tools.length} tools`)
  try {
    for await (const piece of model.stream(request)) {
      hear(piece)
      if (piece.type === 'end')
        apiLog?.('DEBUG', () => `${model.name} answered in ${formatTime()}: ${formatTokens(piece)}`)
    }
  } catch (error) {
    if (signal.aborted) return { ended: 'interrupted' }
    if (!(error instanceof ModelError)) throw error
    apiLog?.('WARN', () => `${model.name} failed after ${formatTime()}: ${error.message}`)
    return { ended: 'model-error', message: error.message, kind: error.kind, waitMs: error.waitMs }
  }
  return signal.aborted ? { ended: 'interrupted' } : null
}

function formatTokens({ usage, cutShort }: Extract<ModelPiece, { type: 'end' }>): string {
  return `${usage.inputTokens} tokens in, ${usage.outputTokens} out${cutShort ? ', cut short' : ''}`
}
