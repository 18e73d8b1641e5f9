import type { FileHandle } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

/** The disk that files opened through `onDisk` lie on. */
export const disk = {
  /** How long every write takes, in milliseconds. */
  pauseMs: 0,
  /** Bytes that still fit; a write past them is taken in part, and the next one fails. */
  room: Number.POSITIVE_INFINITY,
  /** Calls of `write` so far. */
  writes: 0,
  reset(): void {
    Object.assign(disk, { pauseMs: 0, room: Number.POSITIVE_INFINITY, writes: 0 })
  },
}

/** `node:fs/promises` whose files lie on that disk. */
export function onDisk<Module extends { open: (...args: never[]) => Promise<FileHandle> }>(real: Module): Module {
  return { ...real, open: async (...args: never[]) => slowHandle(await real.open(...args)) }
}

function slowHandle(handle: FileHandle): FileHandle {
  const write = async (
    bytes: Buffer,
    offset = 0,
    _length?: number,
    at: number | null = null,
  ): Promise<{ bytesWritten: number }> => {
    disk.writes++
    if (disk.pauseMs > 0) await pause(disk.pauseMs)
    const { size } = await handle.stat()
    const within = at === null ? 0 : Math.max(0, Math.min(size - at, bytes.length - offset)) // needs no room of its own
    if (within > 0) return handle.write(bytes, offset, within, at)
    if (disk.room <= 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    const taken = Math.min(disk.room, bytes.length - offset)
    disk.room -= taken
    return handle.write(bytes, offset, taken, at)
  }
  return new Proxy(handle, {
    get(target, name) {
      if (name === 'write') return write
      const member = Reflect.get(target, name, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}
