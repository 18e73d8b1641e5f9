import { randomUUID } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolders, stringifyJson } from 'hookline/internal'
import { type Envelope, type TranscriptEntry, type TranscriptLine, toLine } from './entry.ts'

/** Options of keeping a transcript. */
export interface TranscriptOptions {
  readonly path: string
  readonly sessionId: string
  readonly cwd: string
  /** The subagent whose transcript it is; null: the session's own. */
  readonly agentId?: string | null
  /** The last line's uuid of the conversation that goes on here. */
  readonly after?: string | null
  /** Told once when the disk fails, and at the end when lines are missing. */
  readonly onProblem: (text: string) => void
  readonly now?: () => Date
  readonly newId?: () => string
}

/** A line on its way to the file. */
interface PendingLine {
  readonly uuid: string
  bytes: Buffer
}

/** Position of a line in the file, its newline included. */
interface LinePosition {
  at: number
  length: number
}

const NEWLINE = 0x0a
const SPACE = 0x20
/** Lines that can still be replaced: more calls than that are not under way at once. */
const MAX_POSITIONS = 1000

/**
 * A session's file of lines. Lines are appended whole and in order; what a failing disk did not take is kept, and tried
 * again with the next line. Nothing here throws or rejects for the disk's sake.
 */
export class Transcript {
  readonly path: string
  readonly #options: Required<TranscriptOptions>
  /** Lines that are not with the system yet, oldest first. */
  readonly #waiting: PendingLine[] = []
  /** Positions of the last lines, by uuid. */
  readonly #positions = new Map<string, LinePosition>()
  /** Links of each line that may be replaced. */
  readonly #envelopes = new Map<string, Envelope>()
  #parent: string | null
  #file: FileHandle | null = null
  /** The file ends in the middle of a line: the next one starts on a new one. */
  #torn = false
  #told = false
  #draining: Promise<void> | null = null

  constructor(options: TranscriptOptions) {
    this.#options = { agentId: null, after: null, now: () => new Date(), newId: randomUUID, ...options }
    this.path = options.path
    this.#parent = this.#options.after
  }

  /** Puts an entry behind the others, and says what its line holds; it is on its way when this returns. */
  append(entry: TranscriptEntry): TranscriptLine {
    const { sessionId, cwd, agentId, now, newId } = this.#options
    const uuid = newId()
    const timestamp = now().toISOString()
    const envelope = { uuid, parentUuid: this.#parent, timestamp, sessionId, cwd, agentId }
    const line = toLine(entry, envelope)
    if ('parentUuid' in line) this.#parent = uuid
    this.#waiting.push({ uuid, bytes: encodeLine(line) })
    void this.#drain() // `flush` and `close` wait for it
    return line
  }

  /** The same for an entry that may be replaced as long as it is among the last; says how the line is called. */
  appendReplaceable(entry: TranscriptEntry): string {
    const parentUuid = this.#parent
    const { uuid, timestamp } = this.append(entry)
    const { sessionId, cwd, agentId } = this.#options
    const envelope = { uuid: String(uuid), parentUuid, timestamp: String(timestamp), sessionId, cwd, agentId }
    this.#envelopes.set(envelope.uuid, envelope)
    const [oldest = ''] = this.#envelopes.keys()
    if (this.#envelopes.size > MAX_POSITIONS) this.#forget(oldest)
    return envelope.uuid
  }

  /**
   * Puts an entry in the place of one, and resolves when it is on the disk. Nothing of the old one is left in the file,
   * also when there is no room for the new one: then that waits to be written behind the others.
   */
  async replace(uuid: string, entry: TranscriptEntry): Promise<void> {
    const envelope = this.#envelopes.get(uuid)
    if (envelope === undefined) throw new TypeError(`the line ${uuid} cannot be replaced`)
    const bytes = encodeLine(toLine(entry, envelope))
    await this.flush()
    while (this.#draining !== null) await this.#draining // of a line that came meanwhile
    const waiting = this.#waiting.find((line) => line.uuid === uuid)
    const place = this.#positions.get(uuid)
    if (waiting) waiting.bytes = bytes
    if (waiting || place === undefined) return
    this.#draining = this.#rewrite(place, { uuid, bytes })
    await this.#draining
    await this.flush()
  }

  /** Resolves when everything appended so far is with the system, or the disk has failed at it. */
  async flush(): Promise<void> {
    await this.#drain()
  }

  /** Writes what waits, and lets go of the file. */
  async close(): Promise<void> {
    await this.flush()
    const missing = this.#waiting.length
    const lines = missing === 1 ? 'line' : `${missing} lines`
    if (missing > 0) this.#options.onProblem(`The transcript ${this.path} lacks its last ${lines}.`)
    await this.#letGo()
  }

  /** Writes the waiting lines one after the other; there is one such run at a time. */
  #drain(): Promise<void> {
    if (this.#draining === null && this.#waiting.length > 0) this.#draining = this.#writeWaiting()
    return this.#draining ?? Promise.resolve()
  }

  async #writeWaiting(): Promise<void> {
    try {
      this.#file ??= await this.#open()
      for (let line = this.#waiting[0]; line; line = this.#waiting[0]) {
        const { uuid, bytes } = line
        const before = this.#torn ? 1 : 0
        const { size } = await this.#file.stat()
        await writeWhole(this.#file, before === 1 ? Buffer.concat([Buffer.of(NEWLINE), bytes]) : bytes)
        if (this.#envelopes.has(uuid)) this.#positions.set(uuid, { at: size + before, length: bytes.length })
        this.#torn = false
        this.#waiting.shift()
      }
    } catch (error) {
      await this.#letGo() // the next try opens it anew, and sees how it ends
      this.#tell(error)
    } finally {
      this.#draining = null // at once: a line appended in the next moment starts the next run
    }
  }

  /** Writes a line anew where it stands; what follows it moves when it grows. */
  async #rewrite(place: LinePosition, line: PendingLine): Promise<void> {
    const { at, length } = place
    try {
      const file = await open(this.path, 'r+') // a file that is opened for appending writes at its end, wherever it is told to
      try {
        // First of all the old words go: whatever fails after that, they are not there any more.
        await writeWhole(file, Buffer.alloc(length - 1, SPACE), at)
        await this.#put(file, place, line.bytes)
        await file.datasync()
      } finally {
        await file.close()
      }
      const grown = Math.max(0, line.bytes.length - length)
      for (const other of this.#positions.values()) if (other.at > at) other.at += grown
    } catch (error) {
      this.#waiting.unshift(line)
      this.#tell(error)
    } finally {
      this.#draining = null
    }
  }

  async #put(file: FileHandle, place: LinePosition, bytes: Buffer): Promise<void> {
    const { at, length } = place
    const { size } = await file.stat()
    const isLast = size === at + length
    if (bytes.length > length) {
      const behind = Buffer.alloc(size - at - length)
      await file.read(behind, 0, behind.length, at + length)
      await writeGrown(file, Buffer.concat([bytes, behind]), { at, size })
      place.length = bytes.length
    } else if (isLast) {
      await writeWhole(file, bytes, at)
      await file.datasync() // the spaces behind it are on the disk before they are cut off
      await file.truncate(at + bytes.length)
      place.length = bytes.length
    } else {
      await writeWhole(file, bytes.subarray(0, -1), at) // spaces fill the line, up to the newline that it had
    }
  }

  #forget(uuid: string): void {
    this.#envelopes.delete(uuid)
    this.#positions.delete(uuid)
  }

  async #open(): Promise<FileHandle> {
    makeFolders(dirname(this.path), { mode: 0o700 })
    const file = await open(this.path, 'a+', 0o600)
    try {
      this.#torn = await isTorn(file)
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  }

  async #letGo(): Promise<void> {
    const file = this.#file
    this.#file = null
    await file?.close().catch(() => {}) // a file that cannot be closed is gone all the same
  }

  #tell(error: unknown): void {
    if (this.#told) return
    this.#told = true
    const why = error instanceof Error ? error.message : String(error)
    this.#options.onProblem(
      `The transcript ${this.path} cannot be written: ${why}. The session goes on, and the missing lines are tried again with the next one; make room, or hooks and a resumed session do not see them.`,
    )
  }
}

function encodeLine(line: TranscriptLine): Buffer {
  return Buffer.from(`${stringifyJson(line)}\n`)
}

/** One write for a line, and more only when the system takes it in parts; at the end of the file unless a place is named. */
async function writeWhole(file: FileHandle, bytes: Buffer, at: number | null = null): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at === null ? null : at + done)
    if (bytesWritten === 0) throw new Error('the system takes no more bytes')
    done += bytesWritten
  }
}

/** Writes over the end of a file what is longer than it: first what needs room, so that nothing is lost where there is none. */
async function writeGrown(file: FileHandle, bytes: Buffer, { at, size }: { at: number; size: number }): Promise<void> {
  try {
    await writeWhole(file, bytes.subarray(size - at), size)
  } catch (error) {
    await file.truncate(size)
    throw error
  }
  await writeWhole(file, bytes.subarray(0, size - at), at)
}

/** True if a file ends in the middle of a line, as a process that was killed leaves it. */
async function isTorn(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat()
  if (size === 0) return false
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] !== NEWLINE
}
