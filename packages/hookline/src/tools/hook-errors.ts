/** A hook refused a call, or the user did after a hook asked; the message is what the model reads. */
export class RefusedByHook extends Error {
  override readonly name = 'RefusedByHook'
}

/** A hook ended the turn. The model may read the message; why it happened is for the user alone. */
export class HaltedByHook extends Error {
  override readonly name: string = 'HaltedByHook'
  /** What the user reads. */
  readonly stopReason: string

  constructor(message: string, stopReason: string) {
    super(message)
    this.stopReason = stopReason
  }
}

/** A hook put a call off: it was not made, and the turn ends. Offer it again when the session goes on. */
export class DeferredByHook extends HaltedByHook {
  override readonly name: string = 'DeferredByHook'
}

/** As much of a step of the AI SDK as a halt is found in. */
interface Step {
  readonly content: readonly { readonly type: string; readonly error?: unknown }[]
}

/** The halt that ended a run: `haltOf(result.steps)`; null when none did. */
export function haltOf(steps: readonly Step[]): HaltedByHook | null {
  const errors = steps.flatMap(({ content }) => content.map(({ error }) => error))
  return errors.find((error) => error instanceof HaltedByHook) ?? null
}

/** The condition under which a run ends because a hook says so: `stopWhen: [stepCountIs(20), isHalted]`. */
export function isHalted({ steps }: { readonly steps: readonly Step[] }): boolean {
  return haltOf(steps.slice(-1)) !== null
}
