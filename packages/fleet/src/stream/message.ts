import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { parseJsonOrNull } from 'hookline/internal'
import type { Batch, BatchLine } from '../batch.ts'
import { StoreError, type Tenant } from '../store/database.ts'

/** A batch on its way to the store: its machine was let in, and secrets were taken out. */
export interface StreamedBatch {
  readonly tenant: Tenant
  readonly batch: Batch
}

/** Fast: it lies in the stream for moments. */
const LEVEL = 1
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024

/** Packs a batch into messages that a stream takes, in the order of its records. A record that is too long for one is refused in it. */
export function packMessages({ tenant, batch }: StreamedBatch, maxBytes: number): PackedMessage[] {
  const packed = deflateRawSync(JSON.stringify({ tenant, batch }), { level: LEVEL })
  if (packed.length <= maxBytes) return [{ bytes: packed, batch }]
  const { lines } = batch
  const [only] = lines
  if (only === undefined) throw new TypeError('a batch without records is too long for a message')
  if (lines.length === 1) {
    if (only.content.is === 'refused') throw new TypeError('a record that says nothing is too long for a message')
    return packMessages({ tenant, batch: { ...batch, lines: [refuseLine(only, maxBytes)] } }, maxBytes)
  }
  const half = Math.ceil(lines.length / 2)
  return [lines.slice(0, half), lines.slice(half)].flatMap((part) =>
    packMessages({ tenant, batch: { ...batch, lines: part } }, maxBytes),
  )
}

/** A message of a stream, and the batch that is in it. */
export interface PackedMessage {
  readonly bytes: Uint8Array
  readonly batch: Batch
}

function refuseLine(line: BatchLine, maxBytes: number): BatchLine {
  const reason = `it is longer than a message of the stream, which has ${maxBytes} bytes (max_payload of nats-server)`
  return { ...line, content: { is: 'refused', reason } }
}

/** Gives back what was packed. Throws a StoreError for what is no message of a fleet. */
export function unpackMessage(bytes: Uint8Array): StreamedBatch {
  const value = readMessage(bytes) as Partial<StreamedBatch> | null // as a server wrote it: nobody else may write to the stream
  const { tenant, batch } = value ?? {}
  if (typeof tenant?.id !== 'number' || !Array.isArray(batch?.lines))
    throw new StoreError('a message of the stream is no batch of a fleet')
  return { tenant, batch }
}

function readMessage(bytes: Uint8Array): unknown {
  try {
    return parseJsonOrNull(inflateRawSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }).toString('utf8'))
  } catch {
    return null // told by the one who asked
  }
}
