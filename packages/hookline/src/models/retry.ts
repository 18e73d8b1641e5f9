import { setTimeout as pause } from 'node:timers/promises'
import type { ModelQuestion } from '../run/ports.ts'
import { type ProviderError, readProviderError } from './provider-error.ts'

/** Time that the hook waits for an answer. */
export type Patience = Pick<ModelQuestion, 'signal' | 'deadline'>

const MAX_ATTEMPTS = 4
/** Milliseconds. */
const FIRST_WAIT = 250
const MAX_WAIT_MS = 2000
/** The longest wait that a provider may ask for where there is no deadline, in milliseconds. */
const MAX_WAIT_WITHOUT_DEADLINE_MS = 60_000

/** Asks again when what went wrong may pass, and the wait ends before the deadline. Rejects with the last error. */
export async function withRetries<Answer>(ask: () => Promise<Answer>, patience: Patience): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      const wait =
        attempt < MAX_ATTEMPTS && !patience.signal.aborted ? chooseWait(readProviderError(error), attempt) : null
      if (wait === null || !isWithinDeadline(wait, patience.deadline)) throw error
      await pause(wait, undefined, { signal: patience.signal })
    }
  }
}

/** Milliseconds to wait before asking again; null: the answer would be the same. */
function chooseWait(error: ProviderError, attempt: number): number | null {
  if (!isTransientError(error)) return null
  return error.waitMs ?? Math.min(FIRST_WAIT * 2 ** (attempt - 1), MAX_WAIT_MS)
}

function isTransientError({ status, broken }: ProviderError): boolean {
  if (broken !== null) return true
  return status !== null && (status >= 500 || [408, 409, 429].includes(status))
}

function isWithinDeadline(wait: number, deadline: number | null): boolean {
  return deadline === null ? wait <= MAX_WAIT_WITHOUT_DEADLINE_MS : performance.now() + wait < deadline
}
