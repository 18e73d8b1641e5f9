import { shellQuoted } from '../../text/quote.ts'
import { OutputReader } from '../hook-pipes.ts'
import type { Exit, Launched, LaunchListener, ProcessSpec } from '../launched.ts'
import { isSessionGone, signalSession } from '../session-members.ts'
import { FROM_DOCUMENT, type ResidentShell } from './resident-shell.ts'
import { deathNotices, signalOf } from './shell-line.ts'

/** A command that a resident shell is to start. */
interface ShellJob {
  readonly spec: ProcessSpec
  readonly command: string
  /** What stands in front of it to give it its environment. */
  readonly prefix: string
  /** Called when the hook has let go of the shell, and whether it left no process behind that holds its outputs. */
  readonly released: (isFree: boolean) => void
}

const REFUSED = 'refused'
/**
 * More than one program: the hook's shell may outlive a program that a signal ends, say so on its stderr, and exit with
 * the same status as if the signal had ended it. A process of its own between the two shells tells these apart; it costs
 * a fork, where a single program needs none.
 */
const MAY_PASS_ON_A_DEATH = /[;&|<>(){}`\n]/

/** Starts a hook in a resident shell that is free. Throws what the system says when its pipes cannot be filled. */
export function startInShell(shell: ResidentShell, job: ShellJob, listener: LaunchListener): Launched {
  const { spec, command, prefix, released } = job
  const { pid, pipes } = shell
  let isEnded = false

  const document = shell.takesAlong(spec.inputText) ? spec.inputText : undefined
  if (document === undefined) pipes.openInput()(spec.input)
  const from = document === undefined ? pipes.fromInput : FROM_DOCUMENT
  const hook = `${prefix}/bin/sh -c ${shellQuoted(command)} ${from} ${pipes.toOutputs}`
  const isApart = MAY_PASS_ON_A_DEATH.test(command)
  const line = `if cd -P -- ${shellQuoted(spec.cwd)}; then ${isApart ? `( ${hook} )` : hook}; else echo ${REFUSED}; fi`
  shell.ask(line, { answered, lost }, document)
  const reader = new OutputReader(pipes, listener)

  function answered(status: number, said: string): void {
    reader.noteExit()
    if (status > 128) listener.exited(exitOf(status, said))
    else if (said !== '' && tellsOfRefusal(said)) listener.refused()
    else listener.exited({ code: status, signal: null })
  }

  /** A shell tells of a death by signal; dash does so on the stderr that it has given to the hook. */
  function exitOf(status: number, said: string): Exit {
    reader.drain()
    const died = said !== '' || (!isApart && deathNotices(status).some((text) => listener.takeBack('stderr', text)))
    return died ? { code: null, signal: signalOf(status) } : { code: status, signal: null }
  }

  /** A shell that failed by itself has not started the hook; one that was killed takes it along. */
  function lost(exit: Exit, hasHeard: boolean): void {
    const hasStarted = hasHeard && exit.signal !== null
    if (!hasStarted && !isEnded) {
      listener.refused()
      return
    }
    signalSession(pid, 'SIGKILL')
    listener.exited(exit)
  }

  return {
    by: 'pool',
    isStarted: () => true,
    isHeld: () => reader.isHeld(),
    signal: (signal) => {
      isEnded = true
      shell.endInput()
      signalSession(pid, signal)
    },
    isGone: () => shell.hasExited && isSessionGone(pid),
    release: () => released(reader.stop() && !isEnded),
  }
}

/** Whether a shell says that it could not enter the folder, or open one of the pipes. */
function tellsOfRefusal(said: string): boolean {
  return said.endsWith(`${REFUSED}\n`) || said.includes(`/proc/${process.pid}/fd/`)
}
