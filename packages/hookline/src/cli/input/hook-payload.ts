import { fstatSync, readSync } from 'node:fs'
import { readErrorCode } from '../../files/read.ts'

/** No event of an agent is longer. */
export const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024
const READ_AT_ONCE = 64 * 1024

/** True if stdin may hold a payload; a terminal and nothing at all do not. */
export function hasPayloadOnStdin(): boolean {
  try {
    return !fstatSync(0).isCharacterDevice()
  } catch {
    return false // the stream is closed
  }
}

/** Input that a host gives a hook on stdin. */
export interface GivenInput {
  readonly bytes: Buffer
  /** The payload; null: it cannot be read. */
  readonly payload: Readonly<Record<string, unknown>> | null
  /** stdin is at its end. */
  readonly ended: boolean
}

/** Reads stdin until there is a payload: an agent may leave its end open, and the command is to start all the same. */
export async function readPayload(): Promise<GivenInput> {
  let bytes: Buffer = Buffer.alloc(0)
  const buffer = Buffer.allocUnsafe(READ_AT_ONCE)
  try {
    for (let length = readSync(0, buffer); length > 0; length = readSync(0, buffer)) {
      bytes = Buffer.concat([bytes, buffer.subarray(0, length)])
      const given = readInput(bytes)
      if (given !== null) return given
    }
  } catch (error) {
    if (readErrorCode(error) !== 'EOF') return readAsStream(bytes) // stdin does not wait, or is closed
  }
  return { bytes, payload: parsePayload(bytes), ended: true }
}

/** Reads what is given once there is a payload, or more than one can be; null before. */
function readInput(bytes: Buffer): GivenInput | null {
  const payload = bytes.length > MAX_PAYLOAD_BYTES ? null : parsePayload(bytes)
  return payload !== null || bytes.length > MAX_PAYLOAD_BYTES ? { bytes, payload, ended: false } : null
}

/** The same of a stdin that a read does not wait for. It is paused afterwards, and does not keep this process alive. */
function readAsStream(first: Buffer): Promise<GivenInput> {
  const { stdin } = process
  let bytes = first
  return new Promise((resolve) => {
    const stopWith = (given: GivenInput): void => {
      stdin.off('data', take).pause().unref?.() // a closed stdin is a stream that has none
      resolve(given)
    }
    const take = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk])
      const given = readInput(bytes)
      if (given !== null) stopWith(given)
    }
    const end = (): void => stopWith({ bytes, payload: parsePayload(bytes), ended: true })
    stdin.on('data', take).on('end', end).on('error', end)
  })
}

const CLOSING_BRACE = 0x7d

/** The payload that bytes hold; null: they are only a part of one, or not JSON. */
export function parsePayload(bytes: Buffer): Readonly<Record<string, unknown>> | null {
  let end = bytes.length
  while (end > 0 && (bytes[end - 1] ?? 0) <= 0x20) end--
  if (bytes[end - 1] !== CLOSING_BRACE) return null
  try {
    const value = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** The rest of stdin behind what was read of it; what is longer than any payload is read and dropped. */
export async function readRest(first: Buffer): Promise<Buffer> {
  const chunks = [first]
  let length = first.length
  process.stdin.ref?.()
  try {
    for await (const chunk of process.stdin) {
      length += chunk.length
      if (length <= MAX_PAYLOAD_BYTES + READ_AT_ONCE) chunks.push(chunk)
    }
  } catch {
    // the stream is closed: then that was all
  }
  return Buffer.concat(chunks)
}
