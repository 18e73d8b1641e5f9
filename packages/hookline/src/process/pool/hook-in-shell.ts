import { quoteForShell } from '../../text/quote.ts'
import { OutputReader } from '../hook-pipes.ts'
import {
  type Exit,
  type HeldProcess,
  type LaunchedProcess,
  type LaunchListener,
  type ProcessSpec,
  type ReadingStart,
  toInputBytes,
} from '../launched.ts'
import { isSessionGone, signalSession } from '../session-members.ts'
import { readPipeText } from '../start-directly.ts'
import { FROM_DOCUMENT, type ResidentShell } from './resident-shell.ts'
import { listDeathNotices, nameSignal } from './shell-line.ts'

/** A command that a resident shell is to start. */
interface ShellJob {
  readonly spec: ProcessSpec
  readonly command: string
  /** Text in front of the command that gives it its environment. */
  readonly prefix: string
  /** Called when the hook has let go of the shell. */
  readonly released: (release: ShellRelease) => void
  /** True if the shell is to hold no output of it: dash opens those of a command itself, and has them until that is gone. */
  readonly isApart?: boolean
}

/** State of a shell whose hook has let go of it. */
export interface ShellRelease {
  /** The hook left no process behind that holds its outputs. */
  readonly isFree: boolean
  /** A process was started for the hook since it began, and the shell has seen its end. */
  readonly hadNumber: boolean
}

const REFUSED = 'refused'
/**
 * More than one program: the hook's shell may outlive a program that a signal ends, say so on its stderr, and exit with
 * the same status as if the signal had ended it. A process of its own between the two shells tells these apart; it costs
 * a fork, where a single program needs none.
 */
const MAY_PASS_ON_A_DEATH = /[;&|<>(){}`\n]/

/** Starts a hook in a resident shell that is free. Throws what the system says when its pipes cannot be filled. */
export function startInShell(shell: ResidentShell, job: ShellJob, listener: LaunchListener): LaunchedProcess {
  const { spec } = job
  const line = 'line' in spec.input ? spec.input.line : undefined
  const document = shell.canForward(line) ? line : undefined
  if (document === undefined) shell.pipes.openInput()(toInputBytes(spec.input))
  return new HookInShell(shell, job, document).begin(listener)
}

/** Starts a process in a resident shell ahead of its event; its input is filled later. Throws what the system says. */
export function holdInShell(shell: ResidentShell, job: ShellJob & { readonly begins: () => void }): HeldProcess {
  const fill = shell.pipes.openInput()
  const hook = new HookInShell(shell, job, undefined)
  shell.isAwaited = false
  return {
    leader: shell.pid,
    get hasEnded() {
      return hook.hasEnded
    },
    said: () => readPipeText(shell.pipes),
    begin: (input, listener, reading) => {
      job.begins()
      shell.isAwaited = true
      fill(input)
      return hook.begin(listener, reading)
    },
    end: () => {
      if (!hook.hasEnded) shell.pipes.endInput()
    },
    kill: () => signalSession(shell.pid, 'SIGKILL'),
  }
}

/** A command that a shell was asked to start. */
class HookInShell {
  /** the hook ended before it had begun. */
  hasEnded = false

  readonly #shell: ResidentShell
  readonly #job: ShellJob
  readonly #isApart: boolean
  #listener: LaunchListener | undefined
  #reader: OutputReader | undefined
  #isEnded = false
  #hadNumber = false

  constructor(shell: ResidentShell, job: ShellJob, document: string | undefined) {
    this.#shell = shell
    this.#job = job
    const { spec, command, prefix } = job
    const { pipes } = shell
    const from = document === undefined ? pipes.fromInput : FROM_DOCUMENT
    const hook = `${prefix}/bin/sh -c ${quoteForShell(command)} ${from} ${pipes.toOutputs}`
    this.#isApart = job.isApart === true || MAY_PASS_ON_A_DEATH.test(command)
    const start = this.#isApart ? `( ${hook} )` : hook
    const line = `if cd -P -- ${quoteForShell(spec.cwd)}; then ${start}; else echo ${REFUSED}; fi`
    const onAnswer = (status: number, said: string): void => this.#onAnswer(status, said)
    const onLoss = (exit: Exit, hasHeard: boolean): void => this.#onLoss(exit, hasHeard)
    shell.ask(line, { answered: onAnswer, lost: onLoss }, document)
  }

  /** From now on the listener gets what becomes of it. */
  begin(listener: LaunchListener, reading?: ReadingStart): LaunchedProcess {
    const { pid, pipes } = this.#shell
    const reader = new OutputReader(pipes, listener, reading)
    this.#listener = listener
    this.#reader = reader
    return {
      by: 'pool',
      isStarted: () => true,
      isHeld: () => reader.isHeld(),
      signal: (signal) => {
        this.#isEnded = true
        this.#shell.endInput()
        signalSession(pid, signal)
      },
      isGone: () => this.#shell.hasExited && isSessionGone(pid),
      release: () => this.#job.released({ isFree: reader.stop() && !this.#isEnded, hadNumber: this.#hadNumber }),
    }
  }

  #onAnswer(status: number, said: string): void {
    const listener = this.#listener
    this.#hadNumber = said === '' // else the shell may have found no way to start it
    if (listener === undefined) {
      this.#dropOutput({ isFree: true })
      return
    }
    this.#reader?.noteExit()
    if (status > 128) listener.exited(this.#findExit(status, said, listener))
    else if (said !== '' && isRefusal(said)) listener.refused()
    else listener.exited({ code: status, signal: null })
  }

  /** A shell tells of a death by signal; dash does so on the stderr that it has given to the hook. */
  #findExit(status: number, said: string, listener: LaunchListener): Exit {
    this.#reader?.drain()
    const died =
      said !== '' || (!this.#isApart && listDeathNotices(status).some((text) => listener.takeBack('stderr', text)))
    return died ? { code: null, signal: nameSignal(status) } : { code: status, signal: null }
  }

  /** A shell that failed by itself has not started the hook; one that was killed takes it along. */
  #onLoss(exit: Exit, hasHeard: boolean): void {
    const listener = this.#listener
    if (listener === undefined) {
      this.#dropOutput({ isFree: false })
      return
    }
    const hasStarted = hasHeard && exit.signal !== null
    if (!hasStarted && !this.#isEnded) {
      listener.refused()
      return
    }
    signalSession(this.#shell.pid, 'SIGKILL')
    listener.exited(exit)
  }

  /** Drops what it has written, which is not for the next hook of the shell. */
  #dropOutput({ isFree }: { isFree: boolean }): void {
    this.hasEnded = true
    if (isFree) for (const output of ['stdout', 'stderr'] as const) this.#shell.pipes.drain(output, () => {})
    this.#job.released({ isFree, hadNumber: this.#hadNumber })
  }
}

/** True if a shell says that it could not enter the folder, or open one of the pipes. */
function isRefusal(said: string): boolean {
  return said.endsWith(`${REFUSED}\n`) || said.includes(`/proc/${process.pid}/fd/`)
}
