import { fireIfKnown } from '../hooks/fire.ts'
import { formatObjection, isObjection } from '../hooks/words.ts'
import { estimateCost } from '../models/prices.ts'
import { inject } from '../transcript/conversation.ts'
import type { Loop } from '../turn/loop-state.ts'

/** Another model that is to answer from now on. */
export interface ModelSwitch {
  /** The name of the new model. */
  readonly to: string
  /** Name that was typed; null: nothing was. */
  readonly requested: string | null
  /** Party that asks for it: a typed command, a list to choose from, or the host. */
  readonly source: 'command' | 'picker' | 'sdk'
  /** Makes the switch. */
  readonly apply: () => void
}

/** Milliseconds that a provider's cache holds what it was sent. */
export const CACHE_MS = 5 * 60_000

/** Switches the model unless a hook objects; resolves with why it stays, or null. */
export async function switchModel(loop: Loop, change: ModelSwitch, signal: AbortSignal): Promise<string | null> {
  const fields = makeSwitchFields(loop, change)
  const asked = await fireIfKnown(loop, 'PreModelSwitch', fields, { signal, retold: isObjection })
  if (asked !== null) {
    const { blocked, halt, permission, reason } = asked.decision
    const refused = blocked || halt || permission === 'deny'
    if (refused || (permission === 'ask' && !(await isSwitchConfirmed(loop, change, { reason, signal }))))
      return `Model switch blocked by a PreModelSwitch hook: ${formatObjection(asked.record)}`
  }
  change.apply()
  const told = await fireIfKnown(loop, 'PostModelSwitch', fields, { signal })
  for (const text of told?.contexts ?? []) inject(loop, text)
  return null
}

function makeSwitchFields({ model, contextTokens, answeredAt }: Loop, { to, requested, source }: ModelSwitch) {
  const cost = estimateWritingCost(to, contextTokens)
  return {
    ...{ from_model: model.name, to_model: to, requested_model: requested, source, context_tokens: contextTokens },
    prompt_cache_warm: answeredAt !== null && Date.now() - answeredAt < CACHE_MS,
    cache_ttl: '5m',
    estimated_cache_write_usd: cost ?? 0,
    pricing: cost === null ? 'default' : 'catalog',
  }
}

/** Estimates what it costs to send a conversation to a model that has not seen it; null where no price is known. */
export function estimateWritingCost(model: string, tokens: number): number | null {
  return estimateCost(model, { inputTokens: tokens, outputTokens: 0, cacheWriteTokens: tokens })
}

/** Asks the user, where there is one. */
async function isSwitchConfirmed(
  { session: { dialog } }: Loop,
  { to }: ModelSwitch,
  { reason, signal }: { readonly reason: string | null; readonly signal: AbortSignal },
): Promise<boolean> {
  if (dialog === null) return false
  const why = reason ?? 'A hook wants you to decide.'
  const answer = await dialog({
    tool: 'Switch of the model',
    input: { model: to },
    reason: why,
    suggestions: [],
    signal,
  })
  return answer.behavior === 'allow'
}
