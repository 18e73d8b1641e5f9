import { Socket, type SocketConstructorOpts } from 'node:net'
import type { Readable } from 'node:stream'

/** The parts of a child's output stream that Node does not document. */
interface Undocumented {
  _handle?: { readonly useUserBuffer?: unknown; readonly readStop?: () => void; reading?: boolean } | null
}

const SIZE = 64 * 1024
let shared: Buffer | undefined

/**
 * Goes on reading a child's output into one buffer for all, when nothing more of it is kept. Node reads every 64 KiB into
 * a new buffer and lets go of them late: a gigabyte costs tens of mebibytes. There is no documented way to lend a child's
 * stream a buffer; where this way is gone it returns null, and the stream goes on as before.
 */
export function readAside(stream: Readable, wrote: (chunk: Buffer) => void): Socket | null {
  const inside = stream as Readable & Undocumented // a net.Socket, which tells its readers less than it has
  const handle = inside._handle
  if (typeof handle?.useUserBuffer !== 'function' || typeof handle.readStop !== 'function') return null
  handle.readStop()
  handle.reading = false // or the new one takes it for started
  inside._handle = null // it belongs to the new one now
  stream.destroy()
  shared ??= Buffer.allocUnsafe(SIZE)
  const callback = (count: number, buffer: Uint8Array): boolean => {
    wrote(Buffer.from(buffer.buffer, buffer.byteOffset, count))
    return true
  }
  const options = { handle, readable: true, writable: false, onread: { buffer: shared, callback } }
  const socket = new Socket(options as SocketConstructorOpts) // `handle` is not among the documented ones
  socket.on('error', () => {}) // what was read before it broke still counts
  socket.resume()
  return socket
}
