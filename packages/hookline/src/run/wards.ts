import { setAlarm } from './alarm.ts'
import { startWarden, type Warden } from './warden.ts'

/** What takes longer must be kept from outliving a host that is killed; others end by themselves. */
const WATCHED_AFTER_MS = 100

/** The sessions of one engine that must not outlive this process, and who sees to it when it is killed. */
export class Wards {
  readonly #groups = new Set<number>()
  /** Those whose leader has ended. */
  readonly #left = new Set<number>()
  #warden: Warden | undefined

  /** Has the session of a group watched over; false when the system does not let anybody do so. */
  add(group: number): boolean {
    if (!this.#warden?.isAlive) this.#warden = startWarden()
    this.#groups.add(group)
    this.#tell()
    return this.#warden !== undefined
  }

  /** The same for one that may be over in a moment, when it is not, or when there is somebody to watch anyway. */
  addSoon(group: number): () => void {
    this.#groups.add(group)
    if (!this.#warden?.isAlive) return setAlarm(WATCHED_AFTER_MS, () => this.add(group))
    this.#tell()
    return () => {}
  }

  /** The group has ended, or may go on. */
  delete(group: number): void {
    if (this.#groups.delete(group)) this.#tell()
  }

  /** The leader has ended, and somebody of its session is left who must not outlive this process either. */
  leave(group: number): void {
    this.#groups.delete(group)
    this.#left.add(group)
    if (!this.#warden?.isAlive) this.#warden = startWarden()
    this.#tell()
  }

  /** Lets go of all of them. */
  async dismiss(): Promise<void> {
    this.#groups.clear()
    this.#left.clear()
    await this.#warden?.dismiss()
    this.#warden = undefined
  }

  #tell(): void {
    this.#warden?.watch([...[...this.#groups].map(String), ...[...this.#left].map((group) => `+${group}`)])
  }
}
