const MAX_REGISTERED = 12

/** Hooks that a host has registered and will take away again. */
export class Registrations {
  /** @type {{ remove: () => void }[]} */
  #kept = []

  /**
   * Keeps one more; when there are many, another one goes.
   * @param {{ remove: () => void }} registration
   * @param {import('./random.js').Random} random
   */
  keep(registration, random) {
    this.#kept.push(registration)
    while (this.#kept.length > MAX_REGISTERED) this.#kept.splice(random.below(this.#kept.length), 1)[0]?.remove()
  }

  removeAll() {
    for (const registration of this.#kept.splice(0)) registration.remove()
  }
}
