import type { ModelReply, ModelUsage } from '../run/ports.ts'
import type { Spent } from '../run/run.ts'

/** What replies say about their cost, together. What a host's model leaves out is not known, and breaks nothing. */
export function costOf(replies: readonly Partial<Omit<ModelReply, 'text'>>[]): Pick<Spent, 'model' | 'usage'> {
  const model = replies.at(-1)?.model
  return {
    model: typeof model === 'string' ? model : null,
    usage: { inputTokens: total(replies, 'inputTokens'), outputTokens: total(replies, 'outputTokens') },
  }
}

function total(replies: readonly { readonly usage?: ModelUsage }[], kind: keyof ModelUsage): number | null {
  const counts = replies.flatMap(({ usage }) => usage?.[kind] ?? []).filter(Number.isFinite)
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count)
}
