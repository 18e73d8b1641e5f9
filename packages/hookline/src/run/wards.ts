import { startWarden, type Warden } from './warden.ts'

/** The process groups of one engine that must not outlive this process, and who sees to it when it is killed. */
export class Wards {
  readonly #groups = new Set<number>()
  #warden: Warden | undefined

  /** Has a group watched over; false when the system does not let anybody do so. */
  add(group: number): boolean {
    if (!this.#warden?.isAlive) this.#warden = startWarden()
    this.#groups.add(group)
    this.#tell()
    return this.#warden !== undefined
  }

  /** The group has ended, or may go on. */
  delete(group: number): void {
    if (this.#groups.delete(group)) this.#tell()
  }

  /** Lets go of all of them. */
  async dismiss(): Promise<void> {
    this.#groups.clear()
    await this.#warden?.dismiss()
    this.#warden = undefined
  }

  #tell(): void {
    this.#warden?.watch([...this.#groups])
  }
}
