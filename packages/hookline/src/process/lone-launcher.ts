import type { Socket } from 'node:net'
import { HookPipes } from './hook-pipes.ts'
import type { Launch, LaunchedProcess, ProcessSpec } from './launched.ts'
import type { HookLauncher } from './launcher.ts'
import { END_SESSIONS, GUARD_PROCESS_NAME } from './orphan-guard.ts'
import { PIPE_DOCUMENTS, writePipelines } from './pipe-stock.ts'
import { RunningProcess } from './process.ts'
import { type ChildProcess, IS_NODE, spawnGroup } from './spawn-group.ts'
import { startDirectly, startLater, startWithPipes } from './start-directly.ts'

/**
 * Shell that is there before the first hook, makes the pipes of each, and outlives this process by a moment to end the hooks
 * that it has left. For `more` it makes three pipes and prints the number of the process that has them, until they are `taken`; a
 * line with the name of a pipe says that a process with this stdout is about to be started, any other one names the leaders
 * of the sessions that run.
 */
const HELP = `
trap '' HUP INT QUIT TERM PIPE
sessions= coming=
while read -r line; do
  case $line in
    more)
      exec ${PIPE_DOCUMENTS}
      if [ -p /proc/self/fd/5 ]; then
        echo $$
      else
        exec 9<&0
        ${writePipelines('while read -r line && [ "$line" != taken ]; do :; done')}
      fi ;;
    taken) exec 3<&- 4<&- 5<&- ;;
    pipe:*) coming=$line ;;
    *) sessions=$line coming= ;;
  esac
done
${END_SESSIONS}`

/** The most that hooks wait for their pipes; then they get what Node makes. */
const PIPES_TIMEOUT_MS = 5000

/**
 * Starts the hooks of a process that is there for one event: each as its child, with pipes that are used once. One shell helps it
 * with all of them, and ends them if this process is killed.
 */
export class LoneLauncher implements HookLauncher {
  /** Pipes are found through `/proc`, and only Node lets a process have those that it did not make. */
  static readonly isPossible = process.platform === 'linux' && IS_NODE

  #helper: ChildProcess | undefined
  /** Leaders of the sessions that run. */
  readonly #sessions = new Set<number>()
  /** The pipes of the hook before: the helper makes those of one at a time. */
  #making: Promise<HookPipes | null> | undefined

  async start(spec: ProcessSpec): Promise<RunningProcess> {
    this.#making = this.#makePipes(this.#making)
    const pipes = await this.#making
    const launch: Launch = (one, listener) => {
      if (pipes === null) return this.#follow(startDirectly(one, listener))
      this.#helper?.stdin?.write(`${pipes.outputName}\n`) // a kill right after the start would leave the hook
      return this.#follow(startWithPipes(one, listener, { pipes }))
    }
    return new RunningProcess(spec, { launch, launchDirectly: this.#launchAgain })
  }

  /** Starts a process that the system could not start before. */
  readonly #launchAgain: Launch = (spec, listener) =>
    startLater('direct', listener, async (isReleased) => {
      this.#making = this.#makePipes(this.#making)
      const pipes = await this.#making
      if (isReleased()) {
        pipes?.close()
        return null
      }
      return this.#follow(pipes ? startWithPipes(spec, listener, { pipes }) : startDirectly(spec, listener))
    })

  /** No interpreter waits here. */
  dropWaiting(): void {}

  /** Lets the helper go, once it is told that there is nothing to end. */
  async close(): Promise<void> {
    const helper = this.#helper
    if (helper === undefined) return
    this.#sessions.clear()
    this.#tellSessions()
    helper.stdin?.end()
    helper.ref()
    await new Promise((resolve) => helper.once('exit', resolve))
  }

  /** Makes the pipes of a hook; null where the system gives none. */
  async #makePipes(before: Promise<unknown> | undefined): Promise<HookPipes | null> {
    await before
    this.#helper ??= this.#startHelper()
    const helper = this.#helper
    if (helper === undefined) return null
    const maker = await new Promise<string>((resolve) => {
      const give = (pid: Buffer | string): void => {
        clearTimeout(tooLate)
        helper.off('exit', giveNone) // the helper serves many hooks
        resolve(pid.toString())
      }
      const giveNone = (): void => give('')
      const tooLate = setTimeout(giveNone, PIPES_TIMEOUT_MS)
      helper.stdout?.once('data', give)
      helper.once('exit', giveNone)
      helper.stdin?.write('more\n')
    })
    try {
      return maker === '' ? null : new HookPipes(Number(maker))
    } catch {
      return null // no pipes, or no descriptor is left
    } finally {
      helper.stdin?.write('taken\n')
      this.#tellSessions()
    }
  }

  /** Has the session of a process ended with this one. */
  #follow(launched: LaunchedProcess): LaunchedProcess {
    const { group } = launched
    if (group === undefined) return launched
    this.#sessions.add(group)
    this.#tellSessions()
    const release = (): void => {
      this.#sessions.delete(group)
      this.#tellSessions()
      launched.release()
    }
    return { ...launched, release }
  }

  #tellSessions(): void {
    this.#helper?.stdin?.write(`${[...this.#sessions].join(' ')}\n`)
  }

  /** Starts the helper; undefined where the system does not let us. */
  #startHelper(): ChildProcess | undefined {
    try {
      const helper = spawnGroup('/bin/sh', ['-c', HELP, GUARD_PROCESS_NAME], {
        cwd: '/',
        env: {},
        stdio: ['pipe', 'pipe', 'ignore'],
      })
      helper.on('error', () => {}) // told by the missing process id
      if (helper.pid === undefined) return undefined
      helper.on('exit', () => {
        this.#helper = undefined
      })
      helper.unref()
      for (const stream of [helper.stdin, helper.stdout]) {
        stream?.on('error', () => {}) // the helper has ended, which is told by its exit
        ;(stream as Socket | null)?.unref() // pipes of a child are sockets
      }
      return helper
    } catch {
      return undefined // no descriptor or no memory is left
    }
  }
}
