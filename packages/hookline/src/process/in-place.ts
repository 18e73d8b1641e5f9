import { accessSync, constants as modes } from 'node:fs'
import { Socket } from 'node:net'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'
import { HooklineError } from '../files/error.ts'
import { startTreeGuard } from './orphan-guard.ts'
import { type ChildProcess, type ProgramLine, spawnBeside } from './spawn-group.ts'
import { describeStartFailure, findShortage } from './system-error.ts'

/** Program that is started in place of this process. */
export interface Replacement {
  readonly file: string
  readonly args: readonly string[]
  /** Part of stdin that was read already, and whether that is all; null: nothing, and the program gets stdin itself. */
  readonly input: { readonly bytes: Buffer; readonly isAll: boolean } | null
  /** Hears what it writes, all of which reaches the host as it is. */
  readonly listener?: Listener
}

/** Listener to a program that runs in place. */
export interface Listener {
  readonly heard: (stream: 'stdout' | 'stderr', bytes: Buffer) => void
  /** Called when it has ended, before this process ends as it did. */
  readonly ended: (end: ProgramEnd) => Promise<void>
}

/** End of a program. */
export interface ProgramEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** The host sent a signal while it ran. */
  readonly stopped: boolean
}

/** Hears nothing. */
const DEAF: Listener = { heard: () => {}, ended: async () => {} }

/** Makes what runs words of a command line: one is shell text, as in a settings file; several are a program and its arguments. */
export function toProgram([first, ...rest]: readonly [string, ...string[]]): { file: string; args: readonly string[] } {
  if (rest.length > 0) return { file: first, args: rest }
  return { file: '/bin/sh', args: ['-c', first] }
}

/** Signals that the host may send to this process alone. */
const FORWARDED = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const

/** The exit codes of shells for a program that is not there, and for one that cannot be started. */
const NOT_FOUND = 127
const NOT_STARTED = 126

/**
 * Runs a program as if it were this process: with its input, outputs, folder, environment and process group. Signals go to
 * it, and when this process is killed it ends as well. Its end is ours: resolves with its exit code, or ends this process by the signal that ended it.
 * Rejects with a HooklineError where the system has no room for it.
 */
export async function runInPlace({
  file,
  args,
  input,
  listener = DEAF,
}: Replacement): Promise<{ readonly code: number; readonly fault?: string }> {
  const early: NodeJS.Signals[] = []
  let forwardSignal = (signal: NodeJS.Signals): unknown => early.push(signal)
  let stopped = false
  for (const signal of FORWARDED)
    process.on(signal, () => {
      stopped = true
      forwardSignal(signal) // also before there is a program, which would stay behind
    })
  const line = process.platform === 'win32' ? await makeLineOnWindows(file, args) : { file, args }
  if ('fault' in line) return { code: NOT_STARTED, fault: line.fault }
  const guard = process.platform === 'win32' ? null : startTreeGuard()
  const held = guard === null ? null : holdBack(line)
  // the outputs are not ours: once this process has made streams of those, they do not wait for a slow reader.
  const child = spawnBeside(held ?? line, [
    input === null ? 'inherit' : 'pipe',
    'pipe',
    'pipe',
    ...(held ? ['pipe' as const] : []),
  ])
  const failed = new Promise<NodeJS.ErrnoException>((resolve) => child.on('error', resolve))
  if (!child.stdout) throw makeShortageError(file, await failed) // the system had no room for pipes
  if (child.pid !== undefined) guard?.watch(child.pid)
  if (held !== null) releaseGate(child)
  forwardSignal = (signal) => child.kill(signal)
  for (const signal of early) forwardSignal(signal)
  if (input !== null) feedInput(child, input)
  const passed = passOutputs(child, listener)
  return new Promise((resolve, reject) => {
    void failed.then((error) => {
      guard?.release()
      if (findShortage(describeStartFailure(error)) !== null) return reject(makeShortageError(file, error))
      resolve({ code: error.code === 'ENOENT' ? NOT_FOUND : NOT_STARTED, fault: `${file}: ${error.message}` })
    })
    child.on('exit', async (code, signal) => {
      const end = { code, signal, stopped }
      forwardSignal = endWithSignal
      guard?.release()
      await Promise.all(passed.map((toTheEnd) => toTheEnd()))
      await listener.ended(end)
      if (signal !== null) endWithSignal(signal)
      if (input?.isAll === false) process.stdin.destroy() // the host may keep its end open
      resolve({ code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]) })
    })
  })
}

/** Waits for a line on a descriptor of its own, and becomes the program behind it; without one it never starts. */
const HELD = 'read -r _ <&3 && exec "$@" 3<&-'

/**
 * Makes a program wait until the guard that ends it with this process knows its number: it may run before the system has told
 * this process so. Null for a program that cannot be executed, which is told best by its own start.
 */
function holdBack({ file, args }: ProgramLine): ProgramLine | null {
  return isExecutable(file) ? { file: '/bin/sh', args: ['-c', HELD, 'sh', file, ...args] } : null
}

function isExecutable(file: string, { PATH = '' } = process.env): boolean {
  const folders = file.includes('/') ? [''] : PATH.split(delimiter)
  return folders.some((folder) => {
    try {
      accessSync(join(folder, file), modes.X_OK)
      return true
    } catch {
      return false // no such file, or one that may not be executed
    }
  })
}

function releaseGate({ stdio }: ChildProcess): void {
  const gate = stdio[3]
  if (gate instanceof Socket) gate.on('error', () => {}).end('\n') // the program has been ended
}

/** Error of a program that is there and found no room: its exit code of its own would be leave to go on without it. */
function makeShortageError(file: string, error: NodeJS.ErrnoException): HooklineError {
  return new HooklineError(`${file} could not be started: ${describeStartFailure(error)}.`)
}

async function makeLineOnWindows(
  file: string,
  args: readonly string[],
): Promise<ProgramLine | { readonly fault: string }> {
  const { makeWindowsLine } = await import('./windows/command-line.ts')
  try {
    return makeWindowsLine({ file, args, cwd: process.cwd(), env: process.env })
  } catch (error) {
    return { fault: `${file}: ${error instanceof Error ? error.message : error}` } // a sentence
  }
}

function feedInput({ stdin }: ChildProcess, { bytes, isAll }: NonNullable<Replacement['input']>): void {
  if (isAll) return void stdin?.on('error', () => {}).end(bytes) // a program may end without reading its input
  stdin?.on('error', () => process.stdin.destroy()) // the program reads no more: the host hears of it with its next write
  stdin?.write(bytes)
  if (stdin) process.stdin.pipe(stdin)
}

/** Passes on what a program writes. Each of the functions resolves, once it has ended, when all of it is on its way to the host. */
function passOutputs({ stdout, stderr }: ChildProcess, { heard }: Listener): (() => Promise<void>)[] {
  if (stdout === null || stderr === null) throw new TypeError('its outputs are pipes')
  return [
    forwardOutput(stdout, process.stdout, (bytes) => heard('stdout', bytes)),
    forwardOutput(stderr, process.stderr, (bytes) => heard('stderr', bytes)),
  ]
}

function forwardOutput(
  from: Readable,
  to: NodeJS.WriteStream & { fd: number },
  heard: (bytes: Buffer) => void,
): () => Promise<void> {
  let chunks = 0
  let isOpen = true
  from.on('data', (bytes: Buffer) => {
    chunks++
    heard(bytes)
    if (to.write(bytes)) return
    from.pause()
    to.once('drain', () => from.resume())
  })
  from.on('error', () => {}) // bytes read before it broke count
  to.on('error', () => {
    isOpen = false
    from.destroy() // the host reads no more: the program hears of it with its next write
  })
  return async () => {
    while (isOpen && !from.readableEnded && !from.destroyed) {
      if (from.isPaused()) {
        await new Promise<unknown>((resolve) => to.once('drain', resolve).once('error', resolve)) // the host reads slowly
        continue
      }
      const before = chunks
      for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve))
      if (chunks === before && !from.readableEnded && !from.isPaused()) leaveTo(from, to.fd)
    }
    if (isOpen && to.writableLength > 0)
      await new Promise<unknown>((resolve) => to.once('drain', resolve).once('error', resolve))
  }
}

/** Turns of the event loop after which everything was read that a program wrote before its end. */
const TURNS = 3

/** A process that the program started still writes: the host gets that as well, and does not wait for it. */
function leaveTo(from: Readable, output: number): void {
  if (process.platform !== 'win32')
    spawnBeside({ file: 'cat', args: [] }, [from, output, 'ignore'])
      .on('error', () => {}) // then its output ends here
      .unref()
  from.destroy()
}

/** Ends this process as another one was ended; returns where a signal cannot do that, such as one that Node ignores. */
function endWithSignal(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}
