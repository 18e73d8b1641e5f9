/** Limits of one machine: a flood is told to slow down, and hurts no other. */
export class Quotas {
  readonly #perMinute: number
  readonly #used = new Map<string, { minute: number; batches: number }>()

  constructor(perMinute: number) {
    this.#perMinute = perMinute
  }

  /** Takes one batch of a machine; null, or the seconds to wait. */
  take(machine: string, now: number): number | null {
    const minute = Math.floor(now / 60_000)
    const used = this.#used.get(machine)
    const batches = used?.minute === minute ? used.batches + 1 : 1
    if (this.#used.size > MAX_MACHINES) this.#used.clear()
    this.#used.set(machine, { minute, batches })
    return batches <= this.#perMinute ? null : Math.ceil(((minute + 1) * 60_000 - now) / 1000)
  }
}

const MAX_MACHINES = 100_000
