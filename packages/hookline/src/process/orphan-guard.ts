import { Socket } from 'node:net'
import { setAlarm } from './alarm.ts'
import { type ChildProcess, type StdioOptions, spawnGroup } from './spawn-group.ts'

/** Name in a process list. */
export const GUARD_PROCESS_NAME = 'hookline-orphan-guard'

/**
 * Commands of a shell that end the sessions that this process has left, by what it has heard of them: `sessions` has their leaders,
 * `coming` the pipe of a process that may have been started. Shells without a hook then end by themselves; the session of
 * a leader that is still there has a hook in it, perhaps in several groups. Of a session with a plus the leader has ended:
 * if there is a process of its number, it is another one.
 */
export const END_SESSIONS = `
[ -n "$sessions$coming" ] || exit 0
sleep 1
find_coming() {
  ls -l /proc/[0-9]*/fd/1 | while read -r line; do
    case $line in *" $coming") ;; *) continue ;; esac
    pid=\${line##* /proc/}
    text=
    while read -r line; do text="$text $line"; done <"/proc/\${pid%%/*}/stat"
    set -- \${text##*) }
    echo " $4 "
  done
}
left=
[ -z "$coming" ] || left=$(find_coming 2>/dev/null)
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

/**
 * Reads the leaders of sessions, until this process is gone. A line with the name of a pipe says that a process with this
 * stdout is about to be started: its number is not known, and it is looked for by the pipe.
 */
const WATCH = `
trap '' HUP INT QUIT TERM
sessions= coming=
while read -r line; do
  case $line in
    pipe:*) coming=$line ;;
    *) sessions=$line coming= ;;
  esac
done
${END_SESSIONS}`

/** Age in milliseconds from which a process must be kept from outliving a host that lives on; others end by themselves. */
const WATCHED_AFTER_MS = 100

/** Ends the sessions of hooks when this process is killed: a process of ours outlives it by a moment and sees to that. */
export class OrphanGuard {
  readonly #groups = new Set<number>()
  /** Sessions whose leader has ended. */
  readonly #left = new Set<number>()
  #process: GuardProcess | undefined

  /** Has the process there before a hook is started: once it is, all that is left is to tell its number. */
  prepare(): void {
    if (!this.#process?.isAlive) this.#process = startGuardProcess()
  }

  /** Announces a hook by the pipe that will be its stdout: it may run before this process has heard its number. */
  expect(pipe: string): void {
    if (this.#process?.isAlive) this.#process.write(pipe)
  }

  /** The same as `add` for one that may be over in a moment, when it is not, or when that process is there anyway. */
  addSoon(group: number): () => void {
    this.#groups.add(group)
    if (!this.#process?.isAlive) return setAlarm(WATCHED_AFTER_MS, () => this.add(group))
    this.#tell()
    return () => {}
  }

  /** Has the session of a group watched over; false when the system does not let us start the process for it. */
  add(group: number): boolean {
    this.prepare()
    this.#groups.add(group)
    this.#tell()
    return this.#process !== undefined
  }

  /** The group has ended, or may go on. */
  delete(group: number): void {
    const wasWatched = this.#groups.delete(group) || this.#left.delete(group)
    if (wasWatched && this.#process !== undefined) this.#tell()
  }

  /** The leader has ended, and its session has processes left that must not outlive this one either. */
  leave(group: number): void {
    this.#groups.delete(group)
    this.#left.add(group)
    this.prepare()
    this.#tell()
  }

  /** Lets go of all of them. */
  async dismiss(): Promise<void> {
    this.#groups.clear()
    this.#left.clear()
    await this.#process?.dismiss()
    this.#process = undefined
  }

  #tell(): void {
    this.#process?.watch([...[...this.#groups].map(String), ...[...this.#left].map((group) => `+${group}`)])
  }
}

/** A process that outlives this one by a moment, to end the hooks that it has left behind. */
class GuardProcess {
  readonly #child: ChildProcess
  #hasExited = false

  /** Use `startGuardProcess`. */
  constructor(child: ChildProcess) {
    this.#child = child
    this.#child.on('exit', () => {
      this.#hasExited = true
    })
    this.#child.stdin?.on('error', () => {}) // the guard has ended
    this.#child.unref()
    if (this.#child.stdin instanceof Socket) this.#child.stdin.unref()
  }

  get isAlive(): boolean {
    return this.#child.pid !== undefined && !this.#hasExited
  }

  /** Tells it whom to watch. */
  watch(sessions: readonly string[]): void {
    this.write(sessions.join(' '))
  }

  /** Writes it a line. */
  write(line: string): void {
    this.#child.stdin?.write(`${line}\n`)
  }

  /** Tells it that there is nothing to end, and does not wait for it. */
  release(): void {
    this.#child.stdin?.end('released\n')
  }

  /** Lets it go: there is nothing left to watch. */
  async dismiss(): Promise<void> {
    this.watch([])
    this.#child.stdin?.end()
    if (!this.isAlive) return
    this.#child.ref()
    await new Promise((resolve) => this.#child.once('exit', resolve))
  }
}

/** Starts one; undefined when the system does not let us. */
function startGuardProcess(script = WATCH): GuardProcess | undefined {
  try {
    const stdio = ['pipe', 'ignore', 'ignore'] as StdioOptions
    const child = spawnGroup('/bin/sh', ['-c', script, GUARD_PROCESS_NAME], { cwd: '/', env: {}, stdio })
    child.on('error', () => {}) // told by the missing process id
    return child.pid === undefined ? undefined : new GuardProcess(child)
  } catch {
    return undefined // no descriptor or no memory is left
  }
}

/**
 * Ends a process that runs beside this one, and all that it has started, when this process is killed: what shares a session
 * and a group with the host can only be found by its parents. The time of its start tells a process from a later one of the
 * same number.
 */
const WATCH_TREE = `
PATH=/usr/bin:/bin
trap '' HUP INT QUIT TERM
rows() {
  if [ ! -r /proc/self/stat ]; then
    ps -A -o pid= -o ppid= -o lstart=
    return
  fi
  for stat; do
    text=
    while read -r line; do text="$text $line"; done <"$stat"
    pid=\${stat#/proc/}
    set -- \${text##*) }
    echo "\${pid%/stat} $2 \${20}"
  done
}
started() {
  rows "/proc/$root/stat" | while read -r pid _ time; do [ "$pid" = "$root" ] && echo "$time"; done
}
grown() {
  rows /proc/[0-9]*/stat | {
    while read -r pid parent _; do
      case $tree in *" $pid "*) ;; *" $parent "*) tree="$tree$pid " ;; esac
    done
    echo "$tree"
  }
}
signal_all() {
  while next=$(grown) && [ "$next" != "$tree" ]; do tree=$next; done
  for pid in $tree; do kill "-$1" "$pid"; done
}
read -r root || exit 0
since=$(started 2>/dev/null)
[ -n "$since" ] || exit 0
read -r word
[ -z "$word" ] && [ "$(started 2>/dev/null)" = "$since" ] || exit 0
tree=" $root "
signal_all STOP 2>/dev/null
signal_all KILL 2>/dev/null
`

/** Watch over one process that is started beside this one, from before its start on. */
export interface TreeGuard {
  /** Has it end with this process, and all that it started. */
  readonly watch: (root: number) => void
  /** Ends the watch: the process has ended. */
  readonly release: () => void
}

/** Starts what ends a process that will be started beside this one when this is killed. */
export function startTreeGuard(): TreeGuard {
  const guard = startGuardProcess(WATCH_TREE)
  return {
    watch: (root) => guard?.watch([String(root)]),
    release: () => guard?.release(),
  }
}
