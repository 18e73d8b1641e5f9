import { setAlarm } from './alarm.ts'
import { quoted } from './command-line.ts'
import { isOlder, type Member, membersOf } from './group-members.ts'
import type { Exit, Launched, ProcessSpec, Witness } from './launched.ts'
import { FROM_DOCUMENT, type ResidentShell } from './resident-shell.ts'
import { obituaries, signalOf } from './shell-line.ts'
import { signalGroup } from './spawn-group.ts'

/** A command that a resident shell is to start. */
interface ShellJob {
  readonly spec: ProcessSpec
  readonly command: string
  /** What stands in front of it to give it its environment. */
  readonly prefix: string
  /** Called when the hook has let go of the shell, and whether it left nobody behind who holds its outputs. */
  readonly released: (isFree: boolean) => void
}

/** Quick hooks are over by then, and are read in one go; others are listened to. */
const FOLLOW_AFTER_MS = 10
const REFUSED = 'refused'
/**
 * More than one program: the hook's shell may outlive a program that a signal ends, say so on its stderr, and exit with
 * the same status as if the signal had ended it. A process of its own between the two shells tells these apart; it costs
 * a fork, where a single program needs none.
 */
const MAY_PASS_ON_A_DEATH = /[;&|<>(){}`\n]/

/** Starts a hook in a resident shell that is free. Throws what the system says when its pipes cannot be filled. */
export function startInShell(shell: ResidentShell, job: ShellJob, witness: Witness): Launched {
  const { spec, command, prefix, released } = job
  const { pid, pipes } = shell
  let isAnswered = false
  let isHeld = false
  let elders: readonly Member[] | undefined
  let isOver = false

  const document = shell.takesAlong(spec.inputText) ? spec.inputText : undefined
  if (document === undefined) pipes.fill(spec.input)
  const from = document === undefined ? pipes.fromInput : FROM_DOCUMENT
  const hook = `${prefix}/bin/sh -c ${quoted(command)} ${from} ${pipes.toOutputs}`
  const isApart = MAY_PASS_ON_A_DEATH.test(command)
  const line = `if cd -P -- ${quoted(spec.cwd)}; then ${isApart ? `( ${hook} )` : hook}; else echo ${REFUSED}; fi`
  shell.ask(line, { answered, lost }, document)
  let stopWaiting = setAlarm(FOLLOW_AFTER_MS, follow)

  function answered(status: number, said: string): void {
    isAnswered = true
    stopWaiting()
    if (status > 128) witness.exited(exitOf(status, said))
    else if (said !== '' && tellsOfRefusal(said)) witness.refused()
    else witness.exited({ code: status, signal: null })
  }

  /** A shell tells of a death by signal; dash does so on the stderr that it has given to the hook. */
  function exitOf(status: number, said: string): Exit {
    drain()
    const died = said !== '' || (!isApart && obituaries(status).some((text) => witness.takeBack('stderr', text)))
    return died ? { code: null, signal: signalOf(status) } : { code: status, signal: null }
  }

  /** A shell that failed by itself has not started the hook; one that was killed takes it along. */
  function lost(exit: Exit, hasHeard: boolean): void {
    stopWaiting()
    const hasStarted = hasHeard && exit.signal !== null
    if (!hasStarted && elders === undefined) {
      witness.refused()
      return
    }
    signalGroup(pid, 'SIGKILL')
    witness.exited(exit)
  }

  function follow(): void {
    try {
      pipes.follow((output, chunk) => witness.wrote(output, chunk), witness.closed)
    } catch {
      stopWaiting = setAlarm(FOLLOW_AFTER_MS, follow) // no descriptor is left now
    }
  }

  function drain(): void {
    const held = [
      pipes.drain('stdout', (chunk) => witness.wrote('stdout', chunk)),
      pipes.drain('stderr', (chunk) => witness.wrote('stderr', chunk)),
    ]
    isHeld = held.includes(true)
  }

  /** Processes of the group that this hook did not start: an earlier one left them, and they are left alone. */
  function leftByOthers(): readonly Member[] {
    const members = membersOf(pid).filter((member) => member.pid !== pid)
    const hook = members.find(({ parent }) => parent === pid)
    return hook === undefined ? members : members.filter((member) => isOlder(member, hook))
  }

  /** All but those, and but what they have started since. */
  function ownMembers(): Member[] {
    const members = membersOf(pid)
    const spared = new Set(elders?.map((elder) => elder.pid))
    for (let known = -1; known < spared.size; ) {
      known = spared.size
      for (const { pid, parent } of members) if (spared.has(parent)) spared.add(pid)
    }
    return members.filter((member) => !spared.has(member.pid))
  }

  return {
    by: 'pool',
    isStarted: () => true,
    isHeld: () => {
      if (isOver) return false
      drain()
      isOver = isAnswered && !isHeld
      if (isHeld && isAnswered) follow()
      return isHeld
    },
    signal: (signal) => {
      elders ??= leftByOthers()
      shell.endInput()
      if (elders.length === 0) signalGroup(pid, signal)
      else for (const member of ownMembers()) signalOne(member.pid, signal)
    },
    isGone: () => shell.hasExited && (elders?.length ? ownMembers().length === 0 : !signalGroup(pid, 0)),
    release: () => {
      stopWaiting()
      released(isAnswered && !isHeld && elders === undefined)
    },
  }
}

/** Whether a shell says that it could not enter the folder, or open one of the pipes. */
function tellsOfRefusal(said: string): boolean {
  return said.endsWith(`${REFUSED}\n`) || said.includes(`/proc/${process.pid}/fd/`)
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // it has ended
  }
}
