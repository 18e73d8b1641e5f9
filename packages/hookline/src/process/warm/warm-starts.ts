import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { freemem, getPriority } from 'node:os'
import { join } from 'node:path'
import { statOrUndefined } from '../../files/read.ts'
import { makeTempFolder, type TempFolder } from '../../files/temp-folder.ts'
import {
  type HeldProcess,
  type LaunchedProcess,
  type LaunchListener,
  type ProcessSpec,
  toInputBytes,
} from '../launched.ts'
import { RunningProcess } from '../process.ts'
import { findTrial, LOADERS, READY, READY_END, TRIAL_FILES } from './loaders.ts'
import { type InterpreterName, isInterpreter, type PlainCommand, readPlainCommand } from './plain-command.ts'
import { describePyenvShim } from './pyenv-shim.ts'
import { WaitingInterpreter } from './waiting-interpreter.ts'

/** In this process: an interpreter takes some ten to fifty mebibytes. */
const MAX_WAITING_INTERPRETERS = 8
/** With less memory than this no interpreter is started ahead. */
const SPARE_MEMORY = 512 * 1024 * 1024
/** One that is not used for so long is ended. */
const MAX_IDLE_MS = 5 * 60_000
/** One that takes longer to start is ended. */
const START_TIMEOUT_MS = 10_000
const LOOK_EVERY_MS = 100
/** The same for one that a run waits for, and how long that does so at the most. */
const LOOK_OFTEN_MS = 4
const CLAIM_TIMEOUT_MS = 1000
/** On a busy machine that takes longer: it is looked at after another eighth of the time so far. */
const LOOKS_BETWEEN = 8
/** Bytes: it tells of some dozens of files. */
const MAX_SAID_BYTES = 1024 * 1024
/** One that was told to end and does not is killed. */
const END_TIMEOUT_MS = 500
/** A command that did not come to its wait so often is not tried again. */
const MAX_FAILURES = 3
/** Between the end of a hook and the start of the next interpreter: the other hooks of its event come first. */
const START_AFTER_MS = 20
/** The same where events come at leisure: what the event was for comes first, and a start would take a core from it. */
const START_LATER_MS = 250
const LEISURE_MS = 500

let waitingHere = 0

/** An interpreter that waits, or will in a moment, with what it was started from. */
interface WaitingEntry {
  readonly interpreter: WaitingInterpreter
  /** Findings about its files and this process. */
  readonly found: string
  readonly tooLong: NodeJS.Timeout
  /** A run waits for it to come to its wait. */
  isClaimed: boolean
}

/** Keeps interpreters of one engine's hooks waiting, one for each hook that has run. */
export class WarmStarts {
  /** Starts a process ahead, as it would be started at its event, but for its environment; null when it cannot be. */
  readonly #hold: (spec: ProcessSpec, env: NodeJS.ProcessEnv) => Promise<HeldProcess | null>
  readonly #waiting = new Map<string, WaitingEntry>()
  readonly #wanted = new Map<string, ProcessSpec>()
  readonly #failures = new Map<string, number>()
  readonly #ending = new Set<Promise<void>>()
  readonly #starting = new Set<Promise<void>>()
  #later: NodeJS.Timeout | undefined
  #wantedAt = performance.now()
  #folder: Promise<TempFolder> | undefined
  readonly #loaders = new Map<InterpreterName, Promise<string>>()
  /** Counts how often all were dropped: what was being started then is dropped too. */
  #generation = 0
  #isClosed = false

  constructor(hold: (spec: ProcessSpec, env: NodeJS.ProcessEnv) => Promise<HeldProcess | null>) {
    this.#hold = hold
  }

  /** Runs a hook in the interpreter that waits for it; null when there is none that is ready and as it would be now. */
  take(spec: ProcessSpec, listener: LaunchListener): LaunchedProcess | null {
    const key = spec.recurring?.key ?? ''
    const waiting = this.#waiting.get(key)
    if (waiting === undefined) {
      this.#wanted.delete(key) // another one is wanted again when this run is over
      return null
    }
    const { interpreter, found } = waiting
    if (interpreter.held.hasEnded) this.#drop(key)
    if (!interpreter.isReady()) return null
    const changes = interpreter.listChanges(spec)
    const command = changes === null ? null : readPlainCommand(spec)
    const isAsFound = command !== null && found === collectFindings(spec, command)
    if (changes === null || !isAsFound || !interpreter.isUpToDate() || !interpreter.isUnharmed()) {
      this.#drop(key)
      return null
    }
    this.#forget(key)
    try {
      const run = interpreter.begin(changes, toInputBytes(spec.input), listener)
      const over = run.over.then(() => void this.#ending.delete(over))
      this.#ending.add(over)
      return run.launched
    } catch {
      this.#end(interpreter)
      return null // no descriptor is left
    }
  }

  /** True if an interpreter is on its way for a hook: it will be there sooner than one that is started now. */
  isComing({ recurring }: ProcessSpec): boolean {
    const waiting = this.#waiting.get(recurring?.key ?? '')
    return (
      waiting !== undefined &&
      !waiting.isClaimed &&
      !waiting.interpreter.isReady() &&
      !waiting.interpreter.held.hasEnded
    )
  }

  /** Waits for an interpreter that is on its way, for one run alone, and for a part of its time at the most. */
  async claim({ recurring, timeoutMs }: ProcessSpec, { longestMs = CLAIM_TIMEOUT_MS } = {}): Promise<void> {
    const waiting = this.#waiting.get(recurring?.key ?? '')
    if (waiting === undefined) return
    const { interpreter } = waiting
    waiting.isClaimed = true
    const longest = Math.min(longestMs, (timeoutMs ?? Number.POSITIVE_INFINITY) / 4)
    await waitForSoon(() => interpreter.isReady() || interpreter.held.hasEnded, longest, {
      every: LOOK_OFTEN_MS,
      isAwaited: true,
    })
    waiting.isClaimed = false
  }

  /** Has an interpreter started for the next run of a hook, in a moment. */
  want(spec: ProcessSpec): void {
    if (this.#isClosed || spec.recurring === undefined) return
    this.#wanted.set(spec.recurring.key, spec)
    const now = performance.now()
    const isAtLeisure = now - this.#wantedAt > LEISURE_MS
    this.#wantedAt = now
    this.#later ??= setTimeout(
      () => {
        this.#later = undefined
        for (const [key, one] of this.#wanted) this.#noteStart(this.#start(key, one))
        this.#wanted.clear()
      },
      isAtLeisure ? START_LATER_MS : START_AFTER_MS,
    ).unref()
  }

  /** Has an interpreter started for a hook now, unless one waits; resolves when it does, or cannot be. */
  async prepareInterpreter(spec: ProcessSpec): Promise<void> {
    const start = this.#start(spec.recurring?.key ?? '', spec)
    this.#noteStart(start)
    await start
    await this.claim(spec, { longestMs: START_TIMEOUT_MS })
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
    const alive = setInterval(() => {}, START_TIMEOUT_MS) // the wait here keeps no process alive by itself
    try {
      while (this.#starting.size + this.#ending.size > 0) await Promise.all([...this.#starting, ...this.#ending])
      const folder = await this.#folder?.catch(() => undefined) // the folder could not be made
      await folder?.remove()
    } finally {
      clearInterval(alive)
    }
  }

  #noteStart(start: Promise<void>): void {
    const starting = start.finally(() => this.#starting.delete(starting))
    this.#starting.add(starting)
  }

  async #start(key: string, spec: ProcessSpec): Promise<void> {
    if (this.#isClosed || this.#waiting.has(key) || (this.#failures.get(key) ?? 0) >= MAX_FAILURES) return
    const command = readPlainCommand(spec)
    if (command === null) return
    if (waitingHere >= MAX_WAITING_INTERPRETERS || readAvailableMemory() < SPARE_MEMORY) return // dear to ask
    const generation = this.#generation
    const found = collectFindings(spec, command)
    waitingHere++
    const env = await this.#makeEnvironment(spec, command)
    const isAsFound = env !== null && found === collectFindings(spec, command) // a trial takes a while
    const held = !isAsFound ? null : await this.#hold(spec, env).catch(() => null) // no descriptor is left
    const interpreter = held && new WaitingInterpreter(held, spec, LOADERS[command.interpreter])
    const isWanted = !this.#isClosed && this.#generation === generation && !this.#waiting.has(key)
    if (interpreter === null || !isWanted) {
      waitingHere--
      if (interpreter !== null) this.#end(interpreter)
      return
    }
    const tooLong = setTimeout(() => this.#drop(key), MAX_IDLE_MS).unref()
    const waiting = { interpreter, found, tooLong, isClaimed: false }
    this.#waiting.set(key, waiting)
    this.#noteStart(this.#seeToItsWait(key, waiting))
  }

  /** Drops an interpreter that does not come to its wait. */
  async #seeToItsWait(key: string, waiting: WaitingEntry): Promise<void> {
    const { interpreter } = waiting
    const isOurs = (): boolean => this.#waiting.get(key) === waiting
    await waitForSoon(() => interpreter.isReady() || interpreter.held.hasEnded || !isOurs(), START_TIMEOUT_MS)
    if (!isOurs()) return
    if (interpreter.isReady()) {
      this.#failures.delete(key)
      return
    }
    this.#failures.set(key, (this.#failures.get(key) ?? 0) + 1)
    this.#drop(key)
  }

  /** The environment of a hook with what has its interpreter wait; null: it cannot be made to without a difference. */
  async #makeEnvironment(spec: ProcessSpec, command: PlainCommand): Promise<NodeJS.ProcessEnv | null> {
    const { env } = spec
    const { variable, value, isOdd } = LOADERS[command.interpreter]
    const isOddName = (name: string): boolean => isOdd(name) || name.startsWith('BASH_FUNC_')
    if (Object.keys(env).some(isOddName)) return null
    const shim = isInterpreter(command) ? '' : describePyenvShim(spec, command)
    if (shim === null) return null
    try {
      this.#folder ??= makeTempFolder('warm')
      const { path: folder } = await this.#folder
      const file = await this.#writeLoader(folder, command.interpreter)
      const asked = value({ folder, file }, env[variable])
      const changed = asked === null ? null : { ...env, [variable]: asked }
      return changed !== null && (await isMadeToWait({ ...spec, env: changed }, command, { folder, shim }))
        ? changed
        : null
    } catch {
      return null // the disk does not take it
    }
  }

  async #writeLoader(folder: string, interpreter: InterpreterName): Promise<string> {
    const put = this.#loaders.get(interpreter) ?? putLoader(folder, interpreter)
    this.#loaders.set(interpreter, put)
    try {
      return await put
    } catch (error) {
      this.#loaders.delete(interpreter) // the disk may have room the next time
      throw error
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
    const ending = waitForSoon(() => held.hasEnded, END_TIMEOUT_MS, { every: LOOK_OFTEN_MS }).then((hasEnded) => {
      this.#ending.delete(ending)
      if (!hasEnded) held.kill()
    })
    this.#ending.add(ending)
  }
}

/** Puts the file that an interpreter is to load first, and programs that show whether it does. */
async function putLoader(folder: string, interpreter: InterpreterName): Promise<string> {
  const { fileName, text } = LOADERS[interpreter]
  for (const [name, content] of Object.entries({ ...TRIAL_FILES, [fileName]: text })) {
    await writeFile(join(folder, name), content, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
  return join(folder, fileName)
}

/** By what was found of the interpreter. */
const trials = new Map<string, Promise<boolean>>()
const MAX_TRIALS = 100

/**
 * Finds out if an interpreter waits before a program: one that was built to heed no variable would run a hook without an event.
 * So it is tried once, on an empty program, and has to say so. A shim is tried in the folder of the hook, by which it chooses.
 */
function isMadeToWait(
  { cwd, env }: ProcessSpec,
  { program, script }: PlainCommand,
  { folder, shim }: { readonly folder: string; readonly shim: string },
): Promise<boolean> {
  const { dev, ino, mtimeMs } = statOrUndefined(program) ?? {}
  const trial = findTrial(script)
  const key = [program, dev, ino, mtimeMs, trial, ...(shim === '' ? [] : [cwd, shim])].join(' ')
  const known = trials.get(key)
  if (known !== undefined) return known
  const limits = { timeoutMs: START_TIMEOUT_MS, outputLimit: MAX_SAID_BYTES }
  const place = { cwd: shim === '' ? folder : cwd, env, input: Buffer.alloc(0) }
  const tried = new RunningProcess({ file: program, args: [join(folder, trial)], ...place, ...limits }).ended.then(
    (run) => {
      if (run.ended !== 'exited') trials.delete(key) // the trial was ended, or took too long: that says nothing of it
      const said = run.ended === 'exited' ? run.stdout.kept.toString('utf8') : ''
      return said.startsWith(`${READY}\0`) && said.endsWith(READY_END)
    },
  )
  if (trials.size >= MAX_TRIALS) trials.clear()
  trials.set(key, tried)
  return tried
}

/** Looks now and then whether something is so, less often the longer it takes, and keeps this process alive only if that is awaited; whether it was, in time. */
async function waitForSoon(
  isSo: () => boolean,
  milliseconds: number,
  { every = LOOK_EVERY_MS, isAwaited = false } = {},
): Promise<boolean> {
  const start = performance.now()
  while (!isSo()) {
    const waited = performance.now() - start
    if (waited > milliseconds) return false
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(every, waited / LOOKS_BETWEEN))
      if (!isAwaited) timer.unref()
    })
  }
  return true
}

/** Collects what a process that is started now depends on beside its environment: equal texts mean that nothing of it has changed. */
function collectFindings(spec: ProcessSpec, command: PlainCommand): string {
  const { cwd } = spec
  const { program, script, byFirstLine } = command
  const interpreter = statOrUndefined(program)
  const file = statOrUndefined(script)
  const folder = statOrUndefined(cwd)
  const { dev, ino, size, mtimeMs, ctimeMs } = interpreter ?? {}
  const content = byFirstLine ? [file?.dev, file?.ino, file?.size, file?.mtimeMs, file?.ctimeMs] : []
  const owner = [file?.uid, file?.gid, file?.mode]
  const found = [program, dev, ino, size, mtimeMs, ctimeMs, script, ...owner, ...content, folder?.dev, folder?.ino]
  return [...found, readInherited(), describePyenvShim(spec, command)].join(' ')
}

/** Reads what a process inherits from this one beside its environment. */
function readInherited(): string {
  try {
    const status = readFileSync('/proc/self/status', 'utf8').match(INHERITED) ?? []
    return [...status, getPriority(), readFileSync('/proc/self/limits', 'utf8')].join(' ')
  } catch {
    return `unknown ${Math.random()}` // like nothing before
  }
}

const INHERITED = /^(?:Umask|Uid|Gid|Groups|CapInh|CapBnd|NoNewPrivs|Seccomp|Cpus_allowed_list):.*$/gm

/** Reads the memory of the system, or of the container. */
function readAvailableMemory(): number {
  const ask: unknown = Reflect.get(process, 'availableMemory') // since Node 20.13
  return typeof ask === 'function' ? Number(ask.call(process)) : freemem()
}
