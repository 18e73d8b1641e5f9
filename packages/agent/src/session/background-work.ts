/** Work beside the conversation. The end of the session waits for it, and hears of what failed. */
export class BackgroundWork {
  readonly #under = new Set<Promise<void>>()
  #fault: { readonly error: unknown } | null = null

  add(work: Promise<unknown>): void {
    const watched = work
      .catch((error: unknown) => {
        this.#fault ??= { error }
      })
      .then(() => {
        this.#under.delete(watched)
      })
    this.#under.add(watched)
  }

  /** Resolves when nothing goes on any more; rejects with what failed. */
  async waitForEnd(): Promise<void> {
    while (this.#under.size > 0) await Promise.all(this.#under)
    if (this.#fault !== null) throw this.#fault.error // a fault of ours
  }
}
