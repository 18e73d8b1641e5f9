import { randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { setAlarm } from '../alarm.ts'
import type { HeldProcess, LaunchedProcess, LaunchListener, ProcessSpec } from '../launched.ts'
import { EndReader } from './end-reader.ts'
import { BEGUN, END_MARK, LENGTH_DIGITS, type Loader, READY, READY_END } from './loaders.ts'

/** One that was told to go on and has not by then is ended, and its hook is started anew. */
const BEGIN_TIMEOUT_MS = 1000

/** One that has said that it ends and still holds its outputs is looked at again after so long, a few times. */
const LOOK_AGAIN_MS = 1
const MAX_LOOKS_AT_END = 5
/** One that has said that it ends and does not is ended. */
const END_TIMEOUT_MS = 1000

/** A shell of the pool, that of the hook, and the interpreter are three. */
const MAX_PARENTS = 8
/** Status of a process that runs or sleeps, with no signal pending for it. */
const UNHARMED = /^State:\t[RSD].*^PPid:\t(?<parent>\d+)$.*^SigPnd:\t0+\nShdPnd:\t0+$/ms

/** An interpreter that waits before the code of one hook, to run it once. */
export class WaitingInterpreter {
  readonly held: HeldProcess
  readonly #spec: ProcessSpec
  readonly #loader: Pick<Loader, 'variable' | 'tellsEnd'>
  #said = ''
  /** Number of the interpreter itself, of which a shell may be the parent. */
  #pid = 0
  #files: readonly (readonly [path: string, stamp: string])[] | undefined

  constructor(held: HeldProcess, spec: ProcessSpec, loader: Pick<Loader, 'variable' | 'tellsEnd'>) {
    this.held = held
    this.#spec = spec
    this.#loader = loader
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
    const changes = [makeEntryPath(this.#loader.variable)]
    if (before === after) return changes.join('\0')
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (before[name] === after[name]) continue
      if (!spec.recurring?.varies.has(name) || after[name]?.includes('\0')) return null
      changes.push(makeEntryPath(name))
    }
    return changes.join('\0')
  }

  /**
   * Has it run the hook. The listener is told to start it anew if it does not, and hears of its end as soon as it has said that it
   * ends and no process holds its outputs: `over` resolves once it is gone and let go of. Throws what the system says.
   */
  begin(
    changes: string,
    input: Buffer,
    listener: LaunchListener,
  ): { readonly launched: LaunchedProcess; readonly over: Promise<void> } {
    const mark = randomUUID()
    const told = Buffer.from(this.#loader.tellsEnd ? `${changes}\0${END_MARK}${mark}` : changes)
    const length = String(told.length).padStart(LENGTH_DIGITS, '0')
    const run = new BegunRun(mark, listener)
    const text = Buffer.concat([Buffer.from(length), told, input])
    const launched = this.held.begin(text, run.listener, { isListening: this.#loader.tellsEnd })
    return { launched: run.follow(launched), over: run.over }
  }
}

/** Run of a hook in an interpreter that waited for it. */
class BegunRun {
  /** Resolves once the interpreter is gone and let go of. */
  readonly over: Promise<void>
  readonly #end: EndReader
  readonly #listener: LaunchListener
  #launched: LaunchedProcess | undefined
  #hasBegun = false
  #isGivenUp = false
  /** The listener has heard of the end. */
  #isTold = false
  #hasExited = false
  #isReleased = false
  #callOff = (): void => {}
  #settle = (): void => {}

  constructor(mark: string, listener: LaunchListener) {
    this.#end = new EndReader(mark)
    this.#listener = listener
    this.over = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  readonly listener: LaunchListener = {
    wrote: (output, chunk) => {
      if (output === 'stderr') this.#listener.wrote(output, chunk)
      else this.#read(chunk)
    },
    takeBack: (output, text) => this.#listener.takeBack(output, text),
    closed: () => this.#listener.closed(),
    exited: (exit) => {
      this.#launched?.isHeld() // reads what is there
      this.#hasExited = true
      const rest = this.#end.takeRest()
      if (rest.length > 0) this.#listener.wrote('stdout', rest)
      if (this.#isTold) {
        if (this.#isReleased) this.#letGo()
      } else if (this.#hasBegun && !this.#isGivenUp) this.#listener.exited(exit)
      else this.#listener.refused()
    },
    failed: () => this.#listener.refused(),
    refused: () => this.#listener.refused(),
  }

  /** Sees that it begins; one that does not is ended, and its hook is started anew. */
  follow(launched: LaunchedProcess): LaunchedProcess {
    this.#launched = launched
    this.#callOff = setAlarm(BEGIN_TIMEOUT_MS, () => {
      launched.isHeld() // reads what is there
      if (this.#hasBegun) return
      this.#isGivenUp = true
      launched.signal('SIGKILL')
    })
    return { ...launched, by: 'warm', release: () => this.#release() }
  }

  #read(chunk: Buffer): void {
    if (this.#isTold) return // nothing holds the outputs any more
    let bytes = chunk
    if (!this.#hasBegun) {
      this.#hasBegun = chunk[0] === BEGUN
      bytes = chunk.subarray(1)
    }
    const { output, code } = this.#end.read(bytes)
    if (output.length > 0) this.#listener.wrote('stdout', output)
    if (code !== null) setImmediate(() => this.#tellEnd(code))
  }

  /** Tells of the end as soon as no process holds the outputs; a child of the hook that does is waited for as ever. */
  #tellEnd(code: number, looks = MAX_LOOKS_AT_END): void {
    if (this.#hasExited || this.#isReleased) return
    if (this.#launched?.isHeld() === false) {
      this.#isTold = true
      this.#listener.exited({ code, signal: null })
    } else if (looks > 0) setTimeout(() => this.#tellEnd(code, looks - 1), LOOK_AGAIN_MS).unref()
  }

  /** Lets go of it once it is gone: its shell is busy until then. */
  #release(): void {
    this.#isReleased = true
    this.#callOff()
    if (this.#hasExited || !this.#isTold) this.#letGo()
    else {
      this.#callOff = setAlarm(END_TIMEOUT_MS, () => {
        this.#launched?.signal('SIGKILL')
        this.#letGo()
      })
    }
  }

  #letGo(): void {
    this.#callOff()
    this.#launched?.release()
    this.#launched = undefined
    this.#settle()
  }
}

/** Reads the parent of a process; null for one that is gone, has ended, is stopped, or has a signal to come. */
function readParentOfUnharmed(pid: number): number | null {
  try {
    const { parent } = UNHARMED.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.groups ?? {}
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
