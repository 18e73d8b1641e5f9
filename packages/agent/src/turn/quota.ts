import { setTimeout as pause } from 'node:timers/promises'
import { fire, hasValue } from '../hooks/fire.ts'
import type { ModelFailure } from '../output/result.ts'
import type { Loop } from './loop-state.ts'

/** Outcome of a turn that waits for its quota. */
type QuotaNotice = 'quota_auto_resume_fired' | 'quota_auto_resume_stale' | 'quota_auto_resume_disabled'

/**
 * Waits until the provider answers again, where the host wants that and the provider says when; whether the turn may go on. What
 * becomes of it is told to Notification hooks.
 */
export async function waitForQuota(loop: Loop, end: ModelFailure, signal: AbortSignal): Promise<boolean> {
  const { limits } = loop.session
  const { kind, waitMs } = end
  if (kind !== 'rate_limit' || waitMs === null || loop.agent !== null) return false
  const seconds = Math.ceil(waitMs / 1000)
  if (waitMs > limits.quotaWaitMs) {
    await tellQuota(
      loop,
      'quota_auto_resume_disabled',
      `The quota is used up for ${seconds} s; the turn does not wait`,
      signal,
    )
    return false
  }
  const due = Date.now() + waitMs
  await pause(waitMs, undefined, { signal }).catch(() => {}) // interrupted
  if (signal.aborted) return false
  const stale = Date.now() - due > limits.quotaStaleMs
  if (stale)
    await tellQuota(loop, 'quota_auto_resume_stale', 'The quota is there again, and has been for a while', signal)
  else
    await tellQuota(
      loop,
      'quota_auto_resume_fired',
      `The quota is there again after ${seconds} s; the turn goes on`,
      signal,
    )
  return !stale
}

async function tellQuota(loop: Loop, type: QuotaNotice, message: string, signal: AbortSignal): Promise<void> {
  if (!hasValue(loop.session, 'Notification', type)) return
  await fire(loop, 'Notification', { message, notification_type: type }, { signal })
}
