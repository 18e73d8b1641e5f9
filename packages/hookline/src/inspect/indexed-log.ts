import type { FileHandle } from 'node:fs/promises'
import { HooklineError } from '../files/error.ts'
import { readEntryId, summariseEvent } from '../log/event-summary.ts'
import type { ByteSpan } from '../log/lines.ts'
import type { TapReader } from '../log/log-line.ts'
import {
  type LogFileState,
  type LogPosition,
  LogReplacedError,
  makeLogStart,
  makeSpanReader,
  openOwnFile,
  readEntriesFrom,
  readEntryAgain,
  rememberHooks,
  type SpanReader,
  statLogFiles,
} from '../log/read-entries-from.ts'
import { CHUNK_BYTES } from '../log/read-log.ts'
import type { LogEntry, SkippedLine } from '../log/record-store.ts'
import { addToSession, makeSessionTally, replaceInSession, type SessionTally } from '../log/sessions.ts'
import { joinTapEntries } from '../log/tapped-record.ts'
import {
  formatRow,
  type IndexedEvent,
  type IndexedFile,
  parseRows,
  readIndex,
  readSpan,
  readTail,
  writeIndex,
} from './index-file.ts'

/** A session of a log while it is looked at. */
interface LoggedSession {
  readonly tally: SessionTally
  /** Rows in the file of the index; null where none are. */
  readonly stored: ByteSpan | null
  /** Rows that came since, each as JSON. */
  readonly rows: string[]
}

/** A recent entry of a tap, which may be joined by others about the same event. */
interface RecentTap {
  readonly entry: LogEntry
  readonly row: number
}

/** Entries of taps that are remembered. */
const MAX_RECENT_TAPS = 256
/** New bytes of a log after which its index is written again; smaller logs are read as quickly without one. */
const MIN_INDEXED_BYTES = 1024 * 1024

/**
 * A log with its index: knows its sessions, and where each of their events is written. The log is the truth: an index that does not
 * fit is made again. Reads on whenever it is asked to.
 */
export class IndexedLog {
  readonly file: string
  readonly #readTap: TapReader
  #position: LogPosition = makeLogStart()
  #sessions = new Map<string, LoggedSession>()
  #configured = new Map<string, ByteSpan>()
  #skipped: Record<string, number> = {}
  #taps: RecentTap[] = []
  #events = 0
  #index: FileHandle | null = null
  #indexedBytes = 0
  #reading: Promise<unknown> = Promise.resolve()
  #problem: string | null = null
  #isIndexWrong = false

  constructor(file: string, readTap: TapReader) {
    this.file = file
    this.#readTap = readTap
  }

  /** Number of events. */
  get events(): number {
    return this.#events
  }

  /** True if a file of the log was found. */
  get isThere(): boolean {
    return this.#position.ino !== null
  }

  /** Lines that are not whole entries, by the reason. */
  get skipped(): Readonly<Partial<Record<SkippedLine['is'], number>>> {
    return this.#skipped
  }

  /** Reason why the log cannot be read, or null. */
  get problem(): string | null {
    return this.#problem
  }

  /** Sums by session. */
  get sessions(): ReadonlyMap<string, { readonly tally: SessionTally }> {
    return this.#sessions
  }

  /** Reads what was written since the last time. Resolves with the ids of the sessions that have new events. */
  update(): Promise<ReadonlySet<string>> {
    const update = this.#reading.then(() => this.#updateNow())
    this.#reading = update.catch(() => {}) // told to the caller
    return update
  }

  /** The events of a session, in the order of the log. */
  async readSession(id: string): Promise<readonly IndexedEvent[]> {
    const session = this.#sessions.get(id)
    if (session === undefined) return []
    const stored = session.stored === null || this.#index === null ? '' : await readSpan(this.#index, session.stored)
    const rows = parseRows(`${stored}${session.rows.join('')}`)
    if (rows !== null) return rows
    await this.#startAnewSoon()
    await this.update()
    return parseRows(this.#sessions.get(id)?.rows.join('') ?? '') ?? []
  }

  /** Reads an event of the log itself; null where it is not there any more. An index that led to another one is given up. */
  async readEvent(event: IndexedEvent): Promise<LogEntry | null> {
    let found: LogEntry | null = null
    await this.readEvents([event], (entry) => {
      found = entry
    })
    return found
  }

  /** Reads several events, in the order in which they are given. Those that are not there any more are left out. */
  async readEvents(
    events: readonly IndexedEvent[],
    take: (entry: LogEntry, event: IndexedEvent) => void,
  ): Promise<void> {
    const files = await statLogFiles(this.file)
    const readers = new Map<number, SpanReader>()
    let isWrong = false
    try {
      for (const { path, ino } of files) {
        const handle = events.some((event) => event.ino === ino) ? await openOwnFile(path) : null
        if (handle !== null) readers.set(ino, makeSpanReader(handle, events.length > 1 ? { ahead: CHUNK_BYTES } : {}))
      }
      for (const event of events) {
        const { summary, ino, spans, snapshot } = event
        const reader = readers.get(ino)
        if (reader === undefined) continue
        const configured = this.#configured.get(`${ino}:${snapshot}`) ?? null
        const entry = await readEntryAgain(reader, spans, { configured, readTap: this.#readTap })
        if (entry === null || readEntryId(entry) !== summary.id) {
          isWrong = true
          continue
        }
        const file = files.find((one) => one.ino === ino)?.path ?? this.file
        take({ ...entry, place: { file, line: 0, spans } }, event)
      }
    } finally {
      for (const { close } of readers.values()) await close()
      if (isWrong) await this.#startAnewSoon()
    }
  }

  /** Reads everything again with the next update. */
  async #startAnewSoon(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#startAnew())
    await this.#reading
    this.#isIndexWrong = true
  }

  /** Writes the index where enough is new. Never rejects: the log can be read without it. */
  async save(): Promise<void> {
    await this.#reading
    const { ino } = this.#position
    if (ino === null || this.#countBytes() - this.#indexedBytes < MIN_INDEXED_BYTES) return
    const saved = this.#reading.then(() => this.#saveNow()).catch(() => {}) // a full disk, or a folder that is closed to us
    this.#reading = saved
    await saved
  }

  /** Closes the file of the index. */
  async close(): Promise<void> {
    await this.#reading
    await this.#index?.close()
    this.#index = null
  }

  #seenBytes = 0
  #countBytes(): number {
    return this.#seenBytes + this.#position.offset
  }

  async #updateNow(): Promise<ReadonlySet<string>> {
    if (this.#position.ino === null && this.#index === null && !this.#isIndexWrong) await this.#loadIndex()
    try {
      const changed = await this.#readNew()
      this.#problem = null
      return changed
    } catch (error) {
      if (error instanceof LogReplacedError) {
        const before = [...this.#sessions.keys()]
        await this.#startAnew()
        return new Set([...before, ...(await this.#readNew())])
      }
      if (!(error instanceof HooklineError)) throw error
      this.#problem = error.message
      return new Set()
    }
  }

  async #readNew(): Promise<Set<string>> {
    const changed = new Set<string>()
    const onSkipped = ({ is }: SkippedLine): void => {
      this.#skipped[is] = (this.#skipped[is] ?? 0) + 1
    }
    let { ino, offset } = this.#position
    for await (const entries of readEntriesFrom(this.file, this.#position, { onSkipped, readTap: this.#readTap })) {
      if (this.#position.ino !== ino) this.#seenBytes += offset
      ;({ ino, offset } = this.#position)
      for (const entry of entries) changed.add(this.#add(entry))
    }
    return changed
  }

  /** Adds an entry. Gives the id of its session. */
  #add(entry: LogEntry): string {
    const { sessionId, snapshot } = entry.record
    const session = this.#sessions.get(sessionId) ?? { tally: makeSessionTally(entry.record), stored: null, rows: [] }
    this.#sessions.set(sessionId, session)
    const { spans = [] } = entry.place ?? {}
    const key = `${this.#position.ino}:${snapshot ?? ''}`
    const [span] = spans
    if (snapshot !== undefined && !entry.partial && span !== undefined && !this.#configured.has(key))
      this.#configured.set(key, span)
    if (entry.tapped !== undefined && this.#joinTap(session, entry)) return sessionId
    addToSession(session.tally, entry)
    this.#events++
    session.rows.push(this.#formatEntry(entry))
    if (entry.tapped !== undefined) this.#rememberTap({ entry, row: session.rows.length - 1 })
    return sessionId
  }

  #formatEntry(entry: LogEntry): string {
    const { spans = [] } = entry.place ?? {}
    const ino = this.#position.ino ?? 0
    return formatRow({ summary: summariseEvent(entry), ino, spans, snapshot: entry.record.snapshot ?? '' })
  }

  #rememberTap(tap: RecentTap): void {
    this.#taps.push(tap)
    if (this.#taps.length > MAX_RECENT_TAPS) this.#taps.shift()
  }

  /** Adds what another tap saw of an event that has a row. True if there is one. */
  #joinTap(session: LoggedSession, entry: LogEntry): boolean {
    for (const [at, known] of [...this.#taps.entries()].reverse()) {
      const joined = joinTapEntries(known.entry, entry, this.#readTap)
      if (joined === null) continue
      replaceInSession(session.tally, known.entry, joined)
      session.rows[known.row] = this.#formatEntry(joined)
      this.#taps[at] = { entry: joined, row: known.row }
      return true
    }
    return false
  }

  async #loadIndex(): Promise<void> {
    const index = await readIndex(this.file)
    if (index === null) return
    const { table, handle } = index
    if (!(await isIndexOfLog(this.file, table.files))) return void (await handle.close())
    const last = table.files.at(-1)
    this.#index = handle
    this.#position = { ...makeLogStart(), ino: last?.ino ?? null, offset: last?.size ?? 0, line: table.line }
    this.#sessions = new Map(
      table.sessions.map(({ tally, rows }) => [tally.group.name, { tally, stored: rows, rows: [] }]),
    )
    this.#configured = new Map(table.configured)
    await this.#meetConfigured()
    this.#skipped = { ...table.skipped }
    this.#events = table.events
    this.#seenBytes = table.files.slice(0, -1).reduce((sum, { size }) => sum + size, 0)
    this.#indexedBytes = this.#countBytes()
  }

  /** Remembers the configured hooks that the lines to come refer to. */
  async #meetConfigured(): Promise<void> {
    const { ino, met } = this.#position
    const file = (await statLogFiles(this.file)).find((one) => one.ino === ino)
    const handle = file === undefined ? null : await openOwnFile(file.path)
    if (handle === null) return
    const places = [...this.#configured].filter(([key]) => key.startsWith(`${ino}:`))
    await rememberHooks(
      handle,
      places.map(([, span]) => span),
      met,
    ).finally(() => handle.close())
  }

  async #saveNow(): Promise<void> {
    const states = await statLogFiles(this.file)
    const files = await this.#describeFiles(states)
    if (files === null) return
    const sessions: { tally: SessionTally; rows: string }[] = []
    for (const { tally, stored, rows } of this.#sessions.values()) {
      const before = stored === null || this.#index === null ? '' : await readSpan(this.#index, stored)
      sessions.push({ tally, rows: `${before}${rows.join('')}` })
    }
    const table = { files, line: this.#position.line, events: this.#events, skipped: this.#skipped }
    await writeIndex(this.file, { ...table, configured: [...this.#configured] }, sessions)
    this.#indexedBytes = this.#countBytes()
    const written = await readIndex(this.file)
    if (written === null) return
    await this.#index?.close()
    this.#index = written.handle
    this.#taps = [] // rows of theirs are in the file now
    this.#sessions = new Map(
      written.table.sessions.map(({ tally, rows }) => [tally.group.name, { tally, stored: rows, rows: [] }]),
    )
  }

  /** The files up to the position; null where the log was moved on meanwhile. */
  async #describeFiles(states: readonly LogFileState[]): Promise<IndexedFile[] | null> {
    const last = states.findIndex(({ ino }) => ino === this.#position.ino)
    if (last === -1) return null
    const files: IndexedFile[] = []
    for (const { path, ino, size } of states.slice(0, last + 1)) {
      const end = ino === this.#position.ino ? this.#position.offset : size
      const handle = await openOwnFile(path)
      if (handle === null) return null
      files.push({ ino, size: end, tail: await readTail(handle, end).finally(() => handle.close()) })
    }
    return files
  }

  async #startAnew(): Promise<void> {
    await this.#index?.close()
    this.#index = null
    this.#position = makeLogStart()
    this.#sessions = new Map()
    this.#configured = new Map()
    this.#skipped = {}
    this.#taps = []
    this.#events = 0
    this.#seenBytes = 0
    this.#indexedBytes = 0
  }
}

/** True if a log begins with exactly the files that were indexed: the same inodes, sizes and last bytes. */
async function isIndexOfLog(log: string, indexed: readonly IndexedFile[]): Promise<boolean> {
  const files = await statLogFiles(log).catch(() => []) // the reader tells
  if (indexed.length === 0 || files.length < indexed.length) return false
  for (const [at, { ino, size, tail }] of indexed.entries()) {
    const file = files[at]
    const isLast = at === indexed.length - 1
    if (file?.ino !== ino || (isLast ? file.size < size : file.size !== size)) return false
    const handle = await openOwnFile(file.path)
    if (handle === null) return false
    if ((await readTail(handle, size).finally(() => handle.close())) !== tail) return false
  }
  return true
}
