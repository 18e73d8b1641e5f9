import { VERSION } from '../text/version.ts'
import { OrphanGuard } from './orphan-guard.ts'
import { PipeStock } from './pipe-stock.ts'
import type { ShellPool } from './pool/shell-pool.ts'

/** A session that lives on after a hook will have another one; for one that is over by then shells are a waste. */
const WARM_UP_MS = 50

/**
 * What all engines of this process start their hooks with: one pool of shells, one orphan guard, one stock of pipes, however
 * many sessions there are. It ends with the last engine that uses it.
 */
export class SharedLaunching {
  readonly guard = new OrphanGuard()
  readonly stock = new PipeStock()
  readonly #users = new Set<object>()
  #pool: ShellPool | undefined
  #running = 0
  #most = 0
  #warmUp: NodeJS.Timeout | undefined
  readonly #growing = new Set<Promise<boolean>>()
  #isClosed = false

  /** Use `shareLaunching`. */
  add(user: object): void {
    this.#users.add(user)
  }

  /** Lets a user go. The last one waits until everything that was started for hooks to come has ended. */
  async release(user: object): Promise<void> {
    if (!this.#users.delete(user) || this.#users.size > 0) return
    if (shared[SHARED] === this) delete shared[SHARED] // who comes now gets another one
    this.#isClosed = true
    clearTimeout(this.#warmUp)
    await Promise.all(this.#growing)
    await this.#pool?.close()
    await this.guard.dismiss()
    this.stock.close()
  }

  /** The pool, when there is one. */
  get pool(): ShellPool | undefined {
    return this.#pool
  }

  /** Counts the hooks that run at a time: so many shells are of use. */
  noteStart(): void {
    this.#running++
    this.#most = Math.max(this.#most, this.#running)
  }

  /** One of them has ended. */
  noteEnd(): void {
    this.#running--
  }

  /** Has shells started for the hooks that will follow, unless the process is over by then. */
  warmUpFor(env: NodeJS.ProcessEnv): void {
    if (this.#warmUp !== undefined || this.#isClosed) return
    this.#warmUp = setTimeout(async () => {
      while (!this.#isClosed && (this.#pool?.size ?? 0) < this.#most && (await this.grow(env))) {} // one after the other
      this.#warmUp = undefined
    }, WARM_UP_MS)
    this.#warmUp.unref()
  }

  /** Starts one more shell; false when it cannot be, or need not. */
  grow(env: NodeJS.ProcessEnv): Promise<boolean> {
    const growing = this.#poolFor()
      .then((pool) => pool.grow(env))
      .catch(() => false) // no descriptor was left to load it with, or to make its pipes
    this.#growing.add(growing)
    return growing.finally(() => this.#growing.delete(growing))
  }

  /** Loaded by the first session that lives long enough. */
  async #poolFor(): Promise<ShellPool> {
    const { ShellPool } = await import('./pool/shell-pool.ts')
    this.#pool ??= new ShellPool(this, () => this.#users.size > 1)
    return this.#pool
  }
}

/** A process may have loaded this package twice, as a module and in a bundle: copies of one version share it all the same. */
const SHARED = Symbol.for(`hookline launching ${VERSION}`)
const shared = globalThis as { [SHARED]?: SharedLaunching } // nothing else has this symbol

/** What engines of this process share, for one more of them; it has to be released. */
export function shareLaunching(user: object): SharedLaunching {
  shared[SHARED] ??= new SharedLaunching()
  shared[SHARED].add(user)
  return shared[SHARED]
}
