import type { Duplex, Readable, Writable } from 'node:stream'
import { shortageOfDescriptors } from './descriptors.ts'
import type { Launched, OutputName, ProcessSpec, Witness } from './launched.ts'
import { readAside } from './read-aside.ts'
import { signalGroup, spawnGroup } from './spawn-group.ts'

type Stream = Readable | Writable | Duplex

/** Starts a process as a child of this one: always possible, and slow in a host that uses much memory. */
export function startDirectly(spec: ProcessSpec, witness: Witness): Launched {
  const { file, args, cwd, env, outputLimit } = spec
  const shortage = shortageOfDescriptors()
  if (shortage !== null) throw shortage
  const child = spawnGroup(file, args, { cwd, env })
  const { pid } = child
  const streams: (Stream | null)[] = [child.stdin]
  let openOutputs = 0
  let hasExited = false
  child.on('error', (error) => {
    if (pid === undefined) witness.failed(error)
  })
  if (pid !== undefined) {
    child.on('exit', (code, signal) => {
      hasExited = true
      witness.exited(code === null ? { code, signal: signal ?? 'unknown' } : { code, signal: null })
    })
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

  return {
    by: 'direct',
    ...(pid === undefined ? {} : { group: pid }),
    isStarted: () => pid !== undefined,
    isHeld: () => openOutputs > 0,
    signal: (signal) => {
      if (pid !== undefined) signalGroup(pid, signal)
    },
    isGone: () => pid === undefined || (hasExited && !signalGroup(pid, 0)),
    release: () => {
      for (const stream of streams) stream?.destroy()
      child.unref()
    },
  }
}
