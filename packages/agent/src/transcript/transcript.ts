import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { jsonText } from 'hookline/internal'
import { type Entry, type Line, lineOf } from './entry.ts'

/** How a transcript is kept. */
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

const NEWLINE = 0x0a

/**
 * A session's file of lines. Lines are appended whole and in order; what a failing disk did not take is kept, and tried
 * again with the next line. Nothing here throws or rejects for the disk's sake.
 */
export class Transcript {
  readonly path: string
  readonly #options: Required<TranscriptOptions>
  /** Lines that are not with the system yet, oldest first. */
  readonly #waiting: Buffer[] = []
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
  append(entry: Entry): Line {
    const { sessionId, cwd, agentId, now, newId } = this.#options
    const uuid = newId()
    const timestamp = now().toISOString()
    const line = lineOf(entry, { uuid, parentUuid: this.#parent, timestamp, sessionId, cwd, agentId })
    if ('parentUuid' in line) this.#parent = uuid
    this.#waiting.push(Buffer.from(`${jsonText(line)}\n`))
    void this.#drain() // `flush` and `close` wait for it
    return line
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
        await writeWhole(this.#file, this.#torn ? Buffer.concat([Buffer.of(NEWLINE), line]) : line)
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

  async #open(): Promise<FileHandle> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 })
    const file = await open(this.path, 'a+', 0o600)
    try {
      this.#torn = await endsTorn(file)
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

/** One write for a line, and more only when the system takes it in parts. */
async function writeWhole(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done)
    if (bytesWritten === 0) throw new Error('the system takes no more bytes')
    done += bytesWritten
  }
}

/** Whether a file ends in the middle of a line, as a process that was killed leaves it. */
async function endsTorn(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat()
  if (size === 0) return false
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] !== NEWLINE
}
