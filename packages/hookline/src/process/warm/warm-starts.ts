import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { freemem, getPriority } from 'node:os'
import { join } from 'node:path'
import { makeTempFolder, type TempFolder } from '../../files/temp-folder.ts'
import type { Held, Launched, LaunchListener, ProcessSpec } from '../launched.ts'
import { LOADERS } from './loaders.ts'
import { isInterpreter, type PlainCommand, plainCommand, statsOf } from './plain-command.ts'
import { WaitingInterpreter } from './waiting-interpreter.ts'

/** In this process: an interpreter takes some ten to fifty mebibytes. */
const MOST_WAITING = 8
/** With less memory than this no interpreter is started ahead. */
const SPARE_MEMORY = 512 * 1024 * 1024
/** One that is not used for so long is ended. */
const LONGEST_WAIT_MS = 5 * 60_000
/** One that takes longer to start is ended. */
const LONGEST_START_MS = 10_000
const LOOK_EVERY_MS = 10
/** One that was told to end and does not is killed. */
const LONGEST_END_MS = 500
/** A command that did not come to its wait so often is not tried again. */
const MOST_FAILURES = 2
/** Between the end of a hook and the start of the next interpreter: the other hooks of its event come first. */
const START_AFTER_MS = 20

let waitingHere = 0

/** An interpreter that waits, with what it was started from. */
interface Waiting {
  readonly interpreter: WaitingInterpreter
  /** What was found of its files and of this process. */
  readonly found: string
  readonly tooLong: NodeJS.Timeout
}

/** Keeps interpreters of one engine's hooks waiting, one for each hook that has run. */
export class WarmStarts {
  /** Starts a process ahead, as it would be started at its event, but for its environment; null when it cannot be. */
  readonly #hold: (spec: ProcessSpec, env: NodeJS.ProcessEnv) => Promise<Held | null>
  readonly #waiting = new Map<string, Waiting>()
  readonly #wanted = new Map<string, ProcessSpec>()
  readonly #failures = new Map<string, number>()
  readonly #ending = new Set<Promise<void>>()
  #starting: Promise<void> | undefined
  #later: NodeJS.Timeout | undefined
  #folder: Promise<TempFolder> | undefined
  /** Counts how often all were dropped: what was being started then is dropped too. */
  #generation = 0
  #isClosed = false

  constructor(hold: (spec: ProcessSpec, env: NodeJS.ProcessEnv) => Promise<Held | null>) {
    this.#hold = hold
  }

  /** Runs a hook in the interpreter that waits for it; null when there is none that is ready and as it would be now. */
  take(spec: ProcessSpec, listener: LaunchListener): Launched | null {
    const key = spec.recurring?.key ?? ''
    const waiting = this.#waiting.get(key)
    if (waiting === undefined) return null
    const { interpreter, found } = waiting
    if (!interpreter.isReady()) {
      if (interpreter.held.hasEnded) this.#drop(key)
      return null
    }
    const changes = interpreter.changesFor(spec)
    const command = changes === null ? null : plainCommand(spec)
    if (changes === null || command === null || found !== findings(spec, command) || !interpreter.isUpToDate()) {
      this.#drop(key)
      return null
    }
    this.#forget(key)
    try {
      return interpreter.begin(changes, spec.input, listener)
    } catch {
      this.#end(interpreter)
      return null // no descriptor is left
    }
  }

  /** Has an interpreter started for the next run of a hook, in a moment. */
  want(spec: ProcessSpec): void {
    if (this.#isClosed || spec.recurring === undefined) return
    this.#wanted.set(spec.recurring.key, spec)
    this.#later ??= setTimeout(() => {
      this.#later = undefined
      this.#starting ??= this.#startWanted().finally(() => {
        this.#starting = undefined
      })
    }, START_AFTER_MS).unref()
  }

  /** Has an interpreter started for a hook now, unless one waits; resolves when it does, or cannot be. */
  async ready(spec: ProcessSpec): Promise<void> {
    const key = spec.recurring?.key ?? ''
    if (!this.#waiting.has(key)) await this.#start(key, spec)
  }

  /** Ends all of them: what was found out about their hooks counts no more. */
  dropAll(): void {
    this.#generation++
    this.#wanted.clear()
    for (const key of [...this.#waiting.keys()]) this.#drop(key)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#later)
    this.dropAll()
    await this.#starting
    await Promise.all(this.#ending)
    const folder = await this.#folder?.catch(() => undefined) // it could not be made
    await folder?.remove()
  }

  /** One after the other: a host with few cores has other things to do as well. */
  async #startWanted(): Promise<void> {
    for (const [key, spec] of this.#wanted) {
      this.#wanted.delete(key)
      if (!this.#waiting.has(key)) await this.#start(key, spec)
      if (this.#isClosed) return
    }
  }

  async #start(key: string, spec: ProcessSpec): Promise<void> {
    const isFull = waitingHere >= MOST_WAITING || availableMemory() < SPARE_MEMORY
    if (this.#isClosed || isFull || (this.#failures.get(key) ?? 0) >= MOST_FAILURES) return
    const command = plainCommand(spec)
    const env = command === null ? null : await this.#environment(spec, command)
    if (command === null || env === null) return
    const generation = this.#generation
    const found = findings(spec, command)
    waitingHere++
    const held = await this.#hold(spec, env).catch(() => null) // no descriptor is left
    if (held === null) {
      waitingHere--
      return
    }
    const interpreter = new WaitingInterpreter(held, spec, LOADERS[command.interpreter].variable)
    const isReady = await comesToItsWait(interpreter, () => this.#isClosed || this.#generation !== generation)
    if (!isReady || this.#waiting.has(key)) {
      waitingHere--
      if (!isReady && this.#generation === generation) this.#failures.set(key, (this.#failures.get(key) ?? 0) + 1)
      this.#end(interpreter)
      return
    }
    this.#failures.delete(key)
    this.#waiting.set(key, { interpreter, found, tooLong: setTimeout(() => this.#drop(key), LONGEST_WAIT_MS).unref() })
  }

  /** The environment of a hook with what has its interpreter wait; null: it cannot be made to without a difference. */
  async #environment({ env }: ProcessSpec, command: PlainCommand): Promise<NodeJS.ProcessEnv | null> {
    const { fileName, text, variable, value, isOdd } = LOADERS[command.interpreter]
    const isOddName = (name: string): boolean => isOdd(name) || name.startsWith('BASH_FUNC_')
    if (!isInterpreter(command) || Object.keys(env).some(isOddName)) return null
    try {
      this.#folder ??= makeTempFolder('warm')
      const { path: folder } = await this.#folder
      const file = join(folder, fileName)
      await writeFile(file, text, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
      const asked = value({ folder, file }, env[variable])
      return asked === null ? null : { ...env, [variable]: asked }
    } catch {
      return null // the disk does not take it
    }
  }

  #drop(key: string): void {
    const waiting = this.#waiting.get(key)
    if (waiting === undefined) return
    this.#forget(key)
    this.#end(waiting.interpreter)
  }

  #forget(key: string): void {
    const waiting = this.#waiting.get(key)
    if (waiting === undefined || !this.#waiting.delete(key)) return
    clearTimeout(waiting.tooLong)
    waitingHere--
  }

  #end({ held }: WaitingInterpreter): void {
    held.end()
    const ending = soon(() => held.hasEnded, LONGEST_END_MS).then((hasEnded) => {
      this.#ending.delete(ending)
      if (!hasEnded) held.kill()
    })
    this.#ending.add(ending)
  }
}

/** Waits until an interpreter waits; false when it ends, takes too long, or is not wanted any more. */
async function comesToItsWait(interpreter: WaitingInterpreter, isUnwanted: () => boolean): Promise<boolean> {
  await soon(() => interpreter.isReady() || interpreter.held.hasEnded || isUnwanted(), LONGEST_START_MS)
  return interpreter.isReady() && !isUnwanted()
}

/** Looks now and then whether something is so, without keeping this process alive; whether it was, in time. */
async function soon(isSo: () => boolean, milliseconds: number): Promise<boolean> {
  for (const end = performance.now() + milliseconds; !isSo(); ) {
    if (performance.now() > end) return false
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS).unref())
  }
  return true
}

/** What a process that is started now depends on beside its environment: equal texts mean that nothing of it has changed. */
function findings({ cwd }: ProcessSpec, { program, script, byFirstLine }: PlainCommand): string {
  const interpreter = statsOf(program)
  const file = statsOf(script)
  const folder = statsOf(cwd)
  const { dev, ino, size, mtimeMs, ctimeMs } = interpreter ?? {}
  const content = byFirstLine ? [file?.dev, file?.ino, file?.size, file?.mtimeMs, file?.ctimeMs] : []
  const owner = [file?.uid, file?.gid, file?.mode]
  const found = [program, dev, ino, size, mtimeMs, ctimeMs, script, ...owner, ...content, folder?.dev, folder?.ino]
  return [...found, inherited()].join(' ')
}

/** What a process inherits from this one beside its environment. */
function inherited(): string {
  try {
    const status = readFileSync('/proc/self/status', 'latin1').match(INHERITED) ?? []
    return [...status, getPriority(), readFileSync('/proc/self/limits', 'latin1')].join(' ')
  } catch {
    return `unknown ${Math.random()}` // like nothing before
  }
}

const INHERITED = /^(?:Umask|Uid|Gid|Groups|CapInh|CapBnd|NoNewPrivs|Seccomp|Cpus_allowed_list):.*$/gm

/** That of the system, or of the container. */
function availableMemory(): number {
  const ask: unknown = Reflect.get(process, 'availableMemory') // since Node 20.13
  return typeof ask === 'function' ? Number(ask.call(process)) : freemem()
}
