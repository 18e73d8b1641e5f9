import type { FileHandle } from 'node:fs/promises'
import { replaceFile } from '../files/replace.ts'
import type { EventSummary } from '../log/event-summary.ts'
import type { ByteSpan } from '../log/lines.ts'
import { openOwnFile } from '../log/read-entries-from.ts'
import type { SessionTally } from '../log/sessions.ts'
import { digestText } from '../text/digest.ts'
import { isObject, parseJsonOrNull } from '../text/json.ts'

/** An event of a log, and where it is written. */
export interface IndexedEvent {
  readonly summary: EventSummary
  /** The file, by its inode: files are moved aside. */
  readonly ino: number
  readonly spans: readonly ByteSpan[]
  /** Digest of the configured hooks; empty where the record has none. */
  readonly snapshot: string
}

/** A session of an index: its sums, and where the rows of its events are. */
export interface StoredSession {
  readonly tally: SessionTally
  readonly rows: ByteSpan | null
}

/** Facts that an index keeps beside the rows. */
export interface IndexTable {
  /** Files of the log, the oldest first, and how far each was read. */
  readonly files: readonly IndexedFile[]
  readonly line: number
  readonly events: number
  readonly skipped: Readonly<Record<string, number>>
  readonly sessions: readonly StoredSession[]
  /** Places of lines that have configured hooks, by inode and digest. */
  readonly configured: readonly (readonly [string, ByteSpan])[]
}

/** A file of a log at the time of indexing. */
export interface IndexedFile {
  readonly ino: number
  /** Bytes that were read. */
  readonly size: number
  /** The last of them, to tell whether it is still the same file. */
  readonly tail: string
}

const MAGIC = 'hookline log index 1'
/** Bytes at the end of an index that say where its table is. */
const TRAILER_BYTES = 128
/** Bytes of a log that are compared before an index is believed. */
const TAIL_BYTES = 64
const OWNERS_FILE = 0o600
const MAX_TABLE_BYTES = 256 * 1024 * 1024

/** The path of the index of a log. */
export function nameIndexFile(log: string): string {
  return `${log}.index`
}

/** Writes an index in one step. `rowsOf` gives the rows of a session, in order, each as JSON. */
export async function writeIndex(
  log: string,
  table: Omit<IndexTable, 'sessions'>,
  sessions: readonly { readonly tally: SessionTally; readonly rows: string }[],
): Promise<void> {
  await replaceFile(nameIndexFile(log), layOut(table, sessions), { mode: OWNERS_FILE, followLinks: false })
}

function* layOut(
  table: Omit<IndexTable, 'sessions'>,
  sessions: readonly { readonly tally: SessionTally; readonly rows: string }[],
): Generator<string> {
  let offset = 0
  const stored: StoredSession[] = []
  for (const { tally, rows } of sessions) {
    const bytes = Buffer.byteLength(rows)
    stored.push({ tally, rows: { offset, bytes } })
    offset += bytes
    yield rows
  }
  const text = JSON.stringify({ ...table, sessions: stored } satisfies IndexTable)
  yield text
  const trailer = JSON.stringify({
    is: MAGIC,
    table: { offset, bytes: Buffer.byteLength(text) },
    digest: digestText(text),
  })
  yield `${trailer.padEnd(TRAILER_BYTES - 1)}\n`
}

/** An index that was read: its table, and the open file with its rows. */
export interface OpenIndex {
  readonly table: IndexTable
  readonly handle: FileHandle
}

/** Reads the index of a log; null where there is none, or it is not one. */
export async function readIndex(log: string): Promise<OpenIndex | null> {
  const handle = await openOwnFile(nameIndexFile(log)).catch(() => null) // a link, or of another user
  if (handle === null) return null
  const table = await readTable(handle).catch(() => null) // cut off meanwhile
  if (table !== null) return { table, handle }
  await handle.close()
  return null
}

async function readTable(handle: FileHandle): Promise<IndexTable | null> {
  const { size } = await handle.stat()
  if (size < TRAILER_BYTES) return null
  const trailer = parseJsonOrNull(await readSpan(handle, { offset: size - TRAILER_BYTES, bytes: TRAILER_BYTES }))
  if (!isObject(trailer) || trailer.is !== MAGIC || !isSpan(trailer.table)) return null
  if (trailer.table.bytes > MAX_TABLE_BYTES) return null
  const text = await readSpan(handle, trailer.table)
  if (digestText(text) !== trailer.digest) return null
  return parseJsonOrNull(text) as IndexTable // the digest is right, so this package wrote it
}

function isSpan(value: unknown): value is ByteSpan {
  return isObject(value) && Number.isSafeInteger(value.offset) && Number.isSafeInteger(value.bytes)
}

/** Reads a part of a file as text. */
export async function readSpan(handle: FileHandle, { offset, bytes }: ByteSpan): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(bytes), 0, bytes, offset)
  return buffer.toString('utf8', 0, bytesRead)
}

/** Writes the row of an event, as one line of JSON. */
export function formatRow({ summary, ino, spans, snapshot }: IndexedEvent): string {
  return `${JSON.stringify([summary, ino, spans.flatMap(({ offset, bytes }) => [offset, bytes]), snapshot])}\n`
}

/** Reads rows; null where one of them is not a row. */
export function parseRows(text: string): IndexedEvent[] | null {
  const lines = text.split('\n').slice(0, -1)
  const rows = lines.map((line): IndexedEvent | null => {
    const row = parseJsonOrNull(line)
    if (!Array.isArray(row)) return null
    const [summary, ino, places, snapshot] = row
    if (!isObject(summary) || typeof ino !== 'number' || !Array.isArray(places) || typeof snapshot !== 'string')
      return null
    const spans = places.flatMap((offset, at) => (at % 2 === 0 ? [{ offset, bytes: places[at + 1] }] : []))
    return spans.every(isSpan) ? { summary: summary as unknown as EventSummary, ino, spans, snapshot } : null // written by formatRow
  })
  return rows.every((row) => row !== null) ? rows : null
}

/** Reads the last bytes before a place in a log, by which it is known again. */
export async function readTail(handle: FileHandle, end: number): Promise<string> {
  const bytes = Math.min(TAIL_BYTES, end)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, end - bytes)
  return buffer.toString('base64', 0, bytesRead)
}
