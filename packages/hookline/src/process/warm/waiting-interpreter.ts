import { readFileSync, statSync } from 'node:fs'
import { setAlarm } from '../alarm.ts'
import type { HeldProcess, LaunchedProcess, LaunchListener, ProcessSpec } from '../launched.ts'
import { BEGUN, LENGTH_DIGITS, READY, READY_END } from './loaders.ts'

/** One that was told to go on and has not by then is ended, and its hook is started anew. */
const BEGIN_TIMEOUT_MS = 1000

/** A shell of the pool, that of the hook, and the interpreter are three. */
const MAX_PARENTS = 8
/** Status of a process that runs or sleeps, with no signal pending for it. */
const UNHARMED = /^State:\t[RSD].*^PPid:\t(?<parent>\d+)$.*^SigPnd:\t0+\nShdPnd:\t0+$/ms

/** An interpreter that waits before the code of one hook, to run it once. */
export class WaitingInterpreter {
  readonly held: HeldProcess
  readonly #spec: ProcessSpec
  /** The variable that has it wait. */
  readonly #variable: string
  #said = ''
  /** Number of the interpreter itself, of which a shell may be the parent. */
  #pid = 0
  #files: readonly (readonly [path: string, stamp: string])[] | undefined

  constructor(held: HeldProcess, spec: ProcessSpec, variable: string) {
    this.held = held
    this.#spec = spec
    this.#variable = variable
  }

  /** True if it has come to its wait. */
  isReady(): boolean {
    if (this.#files !== undefined) return !this.held.hasEnded
    if (this.held.hasEnded) return false
    this.#said += this.held.said()
    if (!this.#said.startsWith(`${READY}\0`) || !this.#said.endsWith(READY_END)) return false
    const [, pid, ...told] = this.#said.slice(0, -READY_END.length).split('\0')
    this.#pid = Number(pid)
    this.#files = told.flatMap((path, at) => (at % 2 === 0 ? [[path, told[at + 1] ?? ''] as const] : []))
    return true
  }

  /** True if the files that it has read are as they were. */
  isUpToDate(): boolean {
    return this.#files?.every(([path, stamp]) => makeStamp(path) === stamp) ?? false
  }

  /**
   * True if nothing has happened to it or to the shell that started it: of a shell that was stopped or killed nobody would learn how
   * the hook ended, although that ran.
   */
  isUnharmed(): boolean {
    let pid = this.#pid
    for (let left = MAX_PARENTS; left > 0; left--) {
      const parent = readParentOfUnharmed(pid)
      if (parent === null || pid === this.held.leader) return parent !== null
      pid = parent
    }
    return false // the shell has ended
  }

  /** Lists the changes that a run has to be told of its environment; null: it was started with another one. */
  listChanges(spec: ProcessSpec): string | null {
    const { env: before } = this.#spec
    const { env: after } = spec
    const makeEntryPath = (name: string): string => (after[name] === undefined ? `-${name}` : `=${name}=${after[name]}`)
    const changes = [makeEntryPath(this.#variable)]
    if (before === after) return changes.join('\0')
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (before[name] === after[name]) continue
      if (!spec.recurring?.varies.has(name) || after[name]?.includes('\0')) return null
      changes.push(makeEntryPath(name))
    }
    return changes.join('\0')
  }

  /** Has it run the hook. The listener is told to start it anew if it does not. Throws what the system says. */
  begin(changes: string, input: Buffer, listener: LaunchListener): LaunchedProcess {
    const told = Buffer.from(changes)
    const length = String(told.length).padStart(LENGTH_DIGITS, '0')
    let hasBegun = false
    let isGivenUp = false
    const giveUp = (): void => {
      launched.isHeld() // reads what is there
      if (hasBegun) return
      isGivenUp = true
      launched.signal('SIGKILL')
    }
    const launched = this.held.begin(Buffer.concat([Buffer.from(length), told, input]), {
      ...listener,
      wrote: (output, chunk) => {
        if (output === 'stderr' || hasBegun) {
          listener.wrote(output, chunk)
          return
        }
        hasBegun = chunk[0] === BEGUN
        if (chunk.length > 1) listener.wrote(output, chunk.subarray(1))
      },
      exited: (exit) => {
        launched.isHeld() // reads what is there
        if (hasBegun && !isGivenUp) listener.exited(exit)
        else listener.refused()
      },
      failed: () => listener.refused(),
    })
    const callOff = setAlarm(BEGIN_TIMEOUT_MS, giveUp)
    const release = (): void => {
      callOff()
      launched.release()
    }
    return { ...launched, by: 'warm', release }
  }
}

/** Reads the parent of a process; null for one that is gone, has ended, is stopped, or has a signal to come. */
function readParentOfUnharmed(pid: number): number | null {
  try {
    const { parent } = UNHARMED.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.groups ?? {}
    return parent === undefined ? null : Number(parent)
  } catch {
    return null // gone
  }
}

function makeStamp(path: string): string {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
    return stats === undefined ? '-' : `${stats.mtimeNs}.${stats.size}.${stats.ino}`
  } catch {
    return '-' // the file cannot be reached
  }
}
