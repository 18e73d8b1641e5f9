import { hasDescriptorsToSpare } from './descriptors.ts'
import { HookPipes } from './hook-pipes.ts'
import { spawnGroup } from './spawn-group.ts'

/**
 * Node cannot make a pipe; a shell does whenever a command reads a here-document. These are three, for a command of a shell; the
 * next line of the shell follows on a line of its own.
 */
export const PIPE_DOCUMENTS = `3<<E 4<<E 5<<E
0
E
1
E
2
E`

/**
 * Command of a shell that makes the pipes from pipelines, one inside the other, and keeps them while `waiting` runs, which reads
 * the shell's input: a bash before 5.1 puts here-documents into files.
 */
export const writePipelines = (waiting: string): string =>
  `: | { exec 3<&0; : | { exec 4<&0; : | { exec 5<&0; for n in 3 4 5; do read -r line <&$n; done; read -r pid rest </proc/self/stat; echo $pid; ${waiting} <&9; }; }; }`

/** For every line that it reads this shell makes three pipes, prints the number of the process that has them, and keeps them until the next line. */
const MAKE = `
while exec ${PIPE_DOCUMENTS}
do
  if [ -p /proc/self/fd/5 ]; then
    echo $$
    read -r line || exit 0
  else
    exec 9<&0
    ${writePipelines('read -r line')} || exit 0
  fi
done
`
/** Name in a process list. */
const PIPES_PROCESS_NAME = 'hookline-pipes'
/** Kept for later starts. */
const MAX_FREE_PIPES = 16
const MAKER_TIMEOUT_MS = 5000

/** Pipes for the processes that this one starts itself: made once, and used again. */
export class PipeStock {
  readonly #free: HookPipes[] = []
  readonly #waiting: ((pipes: HookPipes | null) => void)[] = []
  /** Stops the shell that makes some; undefined when there is none. */
  #stopMaking: (() => void) | undefined
  #isClosed = false

  /** Pipes that are not in use; undefined when there are none. */
  take(): HookPipes | undefined {
    return this.#free.pop()
  }

  /** Pipes, as soon as there are some; null where the system gives none. */
  wait(): Promise<HookPipes | null> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#stopMaking === undefined) this.#make()
    })
  }

  /** Takes pipes back that no other process holds. */
  giveBack(pipes: HookPipes): void {
    if (!pipes.reset() || this.#isClosed || this.#free.length >= MAX_FREE_PIPES || !hasDescriptorsToSpare())
      pipes.close()
    else this.#hand(pipes)
  }

  close(): void {
    this.#isClosed = true
    this.#stopMaking?.()
    this.#giveUp()
    for (const pipes of this.#free.splice(0)) pipes.close()
  }

  #hand(pipes: HookPipes): void {
    const give = this.#waiting.shift()
    if (give) give(pipes)
    else if (this.#isClosed) pipes.close()
    else this.#free.push(pipes)
  }

  /** Has a shell make as many as are waited for; all that are still waited for when it fails come to nothing. */
  #make(): void {
    const child = startMaker()
    if (child === null) {
      this.#giveUp()
      return
    }
    const tooLate = setTimeout(() => child.kill('SIGKILL'), MAKER_TIMEOUT_MS)
    child.stdin?.on('error', () => {}) // the child has ended, which is told by its exit
    child.stdout?.on('data', (text: Buffer) => {
      try {
        this.#hand(new HookPipes(Number(text.toString('latin1'))))
      } catch {
        child.stdin?.end() // no pipes, or no descriptor is left
        return
      }
      if (this.#waiting.length > 0) child.stdin?.write('\n')
      else finishReading()
    })
    const finishReading = (): void => {
      clearTimeout(tooLate)
      child.removeAllListeners('close')
      child.stdout?.destroy()
      child.stdin?.destroy()
      child.unref()
      this.#stopMaking = undefined
    }
    this.#stopMaking = finishReading
    child.on('close', () => {
      finishReading()
      this.#giveUp()
    })
  }

  #giveUp(): void {
    for (const give of this.#waiting.splice(0)) give(null)
  }
}

function startMaker(): ReturnType<typeof spawnGroup> | null {
  try {
    const child = spawnGroup('/bin/sh', ['-c', MAKE, PIPES_PROCESS_NAME], {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    child.on('error', () => {}) // told by the missing process id
    return child.pid === undefined ? null : child
  } catch {
    return null // no descriptor or no memory is left
  }
}
