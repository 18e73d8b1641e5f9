import { Socket, type SocketConstructorOpts } from 'node:net'
import type { Duplex, Readable, Writable } from 'node:stream'
import { closeDescriptor } from './descriptors.ts'
import { type HookPipes, OutputReader } from './hook-pipes.ts'
import {
  type Exit,
  type HeldProcess,
  type LaunchedBy,
  type LaunchedProcess,
  type LaunchListener,
  type OutputName,
  type ProcessSpec,
  toInputBytes,
} from './launched.ts'
import type { PipeStock } from './pipe-stock.ts'
import { isSessionGone, signalSession } from './session-members.ts'
import { type ChildProcess, spawnGroup } from './spawn-group.ts'

type Stream = Readable | Writable | Duplex

/**
 * Starts a process as a child of this one: always possible, and slow in a host that uses much memory. Its input and
 * outputs are what Node makes: on Linux sockets, which cannot be opened by name.
 */
export function startDirectly(spec: ProcessSpec, listener: LaunchListener): LaunchedProcess {
  if (process.platform === 'win32')
    return startLater('direct', listener, (isReleased) => startOnWindows(spec, listener, isReleased))
  const { file, args, cwd, env } = spec
  return followChild(spawnGroup(file, args, { cwd, env }), spec, listener)
}

/** Starts on Windows, with code that is loaded there alone. */
async function startOnWindows(
  spec: ProcessSpec,
  listener: LaunchListener,
  isReleased: () => boolean,
): Promise<LaunchedProcess | null> {
  const { startTree } = await import('./windows/tree.ts')
  if (isReleased()) return null
  const tree = startTree(spec)
  const { group: _, ...launched } = followChild(tree.child, spec, listener)
  let isEnded = false
  return {
    ...launched,
    isHeld: () => !isEnded && launched.isHeld(),
    end: () =>
      tree.end().then(() => {
        isEnded = true
      }),
    release: () => {
      tree.leave()
      launched.release()
    },
  }
}

/** Feeds a child and reads what it writes. */
function followChild(child: ChildProcess, spec: ProcessSpec, listener: LaunchListener): LaunchedProcess {
  const { outputLimit } = spec
  const streams: (Stream | null)[] = [child.stdin]
  let openOutputs = 0
  if (child.pid !== undefined) {
    read('stdout')
    read('stderr')
    child.stdin?.on('error', () => {}) // a hook may exit without reading its input
    child.stdin?.end(toInputBytes(spec.input))
  }

  function read(output: OutputName): void {
    const stream = child[output]
    if (!stream) return // the system had no descriptor left
    let bytes = 0
    let isAside = false
    const takeChunk = (chunk: Buffer): void => listener.wrote(output, chunk)
    const takeEnd = (): void => {
      openOutputs--
      listener.closed()
    }
    openOutputs++
    streams.push(stream)
    stream.on('data', (chunk: Buffer) => {
      takeChunk(chunk)
      bytes += chunk.length
      if (isAside || bytes <= outputLimit) return
      const aside = readAside(stream, takeChunk)
      isAside = true
      if (aside === null) return
      stream.off('close', takeEnd)
      streams.push(aside.on('close', takeEnd))
    })
    stream.on('error', () => {}) // bytes read before it broke still count
    stream.on('close', takeEnd)
  }

  return makeLaunched(child, {
    failed: listener.failed,
    exited: listener.exited,
    isHeld: () => openOutputs > 0,
    release: () => {
      for (const stream of streams) stream?.destroy()
    },
  })
}

/** The same with pipes, as resident shells give them; without a stock they are used once. Throws what the system says when it cannot. */
export function startWithPipes(
  spec: ProcessSpec,
  listener: LaunchListener,
  { pipes, stock }: { pipes: HookPipes; stock?: PipeStock | undefined },
): LaunchedProcess {
  const { child, fill } = spawnWithPipes(spec, pipes)
  fill(toInputBytes(spec.input))
  const reader = new OutputReader(pipes, listener)
  return makeLaunched(child, {
    failed: listener.failed,
    exited: (exit) => {
      reader.noteExit()
      listener.exited(exit)
    },
    isHeld: () => reader.isHeld(),
    release: () => {
      if (reader.stop() && stock !== undefined) stock.giveBack(pipes)
      else pipes.close()
    },
  })
}

/** Starts a process with pipes ahead of its event; its input is filled later, unless it is over before. Null, or throws what the system says, when it cannot. */
export function holdWithPipes(
  spec: ProcessSpec,
  { pipes, stock, over }: { pipes: HookPipes; stock: PipeStock; over: (group: number | undefined) => void },
): HeldProcess | null {
  let begun: { readonly listener: LaunchListener; readonly reader: OutputReader } | undefined
  let hasEnded = false
  const { child, fill } = spawnWithPipes(spec, pipes)
  const endUnbegun = (): void => {
    hasEnded = true
    for (const output of ['stdout', 'stderr'] as const) pipes.drain(output, () => {})
    stock.giveBack(pipes)
    over(child.pid)
  }
  const launched = makeLaunched(child, {
    failed: endUnbegun,
    exited: (exit) => {
      if (begun === undefined) {
        endUnbegun()
        return
      }
      begun.reader.noteExit()
      begun.listener.exited(exit)
    },
    isHeld: () => begun?.reader.isHeld() ?? false,
    release: () => {
      if (begun?.reader.stop()) stock.giveBack(pipes)
      else pipes.close()
    },
  })
  const { pid: leader } = child
  if (leader === undefined) return null
  child.unref() // a process that waits does not keep this one alive
  return {
    leader,
    get hasEnded() {
      return hasEnded
    },
    said: () => readPipeText(pipes),
    begin: (input, listener, reading) => {
      child.ref()
      fill(input)
      begun = { listener, reader: new OutputReader(pipes, listener, reading) }
      return launched
    },
    end: () => {
      if (!hasEnded) pipes.endInput()
    },
    kill: () => launched.signal('SIGKILL'),
  }
}

/** Reads what is in the pipe of a stdout now. */
export function readPipeText(pipes: HookPipes): string {
  const chunks: Buffer[] = []
  pipes.drain('stdout', (chunk) => chunks.push(Buffer.from(chunk)))
  return Buffer.concat(chunks).toString('utf8')
}

/** A process that is started later; the listener hears of a start that fails, and none is made once it was released. */
export function startLater(
  by: LaunchedBy,
  listener: LaunchListener,
  start: (isReleased: () => boolean) => Promise<LaunchedProcess | null>,
): LaunchedProcess {
  let started: LaunchedProcess | null = null
  let isReleased = false
  void start(() => isReleased).then(
    (launched) => {
      started = launched
      if (!isReleased) return
      launched?.signal('SIGKILL') // the host let go of it just when it had been started
      launched?.release()
    },
    (error: NodeJS.ErrnoException) => listener.failed(error),
  )
  return {
    get by() {
      return started?.by ?? by
    },
    isStarted: () => started?.isStarted() ?? false,
    isHeld: () => started?.isHeld() ?? false,
    signal: (signal) => started?.signal(signal),
    end: () => started?.end?.() ?? null,
    isGone: () => started?.isGone() ?? true,
    release: () => {
      isReleased = true
      started?.release()
    },
  }
}

/** Starts a child with the ends of the pipes, and fills its input later; when there is no child, the pipes are gone. */
function spawnWithPipes(
  { file, args, cwd, env }: ProcessSpec,
  pipes: HookPipes,
): { readonly child: ChildProcess; readonly fill: (bytes: Buffer) => void } {
  let ends: number[] = []
  try {
    ends = pipes.openEnds()
    const fill = pipes.openInput()
    return { fill, child: spawnGroup(file, args, { cwd, env, stdio: ends }) }
  } catch (error) {
    pipes.close()
    throw error
  } finally {
    for (const end of ends) closeDescriptor(end)
  }
}

/** Makes what this process does with a child, whatever its input and outputs are. */
function makeLaunched(
  child: ChildProcess,
  part: {
    readonly failed: (error: NodeJS.ErrnoException) => void
    readonly exited: (exit: Exit) => void
    readonly isHeld: () => boolean
    readonly release: () => void
  },
): LaunchedProcess {
  const { pid } = child
  let hasExited = false
  child.on('error', (error) => {
    if (pid === undefined) part.failed(error)
  })
  child.on('exit', (code, signal) => {
    if (pid === undefined) return
    hasExited = true
    part.exited(code === null ? { code, signal: signal ?? 'unknown' } : { code, signal: null })
  })
  return {
    by: 'direct',
    ...(pid === undefined ? {} : { group: pid }),
    isStarted: () => pid !== undefined,
    isHeld: part.isHeld,
    signal: (signal) => {
      if (pid !== undefined) signalSession(pid, signal)
    },
    isGone: () => pid === undefined || (hasExited && isSessionGone(pid)),
    release: () => {
      part.release()
      if (pid !== undefined) child.unref()
    },
  }
}

/** The parts of a child's output stream that Node does not document. */
interface ChildInternals {
  _handle?: { readonly useUserBuffer?: unknown; readonly readStop?: () => void; reading?: boolean } | null
}

const SHARED_SIZE = 64 * 1024
let shared: Buffer | undefined

/**
 * Goes on reading a child's output into one buffer for all, when nothing more of it is kept. Node reads every 64 KiB into
 * a new buffer and lets go of them late: a gigabyte costs tens of mebibytes. There is no documented way to lend a child's
 * stream a buffer; where this way is gone it returns null, and the stream goes on as before.
 */
function readAside(stream: Readable, wrote: (chunk: Buffer) => void): Socket | null {
  const inside = stream as Readable & ChildInternals // a net.Socket, which tells its readers less than it has
  const handle = inside._handle
  if (typeof handle?.useUserBuffer !== 'function' || typeof handle.readStop !== 'function') return null
  handle.readStop()
  handle.reading = false // or the new one takes it for started
  inside._handle = null // the handle belongs to the new socket now
  stream.destroy()
  shared ??= Buffer.allocUnsafe(SHARED_SIZE)
  const onRead = (count: number, buffer: Uint8Array): boolean => {
    wrote(Buffer.from(buffer.buffer, buffer.byteOffset, count))
    return true
  }
  const options = { handle, readable: true, writable: false, onread: { buffer: shared, callback: onRead } }
  const socket = new Socket(options as SocketConstructorOpts) // `handle` is not among the documented ones
  socket.on('error', () => {}) // bytes read before it broke still count
  socket.resume()
  return socket
}
