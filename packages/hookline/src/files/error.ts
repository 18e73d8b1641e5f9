import { cleaned } from '../text/clean.ts'

/** A mistake of the caller or in a file: says what is wrong, where, and what to do about it. */
export class HooklineError extends Error {
  override readonly name = 'HooklineError'

  constructor(message: string) {
    super(cleaned(message)) // it may quote what a stranger wrote
  }
}
