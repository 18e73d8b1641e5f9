import { readErrorCode } from '../files/read.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { DispatchRecord } from '../protocol/record/record.ts'
import { appendLines, type LineText, makeNoFile } from './log-file.ts'
import { type ConfiguredLines, toLoggedEvent } from './log-line.ts'
import { isSink, type RecordedEvent, type RecordSink, type SettledLog } from './log-options.ts'
import { collectSecrets, type FoundSecrets, makeRedactor, type Redactor } from './redact.ts'

/** Characters that wait for the disk; what comes when so many wait is counted instead. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024
/** Milliseconds that opening and closing wait for a disk that takes nothing. */
const DISK_TIMEOUT_MS = 2000

/** Facts about its session that a log needs. */
export interface RecordingSession {
  /** Environment whose secrets are kept out of it. */
  readonly env: NodeJS.ProcessEnv
  /** Told once that the log cannot be written. */
  readonly warn: (sentence: string) => void
}

/** Target of a log: a file, whose lines leave out hooks that did not run, or a store, which gets whole records. */
interface LogTarget {
  readonly name: string
  readonly isWhole: boolean
  /** Appends lines; `onWritten` is called after each. */
  readonly write: (lines: readonly LineText[], onWritten: () => void) => Promise<void>
}

function makeTarget(log: SettledLog | RecordSink): LogTarget {
  if (isSink(log)) {
    const write: LogTarget['write'] = async (lines, onWritten) => {
      if (lines.length === 0) return
      await log.append(lines.map(({ start }): RecordedEvent => JSON.parse(`${start}}`)))
      for (const _ of lines) onWritten()
    }
    return { name: log.name, isWhole: true, write }
  }
  const last = makeNoFile()
  return { name: log.file, isWhole: false, write: (lines, onWritten) => appendLines(log, lines, { last, onWritten }) }
}

/** Opens a log: makes its file, so that a place that cannot be written to is told before anything happens. Never rejects. */
export async function openRecordLog(options: SettledLog | RecordSink, recording: RecordingSession): Promise<RecordLog> {
  const log = new RecordLog(options, recording)
  await waitWhileProgressing(log.flush(), () => 0)
  return log
}

/** Writes records to a file or a store while the session goes on; the caller never waits, and never meets an error. */
export class RecordLog {
  readonly #target: LogTarget
  readonly #redacted: Redactor
  readonly #warn: (sentence: string) => void
  readonly #waiting: LineText[] = []
  /** Hooks as they are written down. */
  readonly #texts = new WeakMap<ConfiguredLines, string>()
  #size = 0
  #lost = 0
  #linesWritten = 0
  #warned = false
  #writing: Promise<void> | null = null

  /** Use `openRecordLog`. */
  constructor(options: SettledLog | RecordSink, { env, warn }: RecordingSession) {
    this.#target = makeTarget(options)
    this.#redacted = makeRedactor(env)
    this.#warn = warn
  }

  /** Notes what happened for an event. It is written down at once: the host may change its objects later. */
  add(record: DispatchRecord, input: EventInput, configured: ConfiguredLines): void {
    const line = this.#makeLine(record, input, configured)
    if (line === null || this.#size + line.start.length > MAX_WAITING_BYTES) {
      this.#lost++
      return
    }
    this.#lost = 0
    this.#waiting.push(line)
    this.#size += line.start.length
    void this.flush() // owned by `#writing`
  }

  /** Resolves when what waits is written, or cannot be now: then it waits for the next event. */
  flush(): Promise<void> {
    this.#writing ??= this.#writeAll()
    return this.#writing
  }

  /** Writes what still waits, while the disk takes it. */
  close(): Promise<void> {
    return waitWhileProgressing(this.#writeLast(), () => this.#linesWritten)
  }

  async #writeLast(): Promise<void> {
    await this.#writing
    if (this.#waiting.length > 0) await this.flush()
  }

  /** The line of an event; null when JSON cannot write it. */
  #makeLine(record: DispatchRecord, input: EventInput, configured: ConfiguredLines): LineText | null {
    const notices = [...(record.notices ?? []), ...(this.#lost === 0 ? [] : [formatMissing(this.#lost)])]
    const told = notices.length === 0 ? record : { ...record, notices }
    try {
      const event = this.#target.isWhole ? { record: told, input } : toLoggedEvent(told, input, configured)
      const secrets = collectSecrets(event)
      const start = this.#redacted(event, secrets).slice(0, -'}'.length)
      if (!('places' in event)) return { start, configured: null }
      return { start, configured: { digest: configured.digest, text: this.#makeText(configured, secrets) } }
    } catch {
      return null // a circle or a bigint, which the host put into the event
    }
  }

  /** Written down at once, as a record is, and from then on without the secrets that an event had. */
  #makeText(configured: ConfiguredLines, secrets: FoundSecrets): string {
    const known = this.#texts.get(configured) ?? this.#redacted(configured.lines)
    const isTold = [...secrets.named, ...secrets.shaped].some((secret) => known.includes(secret))
    const text = isTold ? this.#redacted(JSON.parse(known), secrets) : known
    this.#texts.set(configured, text)
    return text
  }

  async #writeAll(): Promise<void> {
    try {
      do await this.#target.write([...this.#waiting], () => this.#waitUntilWritten())
      while (this.#waiting.length > 0)
    } catch (error) {
      if (this.#warned) return
      this.#warned = true
      this.#warn(
        `The log ${this.#target.name} cannot be written (${readErrorCode(error)}): events are not recorded until it can.`,
      )
    } finally {
      this.#writing = null
    }
  }

  #waitUntilWritten(): void {
    this.#linesWritten++
    this.#size -= this.#waiting.shift()?.start.length ?? 0
  }
}

/** Waits for the disk as long as there is progress, but not for ever: it may be that of a machine that is gone. */
async function waitWhileProgressing(writing: Promise<void>, progress: () => number): Promise<void> {
  let isWritten = false
  const noteWritten = writing.then(() => {
    isWritten = true
  })
  for (let before: number | undefined; !isWritten && progress() !== before; ) {
    before = progress()
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, DISK_TIMEOUT_MS)
    })
    await Promise.race([noteWritten, patience])
    clearTimeout(timer)
  }
}

function formatMissing(count: number): string {
  return `${count === 1 ? 'One event' : `${count} events`} before this one could not be recorded.`
}
