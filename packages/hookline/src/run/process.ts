import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { errorCode } from '../config/read-file.ts'
import { Capture } from './capture.ts'
import { shortageOfDescriptors } from './descriptors.ts'
import { type BackgroundRun, millisecondsSince, NOTHING, type Run } from './run.ts'
import { folderFault, startFailure } from './system-error.ts'

/** A process to run to its certain end. */
export interface ProcessSpec {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Everything it gets to read; then its input ends. */
  readonly input: Buffer
  /** Milliseconds from its start; null: no limit. */
  readonly timeoutMs: number | null
  /** Bytes kept of each stream; what comes after is read, counted and dropped. */
  readonly outputLimit: number
}

/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 200
/** After SIGTERM an end is reported even if the system has not confirmed it. */
const GIVE_UP_MS = 290
/** How long a process that has exited may keep us waiting for output that a child of it still holds. */
const DRAIN_MS = 100
const LONGEST_DRAIN_MS = 1000
const PROBE_MS = 10
const LONGEST_TIMER_MS = 2 ** 31 - 1
/** What the system says when it is out of something for the moment. */
const OUT_OF_SOMETHING = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'])
const FIRST_RETRY_MS = 10
const LONGEST_RETRY_MS = 500

/**
 * A process in its own group. It settles when it exits, at its deadline, or when it is aborted: never by waiting for
 * a pipe to close. Ended by force, nothing of its group stays alive.
 */
export class RunningProcess {
  /** Settles exactly once and never rejects. */
  readonly ended: Promise<Exclude<Run, BackgroundRun>>

  readonly #spec: ProcessSpec
  readonly #started = performance.now()
  readonly #stdout: Capture
  readonly #stderr: Capture
  #child: ChildProcess | undefined
  #retryMs = FIRST_RETRY_MS
  #shortage: unknown
  #settle: (run: Run) => void = () => {}
  #exit: { code: number | null; signal: string | null } | undefined
  #ending: 'timed-out' | 'aborted' | undefined
  #openStreams = 0
  #readSinceCheck = false
  readonly #timers = new Set<NodeJS.Timeout>()
  #deadline: NodeJS.Timeout | undefined

  constructor(spec: ProcessSpec) {
    this.#spec = spec
    this.#stdout = new Capture(spec.outputLimit)
    this.#stderr = new Capture(spec.outputLimit)
    this.ended = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.setDeadline(spec.timeoutMs)
    this.#start()
  }

  /** The first line of its output, as soon as it is complete; null when it ends without one. */
  firstLine(): Promise<string | null> {
    return Promise.race([this.#stdout.firstLine(), this.ended.then(() => this.#stdout.wholeFirstLine())])
  }

  /** Replaces the deadline by one that counts from now. */
  setDeadline(milliseconds: number | null): void {
    clearTimeout(this.#deadline)
    if (milliseconds === null) return
    this.#deadline = setTimeout(
      () => this.#afterPendingEvents(() => this.#pastDeadline()),
      Math.min(milliseconds, LONGEST_TIMER_MS),
    )
  }

  /** Ends it and its group. */
  abort(): void {
    this.#end('aborted')
  }

  #start(): void {
    const { file, args, cwd, env, input } = this.#spec
    const shortage = shortageOfDescriptors()
    if (shortage !== null) {
      this.#retryOrGiveUp(shortage)
      return
    }
    let child: ChildProcess
    try {
      child = spawn(file, args, { cwd, env, detached: true, windowsHide: true, stdio: 'pipe' })
    } catch (error) {
      this.#notStarted(error) // an argument that no program can be given
      return
    }
    this.#child = child
    child.on('error', (error) => {
      if (child.pid === undefined) this.#retryOrGiveUp(error)
    })
    if (child.pid === undefined) return // the error is on its way
    child.on('exit', (code, signal) => this.#exited({ code, signal }))
    this.#read(child.stdout, this.#stdout)
    this.#read(child.stderr, this.#stderr)
    child.stdin?.on('error', () => {}) // a hook may exit without reading its input
    child.stdin?.end(input)
  }

  /** A host that is out of descriptors or processes may have some again before the deadline. */
  #retryOrGiveUp(error: NodeJS.ErrnoException): void {
    if (this.#ending !== undefined || !OUT_OF_SOMETHING.has(error.code ?? '')) {
      this.#notStarted(error)
      return
    }
    this.#shortage = error
    this.#after(this.#retryMs, () => this.#start())
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS)
  }

  #read(stream: Readable | null, capture: Capture): void {
    if (!stream) return // the system had no descriptor left; the process did not start either
    this.#openStreams++
    stream.on('data', (chunk: Buffer) => {
      this.#readSinceCheck = true
      capture.add(chunk)
    })
    stream.on('error', () => {}) // what was read before it broke still counts
    stream.on('close', () => {
      this.#openStreams--
      this.#settleIfComplete()
    })
  }

  #exited(exit: { code: number | null; signal: string | null }): void {
    this.#exit = exit
    this.#settleIfComplete()
    if (this.#ending === undefined && this.#openStreams > 0) this.#drain(performance.now())
  }

  #settleIfComplete(): void {
    if (this.#exit && this.#ending === undefined && this.#openStreams === 0) this.#settleAsExited()
  }

  /** Waits for silence: somebody else holds the pipes of a process that is gone. */
  #drain(since: number): void {
    this.#readSinceCheck = false
    this.#after(DRAIN_MS, () => {
      const long = performance.now() - since > LONGEST_DRAIN_MS
      this.#afterPendingEvents(() => (this.#readSinceCheck && !long ? this.#drain(since) : this.#settleAsExited()))
    })
  }

  #pastDeadline(): void {
    if (this.#exit) this.#settleAsExited()
    else this.#end('timed-out')
  }

  #end(how: 'timed-out' | 'aborted'): void {
    if (this.#ending !== undefined) return
    if (this.#child?.pid === undefined) {
      this.#ending = how
      if (how === 'aborted') this.#settleAsEnded(how)
      else this.#notStarted(this.#shortage)
      return
    }
    if (this.#exit) {
      this.#settleAsExited()
      return
    }
    this.#ending = how
    this.#signalGroup('SIGTERM')
    this.#signalGroup('SIGCONT') // one that stopped itself could not act on it
    this.#after(GRACE_MS, () => this.#signalGroup('SIGKILL'))
    this.#after(GIVE_UP_MS, () => this.#settleAsEnded(how))
    const probe = setInterval(() => {
      if (this.#exit && !this.#signalGroup(0)) this.#afterPendingEvents(() => this.#settleAsEnded(how))
    }, PROBE_MS)
    this.#timers.add(probe)
  }

  /** Whether there was anybody to get the signal. */
  #signalGroup(signal: NodeJS.Signals | 0): boolean {
    const pid = this.#child?.pid
    if (pid === undefined) return false
    try {
      return process.platform === 'win32' ? endTree(pid, signal) : process.kill(-pid, signal)
    } catch {
      return false // nobody of the group is left
    }
  }

  #settleAsEnded(how: 'timed-out' | 'aborted'): void {
    this.#finish({ ended: how, ...this.#spoken(), leftChild: this.#openStreams > 0 })
  }

  #settleAsExited(): void {
    const { code, signal } = this.#exit ?? { code: null, signal: null }
    const spoken = { ...this.#spoken(), leftChild: this.#openStreams > 0 }
    if (code !== null) this.#finish({ ended: 'exited', code, ...spoken })
    else this.#finish({ ended: 'signalled', signal: signal ?? 'unknown', ...spoken })
  }

  #notStarted(error: unknown): void {
    const reason = folderFault(this.#spec.cwd) ?? startFailure(error)
    const missing = ['ENOENT', 'EACCES'].includes(errorCode(error))
    this.#finish({ ended: 'not-started', reason, missing, durationMs: millisecondsSince(this.#started) })
  }

  #spoken() {
    const durationMs = millisecondsSince(this.#started)
    return { durationMs, stdout: this.#stdout.captured(), stderr: this.#stderr.captured() }
  }

  #finish(run: Run): void {
    clearTimeout(this.#deadline)
    for (const timer of this.#timers) clearTimeout(timer)
    for (const stream of this.#child?.stdio ?? []) stream?.destroy()
    this.#child?.unref()
    this.#settle(run)
  }

  #after(milliseconds: number, act: () => void): void {
    this.#timers.add(setTimeout(act, milliseconds))
  }

  /** Timers come first after the loop was blocked: what has already happened must be seen before it is judged late. */
  #afterPendingEvents(act: () => void): void {
    setImmediate(act)
  }
}

/** A run that was over before it began. */
export function abortedRun(): Run {
  return { ended: 'aborted', durationMs: 0, stdout: NOTHING, stderr: NOTHING, leftChild: false }
}

/** Windows has no process groups; its own tool ends a tree. */
function endTree(pid: number, signal: NodeJS.Signals | 0): boolean {
  if (signal !== 0) spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
  return process.kill(pid, 0)
}
