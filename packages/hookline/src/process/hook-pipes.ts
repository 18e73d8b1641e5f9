import { constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net'
import { setAlarm } from './alarm.ts'
import { closeDescriptor } from './descriptors.ts'
import type { LaunchListener, OutputName, ReadingStart } from './launched.ts'
import { IS_NODE } from './spawn-group.ts'

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants
/** Names a file without opening it. Linux only, and not among Node's constants. */
const O_PATH = 0o10000000
const CHUNK = Buffer.allocUnsafeSlow(64 * 1024)
/** A process that writes more than this into a pipe between two looks writes without end. */
const MAX_READ_AT_ONCE_BYTES = 4 * 1024 * 1024
/** Quick hooks are over by then, and are read in one go; others are listened to. */
const FOLLOW_AFTER_MS = 10
/** The longest wait for a hook that is slow to open its outputs, or has closed one. */
const MAX_POLL_WAIT_MS = 200
/** Interval of polling where the runtime cannot wait for a pipe. */
const POLL_EVERY_MS = 5
/** Byte that may follow a JSON text. */
const PROBE = Buffer.from('\n')

/** The descriptors as which a process that makes three pipes has them: for the input, stdout and stderr of hooks. */
export const MADE_AS = ['3', '4', '5'] as const

/**
 * Three pipes between this process and the hooks that use them one after the other. They have no names, so that a hook
 * may open its input again by `/dev/stdin` without waiting for a writer. Both sides open them anew through `/proc` for
 * every hook: each hook has its own end of file.
 */
export class HookPipes {
  readonly #input: number
  readonly #inputPath: string
  readonly #outputs: Readonly<Record<OutputName, number>>
  readonly #outputPaths: readonly string[]
  readonly #canListen: boolean
  readonly #readers = new Map<OutputName, PipeTransfer>()
  #keeper: number | undefined
  #writer: PipeTransfer | undefined

  /** Takes over the pipes that another process has made, empty. Throws when they are no pipes, or what the system says. */
  constructor(maker: number, { canListen = IS_NODE } = {}) {
    this.#canListen = canListen
    const opened: number[] = []
    const open = (made: string, flags: number): number => {
      const descriptor = openSync(`/proc/${maker}/fd/${made}`, flags)
      opened.push(descriptor)
      if (!fstatSync(descriptor).isFIFO()) throw new Error('not a pipe')
      return descriptor
    }
    const [input, stdout, stderr] = MADE_AS
    try {
      this.#input = open(input, O_PATH)
      this.#outputs = {
        stdout: open(stdout, O_RDONLY | O_NONBLOCK),
        stderr: open(stderr, O_RDONLY | O_NONBLOCK),
      }
      this.#inputPath = findOwnPath(this.#input)
      const madeInput = openSync(this.#inputPath, O_RDONLY | O_NONBLOCK)
      opened.push(madeInput)
      this.#outputPaths = Object.values(this.#outputs).map(findOwnPath)
      for (const descriptor of [madeInput, ...Object.values(this.#outputs)])
        if (readNow(descriptor) < 0) throw new Error('what the maker wrote cannot be read')
      closeDescriptor(madeInput)
    } catch (error) {
      for (const descriptor of opened) closeDescriptor(descriptor)
      throw error
    }
  }

  /** Redirection by which a command reads from the pipe for its input. */
  get fromInput(): string {
    return `<${findPathFromOthers(this.#input)}`
  }

  /** The same for what it writes. It comes last, so that what the shell says about its input does not get there. */
  get toOutputs(): string {
    return `>${findPathFromOthers(this.#outputs.stdout)} 2>${findPathFromOthers(this.#outputs.stderr)}`
  }

  /** Name of the pipe for the stdout, as `/proc` shows it in each process that has it. */
  get outputName(): string {
    return `pipe:[${fstatSync(this.#outputs.stdout).ino}]`
  }

  /** The ends for a child of this process, to be closed here once it has them. Throws what the system says. */
  openEnds(): number[] {
    const opened: number[] = []
    try {
      opened.push(openSync(this.#inputPath, O_RDONLY))
      for (const path of this.#outputPaths) opened.push(openSync(path, O_WRONLY))
      return opened
    } catch (error) {
      for (const descriptor of opened) closeDescriptor(descriptor)
      throw error
    }
  }

  /** Opens the pipe for a hook's input; the answer puts everything into it. Throws what the system says. */
  openInput(): (bytes: Buffer) => void {
    this.#keeper = openSync(this.#inputPath, O_RDONLY | O_NONBLOCK) // a pipe without a reader takes nothing
    const descriptor = openSync(this.#inputPath, O_WRONLY | O_NONBLOCK)
    this.#writer = { stop: () => closeDescriptor(descriptor) }
    return (bytes) => {
      const written = writeNow(descriptor, bytes)
      if (written === bytes.length) {
        closeDescriptor(descriptor)
        this.#writer = undefined
        return
      }
      const rest = bytes.subarray(written)
      this.#writer = this.#canListen ? startListeningWriter(descriptor, rest) : startPollingWriter(descriptor, rest)
    }
  }

  /** Ends the input of a hook, filled or not. */
  endInput(): void {
    this.#writer?.stop()
    this.#writer = undefined
  }

  /** Reads what is in an output now; whether a process still holds it. */
  drain(output: OutputName, wrote: (chunk: Buffer) => void): boolean {
    for (let left = MAX_READ_AT_ONCE_BYTES; left > 0; ) {
      const length = readNow(this.#outputs[output])
      if (length <= 0) return length < 0
      wrote(CHUNK.subarray(0, length))
      left -= length
    }
    return true
  }

  /**
   * Reads both outputs from now on as something comes, until no process holds them. One that the hook has not opened yet is
   * closed at once, and can be followed again. Throws when the system has no descriptor left.
   */
  follow(wrote: (output: OutputName, chunk: Buffer) => void, closed: () => void): void {
    for (const output of ['stdout', 'stderr'] as const) {
      if (this.#readers.has(output)) continue
      const endReading = (): void => {
        this.#readers.get(output)?.stop()
        this.#readers.delete(output)
        closed()
      }
      const reader = this.#canListen
        ? startListeningReader(this.#outputs[output], { wrote: (chunk) => wrote(output, chunk), closed: endReading })
        : startPollingReader(() => this.drain(output, (chunk) => wrote(output, chunk)), endReading)
      this.#readers.set(output, reader)
    }
  }

  /** Lets go of what one hook needed; false when a process that it left behind still reads its input. */
  reset(): boolean {
    const wasOpened = this.#keeper !== undefined
    this.#letGo()
    return !wasOpened || !this.#isInputRead()
  }

  close(): void {
    this.#letGo()
    for (const descriptor of [this.#input, ...Object.values(this.#outputs)]) closeDescriptor(descriptor)
  }

  #letGo(): void {
    for (const reader of this.#readers.values()) reader.stop()
    this.#readers.clear()
    if (this.#writer !== undefined) this.endInput()
    if (this.#keeper !== undefined) closeDescriptor(this.#keeper)
    this.#keeper = undefined
  }

  /** Only a pipe with a reader takes anything; what it took is fetched back at once. */
  #isInputRead(): boolean {
    let writer: number | undefined
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0 // an error is what is expected, and its stack would cost more than the rest
    try {
      writer = openSync(this.#inputPath, O_WRONLY | O_NONBLOCK)
      writeSync(writer, PROBE)
      const reader = openSync(this.#inputPath, O_RDONLY | O_NONBLOCK)
      readNow(reader)
      closeDescriptor(reader)
      return true
    } catch (error) {
      return !(error instanceof Error && 'code' in error && error.code === 'EPIPE')
    } finally {
      Error.stackTraceLimit = stackTraceLimit
      if (writer !== undefined) closeDescriptor(writer)
    }
  }
}

/** Reads what a hook writes into its pipes, and passes it to the listener. */
export class OutputReader {
  readonly #pipes: HookPipes
  readonly #listener: LaunchListener
  #stopWaiting: () => void
  #waitMs = FOLLOW_AFTER_MS
  #hasExited = false
  #isHeld = false
  #isOver = false
  #isStopped = false

  constructor(pipes: HookPipes, listener: LaunchListener, { isListening = false }: Partial<ReadingStart> = {}) {
    this.#pipes = pipes
    this.#listener = listener
    this.#stopWaiting = isListening ? () => {} : setAlarm(FOLLOW_AFTER_MS, () => this.#follow())
    if (isListening) this.#follow()
  }

  /** The hook itself writes no more. */
  noteExit(): void {
    this.#hasExited = true
    this.#stopWaiting()
  }

  /** Reads what is there. */
  drain(): void {
    this.#isHeld = false
    for (const output of ['stdout', 'stderr'] as const) {
      const isHeld = this.#pipes.drain(output, (chunk) => this.#listener.wrote(output, chunk))
      this.#isHeld ||= isHeld
    }
  }

  /** True if a process holds the outputs; first reads what is there. */
  isHeld(): boolean {
    if (this.#isOver) return false
    this.drain()
    this.#isOver = this.#hasExited && !this.#isHeld
    if (this.#isHeld && this.#hasExited) this.#follow()
    return this.#isHeld
  }

  /** Reads no more; whether the hook exited, and no process holds its outputs. */
  stop(): boolean {
    this.#isStopped = true
    this.#stopWaiting()
    return this.#hasExited && !this.#isHeld
  }

  #follow(): void {
    try {
      this.#pipes.follow(
        (output, chunk) => this.#listener.wrote(output, chunk),
        () => this.#onClosed(),
      )
    } catch {
      this.#followLater() // no descriptor is left now
    }
  }

  /** A hook that has not exited may open its output yet; one that nothing reads would stop it. */
  #onClosed(): void {
    if (this.#isStopped) return
    if (this.#hasExited) this.#listener.closed()
    else this.#followLater()
  }

  #followLater(): void {
    this.#stopWaiting()
    this.#waitMs = Math.min(this.#waitMs * 2, MAX_POLL_WAIT_MS)
    this.#stopWaiting = setAlarm(this.#waitMs, () => this.#follow())
  }
}

function findOwnPath(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`
}

/** Path of a descriptor of this process for another one. */
function findPathFromOthers(descriptor: number): string {
  return `/proc/${process.pid}/fd/${descriptor}`
}

/** Reading or writing that goes on until it is stopped, and then calls nothing any more. */
interface PipeTransfer {
  stop(): void
}

/** Throws when the system has no descriptor left. */
function startListeningReader(
  output: number,
  { wrote, closed }: { wrote: (chunk: Buffer) => void; closed: () => void },
): PipeTransfer {
  const fd = openSync(findOwnPath(output), O_RDONLY | O_NONBLOCK)
  const onRead = (length: number): boolean => {
    wrote(CHUNK.subarray(0, length))
    return true
  }
  const socket = new Socket(makeReadOptions(fd, onRead))
  socket.on('error', () => {}) // bytes read before it broke still count
  socket.on('close', closed)
  socket.resume()
  return { stop: () => void socket.removeAllListeners('close').destroy() }
}

function startPollingReader(isHeld: () => boolean, closed: () => void): PipeTransfer {
  const poll = setInterval(() => {
    if (isHeld()) return
    clearInterval(poll)
    closed()
  }, POLL_EVERY_MS)
  return { stop: () => clearInterval(poll) }
}

function startListeningWriter(descriptor: number, bytes: Buffer): PipeTransfer {
  const socket = new Socket({ fd: descriptor, readable: false, writable: true })
  socket.on('error', () => {}) // no process reads it
  socket.end(bytes)
  return { stop: () => void socket.destroy() }
}

function startPollingWriter(descriptor: number, bytes: Buffer): PipeTransfer {
  let rest = bytes
  const poll = setInterval(() => {
    rest = rest.subarray(writeNow(descriptor, rest))
    if (rest.length === 0) stop()
  }, POLL_EVERY_MS)
  const stop = (): void => {
    if (isStopped) return
    isStopped = true
    clearInterval(poll)
    closeDescriptor(descriptor)
  }
  let isStopped = false
  return { stop }
}

/** Reads into one buffer for all: a flood leaves nothing to be collected. */
function makeReadOptions(fd: number, callback: OnReadOpts['callback']): SocketConstructorOpts & { onread: OnReadOpts } {
  return { fd, readable: true, writable: false, onread: { buffer: CHUNK, callback } }
}

/** Number of bytes there were; 0: the end; -1: nothing now. */
function readNow(descriptor: number): number {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0 // an error is what is mostly expected, and its stack would cost more than the rest
  try {
    return readSync(descriptor, CHUNK)
  } catch {
    return -1 // a process holds the other end, and has written nothing
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Number of bytes that a pipe took without waiting. */
function writeNow(descriptor: number, bytes: Buffer): number {
  try {
    return writeSync(descriptor, bytes)
  } catch {
    return 0 // more than it takes as a whole, or no room
  }
}
