import { readErrorCode } from '../files/read.ts'
import { setAlarm } from './alarm.ts'
import { Capture } from './capture.ts'
import type { Exit, Launch, LaunchedProcess, Launches, LaunchListener, OutputName, ProcessSpec } from './launched.ts'
import { EMPTY_STREAM, measureMs, type ProcessRun } from './process-run.ts'
import { startDirectly } from './start-directly.ts'
import { describeStartFailure, findFolderFault } from './system-error.ts'

/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 200
/** After SIGKILL an end is reported even if the system has not confirmed it. */
const GIVE_UP_MS = 90
/** Milliseconds that a process which has exited may keep us waiting for output that a child of it still holds. */
const DRAIN_MS = 100
const MAX_DRAIN_MS = 1000
const PROBE_MS = 10
/** Errors of a system that is out of something for the moment. */
const OUT_OF_SOMETHING = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'])
const FIRST_RETRY_MS = 10
const MAX_RETRY_MS = 500

const DIRECTLY: Launches = { launch: startDirectly, launchDirectly: startDirectly }

/**
 * A process in a group of its own. It settles when it exits, at its deadline, or when it is aborted: never by waiting
 * for a pipe to close. Ended by force, nothing of its group stays alive.
 */
export class RunningProcess {
  /** Settles exactly once and never rejects. */
  readonly ended: Promise<ProcessRun>

  readonly #spec: ProcessSpec
  readonly #launches: Launches
  readonly #started = performance.now()
  readonly #outputs: Readonly<Record<OutputName, Capture>>
  #launched: LaunchedProcess | undefined
  #retryMs = FIRST_RETRY_MS
  #shortage: unknown
  #settle: (run: ProcessRun) => void = () => {}
  #exit: Exit | undefined
  #ending: 'timed-out' | 'aborted' | undefined
  #isSettled = false
  #readSinceCheck = false
  #timers: Set<NodeJS.Timeout> | undefined
  #callOff: (() => void) | undefined

  constructor(spec: ProcessSpec, launches: Launches = DIRECTLY) {
    this.#spec = spec
    this.#launches = launches
    this.#outputs = { stdout: new Capture(spec.outputLimit), stderr: new Capture(spec.outputLimit) }
    this.ended = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#start(launches.launch)
    this.setDeadline(spec.timeoutMs) // the process runs meanwhile
  }

  /** The object that its output begins with, as soon as it is complete; how it ended, if it does so before. */
  waitForObjectOrEnd(): Promise<string | ProcessRun> {
    return new Promise((resolve) => {
      this.#outputs.stdout.onFirstObject(resolve)
      void this.ended.then(resolve)
    })
  }

  /** Replaces the deadline by one that counts from now; one that has ended needs none. */
  setDeadline(milliseconds: number | null): void {
    this.#callOff?.()
    if (milliseconds === null || this.#isSettled) return
    this.#callOff = setAlarm(milliseconds, () => this.#runAfterPendingEvents(() => this.#onDeadline()))
  }

  /** Ends it and its group. */
  abort(): void {
    this.#end('aborted')
  }

  #start(launch: Launch): void {
    try {
      this.#launched = launch(this.#spec, this.#listener)
    } catch (error) {
      this.#retryOrGiveUp(error) // no descriptor is left, or an argument is one that no program can be given
    }
  }

  readonly #listener: LaunchListener = {
    wrote: (output, chunk) => {
      this.#readSinceCheck = true
      this.#outputs[output].add(chunk)
    },
    takeBack: (output, text) => this.#outputs[output].takeBack(text),
    closed: () => this.#settleIfComplete(),
    exited: (exit) => {
      this.#exit = exit
      if (this.#ending !== undefined || !this.#launched) return
      if (this.#launched.isHeld()) this.#drain(performance.now())
      else this.#settleAsExited()
    },
    failed: (error) => this.#retryOrGiveUp(error),
    refused: () => this.#startDirectly(),
  }

  #startDirectly(): void {
    if (this.#isSettled) return
    this.#launched?.release()
    this.#launched = undefined
    for (const output of Object.values(this.#outputs)) output.clear()
    if (this.#ending === undefined) this.#start(this.#launches.launchDirectly)
    else this.#settleAsEnded(this.#ending)
  }

  /** A host that is out of descriptors or processes may have some again before the deadline. */
  #retryOrGiveUp(error: unknown): void {
    if (this.#isSettled) return
    this.#launched?.release()
    this.#launched = undefined
    if (this.#ending !== undefined || !OUT_OF_SOMETHING.has(readErrorCode(error))) {
      this.#onStartFailure(error)
      return
    }
    this.#shortage = error
    this.#runAfter(this.#retryMs, () => this.#start(this.#launches.launchDirectly))
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS)
  }

  #settleIfComplete(): void {
    if (this.#exit && this.#launched && this.#ending === undefined && !this.#launched.isHeld()) this.#settleAsExited()
  }

  /** Waits for silence: another process holds the pipes of one that is gone. */
  #drain(since: number): void {
    this.#readSinceCheck = false
    this.#runAfter(DRAIN_MS, () => {
      const long = performance.now() - since > MAX_DRAIN_MS
      this.#runAfterPendingEvents(() => (this.#readSinceCheck && !long ? this.#drain(since) : this.#settleAsExited()))
    })
  }

  #onDeadline(): void {
    if (this.#exit) this.#settleAsExited()
    else this.#end('timed-out')
  }

  #end(how: 'timed-out' | 'aborted'): void {
    if (this.#ending !== undefined || this.#isSettled) return
    if (this.#exit) {
      this.#settleAsExited()
      return
    }
    this.#ending = how
    if (!this.#launched?.isStarted()) {
      if (how === 'timed-out' && this.#shortage !== undefined) this.#onStartFailure(this.#shortage)
      else this.#settleAsEnded(how)
      return
    }
    const launched = this.#launched
    const end = launched.end?.() ?? null
    if (end !== null) {
      void end.then(() => this.#runAfterPendingEvents(() => this.#settleAsEnded(how)))
      return
    }
    launched.signal('SIGTERM')
    launched.signal('SIGCONT') // one that stopped itself could not act on it
    this.#runAfter(GRACE_MS, () => {
      launched.signal('SIGKILL')
      this.#runAfter(GIVE_UP_MS, () => this.#settleAsEnded(how)) // set now: in a busy host timers do not fire in their order
    })
    const probe = setInterval(() => {
      if (launched.isGone()) this.#runAfterPendingEvents(() => this.#settleAsEnded(how))
    }, PROBE_MS)
    this.#note(probe)
  }

  #settleAsEnded(how: 'timed-out' | 'aborted'): void {
    this.#finish({ ended: how, ...this.#readOutput() })
  }

  #settleAsExited(): void {
    const { code, signal } = this.#exit ?? { code: null, signal: 'unknown' }
    if (code !== null) this.#finish({ ended: 'exited', code, ...this.#readOutput() })
    else this.#finish({ ended: 'signalled', signal, ...this.#readOutput() })
  }

  #onStartFailure(error: unknown): void {
    const reason = findFolderFault(this.#spec.cwd) ?? describeStartFailure(error)
    const missing = ['ENOENT', 'EACCES'].includes(readErrorCode(error))
    this.#finish({ ended: 'not-started', reason, missing, durationMs: measureMs(this.#started) })
  }

  #readOutput() {
    const { stdout, stderr } = this.#outputs
    const leftChild = this.#launched?.isHeld() ?? false // before the outputs are taken: it reads what is left
    const by = this.#launched === undefined ? {} : { launcher: this.#launched.by }
    const durationMs = measureMs(this.#started)
    return { durationMs, stdout: stdout.readCaptured(), stderr: stderr.readCaptured(), leftChild, ...by }
  }

  #finish(run: ProcessRun): void {
    this.#isSettled = true
    this.#callOff?.()
    for (const timer of this.#timers ?? []) clearTimeout(timer)
    const launched = this.#launched
    this.#launched = undefined
    this.#settle(run)
    launched?.release()
  }

  #runAfter(milliseconds: number, act: () => void): void {
    this.#note(setTimeout(act, milliseconds))
  }

  #note(timer: NodeJS.Timeout): void {
    this.#timers ??= new Set()
    this.#timers.add(timer)
  }

  /** Timers come first after the loop was blocked: what has already happened must be seen before it is judged late. */
  #runAfterPendingEvents(act: () => void): void {
    setImmediate(act)
  }
}

/** A run that was over before it began. */
export function makeAbortedRun(): ProcessRun {
  return { ended: 'aborted', durationMs: 0, stdout: EMPTY_STREAM, stderr: EMPTY_STREAM, leftChild: false }
}
