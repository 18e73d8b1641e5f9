/** One way in which a value does not fit its schema. */
export interface Misfit {
  /** Path inside the value, outermost first; empty for the value itself. */
  readonly path: readonly (string | number)[]
  /** Expectation there, as the end of the sentence "<path> …". */
  readonly message: string
  /** The kind of value that was expected, where only one kind would have fitted. */
  readonly kind?: string
}

/** Holds a value against a schema; an empty list means that it fits. Never throws. */
export type Check = (value: unknown) => readonly Misfit[]

/** A misfit as one sentence that names the field. */
export function formatMisfit(misfit: Misfit, whole = 'the value'): string {
  return `${misfit.path.length > 0 ? misfit.path.join('.') : whole} ${misfit.message}`
}
