import { removeControls } from '../text/clean.ts'

/**
 * Lets `instanceof` recognise the errors of another copy of this package. The name stands for the class in all copies; classes
 * that others derive from it are told apart as ever.
 */
export function recogniseCopies(errorClass: abstract new (...parts: never[]) => Error, name: string): void {
  const brand = Symbol.for(`hookline.${name}`)
  Object.defineProperty(errorClass.prototype, brand, { value: true })
  Object.defineProperty(errorClass, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this !== errorClass) return Function.prototype[Symbol.hasInstance].call(this, value)
      return typeof value === 'object' && value !== null && brand in value
    },
  })
}

/** A mistake of the caller or in a file: says what is wrong, where, and what to do about it. */
export class HooklineError extends Error {
  override readonly name: string = 'HooklineError'

  static {
    recogniseCopies(HooklineError, 'HooklineError')
  }

  constructor(message: string) {
    super(removeControls(message)) // the message may quote what a stranger wrote
  }
}
