import { constants, openSync, readSync, writeSync } from 'node:fs'
import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net'
import { join } from 'node:path'
import { errorCode } from '../files/read.ts'
import { letGo } from './descriptors.ts'
import type { OutputName } from './launched.ts'

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants
/** Names a file without opening it. Linux only, and not among Node's constants. */
const O_PATH = 0o10000000
const CHUNK = Buffer.allocUnsafeSlow(64 * 1024)
/** Nobody writes more than this into a pipe between two looks, unless somebody writes on and on. */
const MOST_AT_ONCE = 4 * 1024 * 1024

export const PIPE_NAMES = { input: '0', stdout: '1', stderr: '2' } as const

/**
 * The three named pipes between this process and the hooks of one resident shell, one hook at a time. Their names are
 * gone as soon as both sides know them; the shell opens them anew for every hook, so that each has its own end of file.
 */
export class ShellPipes {
  /** What a shell appends to a command so that it reads from the pipe for its input. */
  readonly fromInput: string
  /** The same for what it writes. It comes last, so that what the shell says about its input does not get there. */
  readonly toOutputs: string

  readonly #input: number
  readonly #outputs: Readonly<Record<OutputName, number>>
  readonly #readers = new Map<OutputName, Socket>()
  #keeper: number | undefined
  #writer: Socket | undefined

  /** Opens the pipes in a folder. Throws what the system says. */
  constructor(folder: string) {
    const opened: number[] = []
    const open = (name: string, flags: number): number => {
      const descriptor = openSync(join(folder, name), flags)
      opened.push(descriptor)
      return descriptor
    }
    try {
      this.#input = open(PIPE_NAMES.input, O_PATH)
      this.#outputs = {
        stdout: open(PIPE_NAMES.stdout, O_RDONLY | O_NONBLOCK),
        stderr: open(PIPE_NAMES.stderr, O_RDONLY | O_NONBLOCK),
      }
    } catch (error) {
      for (const descriptor of opened) letGo(descriptor)
      throw error
    }
    const here = (descriptor: number): string => `/proc/${process.pid}/fd/${descriptor}`
    const input = here(this.#input)
    // Opening a pipe to read waits for somebody who writes: for a moment the shell is that itself.
    this.fromInput = `4<>${input} <${input} 4<&-`
    this.toOutputs = `>${here(this.#outputs.stdout)} 2>${here(this.#outputs.stderr)}`
  }

  /** Puts everything that a hook gets to read into its pipe. Throws when the system has no room. */
  fill(bytes: Buffer): void {
    this.#keeper = openSync(this.#inputPath, O_RDONLY | O_NONBLOCK)
    const writer = openSync(this.#inputPath, O_WRONLY | O_NONBLOCK)
    const written = writtenAtOnce(writer, bytes)
    if (written === bytes.length) {
      letGo(writer)
      return
    }
    this.#writer = new Socket({ fd: writer, readable: false, writable: true })
    this.#writer.on('error', () => {}) // nobody reads it
    this.#writer.end(bytes.subarray(written))
  }

  /** Reads what is in an output now; whether somebody still holds it. */
  drain(output: OutputName, wrote: (chunk: Buffer) => void): boolean {
    for (let left = MOST_AT_ONCE; left > 0; ) {
      const length = readNow(this.#outputs[output])
      if (length <= 0) return length < 0
      wrote(CHUNK.subarray(0, length))
      left -= length
    }
    return true
  }

  /** Reads both outputs from now on as something comes. Throws when the system has no descriptor left. */
  follow(wrote: (output: OutputName, chunk: Buffer) => void, closed: () => void): void {
    for (const output of ['stdout', 'stderr'] as const) {
      if (this.#readers.has(output)) continue
      const fd = openSync(`/proc/self/fd/${this.#outputs[output]}`, O_RDONLY | O_NONBLOCK)
      const callback = (length: number): boolean => {
        wrote(output, CHUNK.subarray(0, length))
        return true
      }
      const reader = new Socket(readingInto(fd, callback))
      reader.on('error', () => {}) // what was read before it broke still counts
      reader.on('close', closed)
      reader.resume()
      this.#readers.set(output, reader)
    }
  }

  /** Lets go of what one hook needed; false when somebody it left behind still reads its input. */
  reset(): boolean {
    for (const reader of this.#readers.values()) reader.removeAllListeners('close').destroy()
    this.#readers.clear()
    this.#writer?.destroy()
    this.#writer = undefined
    if (this.#keeper === undefined) return true
    letGo(this.#keeper)
    this.#keeper = undefined
    return !this.#isInputRead()
  }

  close(): void {
    this.reset()
    for (const descriptor of [this.#input, ...Object.values(this.#outputs)]) letGo(descriptor)
  }

  get #inputPath(): string {
    return `/proc/self/fd/${this.#input}`
  }

  /** Only a pipe that somebody reads can be opened to write without waiting. */
  #isInputRead(): boolean {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0 // an error is what is expected, and its stack would cost more than the rest
    try {
      letGo(openSync(this.#inputPath, O_WRONLY | O_NONBLOCK))
      return true
    } catch (error) {
      return errorCode(error) !== 'ENXIO'
    } finally {
      Error.stackTraceLimit = stackTraceLimit
    }
  }
}

/** Reads into one buffer for all: a flood leaves nothing to be collected. */
function readingInto(fd: number, callback: OnReadOpts['callback']): SocketConstructorOpts & { onread: OnReadOpts } {
  return { fd, readable: true, writable: false, onread: { buffer: CHUNK, callback } }
}

/** How many bytes there were; 0: the end; -1: nothing now. */
function readNow(descriptor: number): number {
  try {
    return readSync(descriptor, CHUNK)
  } catch {
    return -1 // somebody holds the other end, and has written nothing
  }
}

/** How many bytes a pipe took without waiting. */
function writtenAtOnce(descriptor: number, bytes: Buffer): number {
  try {
    return writeSync(descriptor, bytes)
  } catch {
    return 0 // more than it takes as a whole, or no room
  }
}
