import type { Json } from '../read/answer-text.ts'
import type { Voice } from './voice.ts'

/** What a client makes of several answers. */
export interface Verdict {
  readonly permission: 'allow' | 'ask' | 'deny' | null
  /** What the model reads of a refusal, or the person of a question. */
  readonly reason: string | null
  readonly updatedInput: Json | null
}

/**
 * What a client decides that takes the answers as they come in, in the order in which the hooks ended: a rewrite by the last one counts,
 * of the reasons only the last one's is kept, and a JSON `allow` or `ask` undoes an exit code 2.
 */
export function lastToFinish(inOrder: readonly Voice[]): Verdict {
  const said = inOrder.filter(({ by }) => by === 'json').map(({ permission }) => permission)
  const spoken = (['deny', 'ask', 'allow'] as const).find((level) => said.includes(level))
  const permission = spoken ?? (inOrder.some(({ by }) => by === 'exit-code') ? 'deny' : null)
  const last = inOrder.findLast((voice) => voice.permission !== null)
  const rewrite = inOrder.findLast(({ updatedInput }) => updatedInput !== null)
  return {
    permission,
    reason: permission === 'deny' || permission === 'ask' ? (last?.reason ?? null) : null,
    updatedInput: permission === 'deny' ? null : (rewrite?.updatedInput ?? null),
  }
}
