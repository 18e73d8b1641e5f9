import { HooklineError, recogniseCopies } from '../files/error.ts'
import type { WaitingCall } from './tool-call.ts'

/** A hook refused a call, or the user did after a hook asked; the message is what the model reads. */
export class RefusedByHook extends Error {
  override readonly name = 'RefusedByHook'

  static {
    recogniseCopies(RefusedByHook, 'RefusedByHook')
  }
}

/** A hook ended the turn. The model may read the message; why it happened is for the user alone. */
export class HaltedByHook extends Error {
  override readonly name: string = 'HaltedByHook'
  /** Text for the user. */
  readonly stopReason: string

  static {
    recogniseCopies(HaltedByHook, 'HaltedByHook')
  }

  constructor(message: string, stopReason: string) {
    super(message)
    this.stopReason = stopReason
  }
}

/** A hook put a call off: it was not made, and the turn ends. Offer it again when the session goes on. */
export class DeferredByHook extends HaltedByHook {
  override readonly name: string = 'DeferredByHook'

  static {
    recogniseCopies(DeferredByHook, 'DeferredByHook')
  }
}

/** A call waits for the user's answer: it was not made, and the turn ends. */
export class WaitingForUser extends HaltedByHook {
  override readonly name: string = 'WaitingForUser'
  readonly question: WaitingCall['question']
  /** Give it back with the answer. */
  readonly clearance: WaitingCall['clearance']

  static {
    recogniseCopies(WaitingForUser, 'WaitingForUser')
  }

  constructor(message: string, { halt, question, clearance }: WaitingCall) {
    super(message, halt)
    this.question = question
    this.clearance = clearance
  }
}

/** Reason why a clearance does not count. */
export type ClearanceFault =
  | 'tampered'
  | 'expired'
  | 'used'
  | 'other-session'
  | 'other-agent'
  | 'other-tool'
  | 'other-call'
  | 'other-input'

/** A clearance that does not count for a call: the call is not made. */
export class ClearanceError extends HooklineError {
  override readonly name: string = 'ClearanceError'
  readonly fault: ClearanceFault

  static {
    recogniseCopies(ClearanceError, 'ClearanceError')
  }

  constructor(message: string, fault: ClearanceFault) {
    super(message)
    this.fault = fault
  }
}

/** As much of a step of the AI SDK as a halt is found in. */
interface ToolStep {
  readonly content: readonly { readonly type: string; readonly error?: unknown }[]
}

/** The halt that ended a run: `haltOf(result.steps)`; null when none did. */
export function findHalt(steps: readonly ToolStep[]): HaltedByHook | null {
  const errors = steps.flatMap(({ content }) => content.map(({ error }) => error))
  return errors.find((error) => error instanceof HaltedByHook) ?? null
}

/** The condition under which a run ends because a hook says so: `stopWhen: [stepCountIs(20), isHalted]`. */
export function isHalted({ steps }: { readonly steps: readonly ToolStep[] }): boolean {
  return findHalt(steps.slice(-1)) !== null
}
