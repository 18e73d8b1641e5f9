import { Socket } from 'node:net'
import { type ChildProcess, spawnGroup } from './spawn-group.ts'

/** What a process list shows of it. */
const MARK = 'hookline-warden'

/**
 * Reads who is alive, until this process is gone. Shells without a hook then end by themselves; the group of one that
 * is still there has a hook in it.
 */
const WATCH = `
trap '' HUP INT QUIT TERM
shells=
while read -r line; do shells=$line; done
[ -n "$shells" ] || exit 0
sleep 1
for signal in TERM CONT KILL; do
  for shell in $shells; do
    kill -0 "$shell" && kill -$signal "-$shell"
  done
  [ $signal = TERM ] || sleep 1
done 2>/dev/null
`

/** A process that outlives this one by a moment, to end the hooks that it has left behind. */
export class Warden {
  readonly #child: ChildProcess
  #hasExited = false

  /** Use `startWarden`. */
  constructor(child: ChildProcess) {
    this.#child = child
    this.#child.on('exit', () => {
      this.#hasExited = true
    })
    this.#child.stdin?.on('error', () => {}) // it has ended
    this.#child.unref()
    if (this.#child.stdin instanceof Socket) this.#child.stdin.unref()
  }

  get isAlive(): boolean {
    return this.#child.pid !== undefined && !this.#hasExited
  }

  /** Tells it which shells are alive. */
  watch(shells: readonly number[]): void {
    this.#child.stdin?.write(`${shells.join(' ')}\n`)
  }

  /** Lets it go: nobody is left to watch. */
  async dismiss(): Promise<void> {
    this.watch([])
    this.#child.stdin?.end()
    if (!this.isAlive) return
    this.#child.ref()
    await new Promise((resolve) => this.#child.once('exit', resolve))
  }
}

/** Starts one; undefined when the system does not let us. */
export function startWarden(): Warden | undefined {
  try {
    const child = spawnGroup('/bin/sh', ['-c', WATCH, MARK], { cwd: '/', env: {}, stdio: ['pipe', 'ignore', 'ignore'] })
    child.on('error', () => {}) // told by the missing process id
    return child.pid === undefined ? undefined : new Warden(child)
  } catch {
    return undefined // out of memory
  }
}
