import type { Duplex, Readable, Writable } from 'node:stream'
import { letGo, shortageOfDescriptors } from './descriptors.ts'
import { type HookPipes, OutputReader } from './hook-pipes.ts'
import type { Exit, Launched, OutputName, ProcessSpec, Witness } from './launched.ts'
import type { PipeStock } from './pipe-stock.ts'
import { readAside } from './read-aside.ts'
import { isSessionGone, signalSession } from './session-members.ts'
import { type ChildProcess, spawnGroup } from './spawn-group.ts'

type Stream = Readable | Writable | Duplex

/**
 * Starts a process as a child of this one: always possible, and slow in a host that uses much memory. Its input and
 * outputs are what Node makes: on Linux sockets, which nobody can open by name.
 */
export function startDirectly(spec: ProcessSpec, witness: Witness): Launched {
  const { file, args, cwd, env, outputLimit } = spec
  const shortage = shortageOfDescriptors()
  if (shortage !== null) throw shortage
  const child = spawnGroup(file, args, { cwd, env })
  const streams: (Stream | null)[] = [child.stdin]
  let openOutputs = 0
  if (child.pid !== undefined) {
    read('stdout')
    read('stderr')
    child.stdin?.on('error', () => {}) // a hook may exit without reading its input
    child.stdin?.end(spec.input)
  }

  function read(output: OutputName): void {
    const stream = child[output]
    if (!stream) return // the system had no descriptor left
    let bytes = 0
    let isAside = false
    const wrote = (chunk: Buffer): void => witness.wrote(output, chunk)
    const closed = (): void => {
      openOutputs--
      witness.closed()
    }
    openOutputs++
    streams.push(stream)
    stream.on('data', (chunk: Buffer) => {
      wrote(chunk)
      bytes += chunk.length
      if (isAside || bytes <= outputLimit) return
      const aside = readAside(stream, wrote)
      isAside = true
      if (aside === null) return
      stream.off('close', closed)
      streams.push(aside.on('close', closed))
    })
    stream.on('error', () => {}) // what was read before it broke still counts
    stream.on('close', closed)
  }

  return launchedChild(child, {
    failed: witness.failed,
    exited: witness.exited,
    isHeld: () => openOutputs > 0,
    release: () => {
      for (const stream of streams) stream?.destroy()
    },
  })
}

/** The same with pipes, as resident shells give them. Throws what the system says when it cannot. */
export function startWithPipes(
  spec: ProcessSpec,
  witness: Witness,
  { pipes, stock }: { pipes: HookPipes; stock: PipeStock },
): Launched {
  const { file, args, cwd, env } = spec
  const child = withEnds(pipes, (ends) => {
    const fill = pipes.openInput()
    const started = spawnGroup(file, args, { cwd, env, stdio: ends })
    fill(spec.input)
    return started
  })
  const reader = new OutputReader(pipes, witness)
  return launchedChild(child, {
    failed: witness.failed,
    exited: (exit) => {
      reader.noteExit()
      witness.exited(exit)
    },
    isHeld: () => reader.isHeld(),
    release: () => {
      if (reader.stop()) stock.giveBack(pipes)
      else pipes.close()
    },
  })
}

/** Hands the ends of the pipes over to a child; when there is none, the pipes are gone. */
function withEnds(pipes: HookPipes, start: (ends: number[]) => ChildProcess): ChildProcess {
  let ends: number[] = []
  try {
    const shortage = shortageOfDescriptors()
    if (shortage !== null) throw shortage
    ends = pipes.openEnds()
    return start(ends)
  } catch (error) {
    pipes.close()
    throw error
  } finally {
    for (const end of ends) letGo(end)
  }
}

/** What this process does with a child, whatever its input and outputs are. */
function launchedChild(
  child: ChildProcess,
  part: {
    readonly failed: (error: NodeJS.ErrnoException) => void
    readonly exited: (exit: Exit) => void
    readonly isHeld: () => boolean
    readonly release: () => void
  },
): Launched {
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
      child.unref()
    },
  }
}
