import { Socket } from 'node:net'
import { type ChildProcess, spawnGroup } from './spawn-group.ts'

/** What a process list shows of it. */
const MARK = 'hookline-warden'

/**
 * Reads the leaders of sessions, until this process is gone. Shells without a hook then end by themselves; the session of
 * a leader that is still there has a hook in it, perhaps in several groups. Of a session with a plus the leader has ended:
 * if there is a process of its number, that is somebody else.
 */
const WATCH = `
trap '' HUP INT QUIT TERM
sessions=
while read -r line; do sessions=$line; done
[ -n "$sessions" ] || exit 0
sleep 1
left=
for session in $sessions; do
  case $session in
    +*) kill -0 "\${session#+}" || left="$left \${session#+} " ;;
    *) kill -0 "$session" && left="$left $session " ;;
  esac
done 2>/dev/null
signal_all() {
  for session in $left; do kill "-$1" "-$session"; done
  for stat in /proc/[0-9]*/stat; do
    text=
    while read -r line; do text="$text $line"; done <"$stat"
    set -- "$1" \${text##*) }
    case $left in *" $5 "*) kill "-$1" "-$4" ;; esac
  done
}
signal_all TERM 2>/dev/null
signal_all CONT 2>/dev/null
sleep 1
signal_all KILL 2>/dev/null
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

  /** Tells it whom to watch. */
  watch(sessions: readonly string[]): void {
    this.#child.stdin?.write(`${sessions.join(' ')}\n`)
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
