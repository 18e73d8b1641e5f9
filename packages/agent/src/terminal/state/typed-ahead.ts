import type { Dialog } from './dialog.ts'

/** Dialogs that appear by themselves, under the hands of a user who may be typing; the user opens all others. */
const SUDDEN: readonly Dialog['kind'][] = ['trust', 'permission', 'form', 'plan']

/**
 * Tells keys that answer a dialog from those of a user who goes on typing and has not seen it yet. A key counts as an answer once
 * the user has paused for `pauseMs`, counted from the appearance of the dialog and from the last key that was for the prompt.
 * Times are in milliseconds, of one clock.
 */
export class TypedAhead {
  readonly #pauseMs: number
  #dialog: Dialog | null = null
  #since = Number.NEGATIVE_INFINITY

  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs
  }

  /** Another dialog stands on the screen, or none. */
  noteDialog(dialog: Dialog | null, at: number): void {
    if (dialog === this.#dialog) return
    this.#dialog = dialog
    this.#since = dialog !== null && SUDDEN.includes(dialog.kind) ? at : Number.NEGATIVE_INFINITY
  }

  /** True if a key that was pressed then is for the prompt, although a dialog is there, or is about to be drawn (`dialog`). */
  isForPrompt(dialog: Dialog | null, at: number): boolean {
    if (dialog === null) return false
    if (dialog !== this.#dialog) return SUDDEN.includes(dialog.kind)
    if (at - this.#since >= this.#pauseMs) return false
    this.#since = Math.max(at, this.#since)
    return true
  }

  /** A key meant nothing to the dialog: the user types something else, and what follows at once belongs to it. */
  noteTyped(at: number): void {
    this.#since = at
  }
}
