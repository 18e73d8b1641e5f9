import { closeSync, constants, fdatasync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { RecordedEvent } from '../dispatch/pipe.ts'
import { makeFolders } from '../files/folders.ts'
import { readErrorCode } from '../files/read.ts'
import { type ChainLine, digestBody, hashEpoch, hashLine } from './chain.ts'
import { makePortioner, type Portion } from './levels.ts'
import { isSweepDue, nameEpoch, nameSegment, type SpoolPlace, sweepSpool } from './segments.ts'
import type { FleetSettings } from './settings.ts'

/** Bytes that wait in memory for a disk that takes none; what comes then is counted. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024
/** One append that takes longer moves writing off the path of events. */
const MAX_APPEND_MS = 5
/** Bytes after which a process ends its segment and begins another one: what was shipped of it can go, and its bodies before facts. */
const MAX_SEGMENT_BYTES = 16 * 1024 * 1024
/** Parts of a spool's limit that one segment may fill. */
const SEGMENTS_OF_SPOOL = 8
/** Time until what was written is on the disk, also where the power fails. */
const SYNC_DELAY_MS = 1000

/** Never what was put in the place of a segment: no link is followed, no file of another process opened. */
const OPEN_FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
const OWNERS_FILE = 0o600
const OWNERS_FOLDER = 0o700

/** Facts about its session that a spool needs. */
export interface SpoolingSession {
  readonly env: NodeJS.ProcessEnv
  readonly warn: (sentence: string) => void
}

/** Line that is not on the disk yet. */
interface WaitingLine {
  readonly epoch: string
  readonly text: string
  /** True for the end of a segment behind which another one begins. */
  readonly isLast: boolean
}

/** Segment of a process: it has each record before the decision is handed to the host. */
export class Spool {
  readonly #place: SpoolPlace
  readonly #makeTake: () => (event: RecordedEvent) => Portion
  #take: (event: RecordedEvent) => Portion
  readonly #warn: (sentence: string) => void
  readonly #maxBytes: number
  readonly #maxSegmentBytes: number
  /** File that lines go into, on the path of events or beside it. */
  #descriptor: number | null = null
  #handle: Promise<FileHandle> | null = null
  /** Bytes that stand in that file. */
  #written = 0
  /** True once writing has moved off the path of events. */
  #isSlow = false
  #queue: Promise<void> = Promise.resolve()
  #waiting: WaitingLine[] = []
  #waitingBytes = 0
  #lost = 0
  /** Epoch of the engine whose records these are. */
  #engine = ''
  #epoch: string | null = null
  /** Segments that were ended before this one. */
  #ended = 0
  /** Bytes of its segment, with those that wait. */
  #size = 0
  #seq = 0
  #head = ''
  #timer: NodeJS.Timeout | null = null
  #isTold = false

  /** Opens nothing yet: many sessions have no event. */
  constructor(
    place: SpoolPlace,
    { level, maxBytes }: Pick<FleetSettings, 'level' | 'maxBytes'>,
    session: SpoolingSession,
  ) {
    const { env, warn } = session
    this.#place = place
    this.#maxBytes = maxBytes
    this.#maxSegmentBytes = Math.min(MAX_SEGMENT_BYTES, maxBytes / SEGMENTS_OF_SPOOL)
    this.#makeTake = () => makePortioner(level, env)
    this.#take = this.#makeTake()
    this.#warn = warn
  }

  /** Keeps a record. Returns null, or the reason why it is not on the disk. Never throws. */
  keep(event: RecordedEvent): string | null {
    try {
      this.#engine = readEpoch(event.record.id)
      if (this.#lost > 0 && this.#hasRoom()) this.#noteLoss()
      const { facts, body } = this.#take(event)
      const fault = this.#append(facts, body)
      if (fault === null && this.#size > this.#maxSegmentBytes) this.#endSegment()
      return fault
    } catch (error) {
      this.#lost++
      return describeFault(error) // a circle or a bigint, which the host put into the event
    }
  }

  /** Writes what waits and the line that says that nothing is missing. Sweeps a spool that nobody ships. */
  async close(): Promise<void> {
    if (this.#engine === '') return
    if (this.#lost > 0) this.#noteLoss()
    if (this.#epoch !== null && this.#chain(makeEndFacts(), null)) this.#write()
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#queue
    if (this.#descriptor !== null) await syncAndClose(this.#descriptor)
    this.#descriptor = null
    await this.#handle?.then(closeSlowly).catch(() => {}) // told when it could not be opened
    if (await isSweepDue(this.#place, Date.now())) await this.#sweep()
  }

  /** Ends the segment: the next record begins another one, which may wait behind this one. */
  #endSegment(): void {
    if (!this.#chain(makeEndFacts(), null, { isLast: true })) return
    this.#ended++
    this.#epoch = null
    this.#seq = 0
    this.#size = 0
    this.#take = this.#makeTake()
    this.#write()
  }

  /** Keeps the spool within its limit. What a disk does not take now is swept by the next one. */
  async #sweep(): Promise<void> {
    await sweepSpool(this.#place, this.#maxBytes).catch(() => {})
  }

  #hasRoom(): boolean {
    return this.#waitingBytes < MAX_WAITING_BYTES / 2
  }

  #noteLoss(): void {
    const lost = this.#lost
    this.#lost = 0
    this.#append({ lost, because: 'they could not be written', at: new Date().toISOString() }, null)
  }

  #append(facts: ChainLine['facts'], body: string | null): string | null {
    if (this.#chain(facts, body)) return this.#write()
    this.#lost++
    return 'the disk takes nothing, and no more fits into memory'
  }

  /** Has a line of the segment wait for the disk; false where no more fits into memory. */
  #chain(facts: ChainLine['facts'], body: string | null, { isLast = false } = {}): boolean {
    this.#epoch ??= nameEpoch(this.#engine, this.#ended)
    const line: ChainLine = {
      seq: this.#seq + 1,
      prev: this.#seq === 0 ? hashEpoch(this.#epoch) : this.#head,
      facts,
      digest: digestBody(body),
      ...(body === null ? {} : { body }),
    }
    const text = `${JSON.stringify(line)}\n`
    if (this.#waitingBytes + text.length > MAX_WAITING_BYTES) return false
    this.#seq = line.seq
    this.#head = hashLine(line)
    this.#size += Buffer.byteLength(text)
    this.#waiting.push({ epoch: this.#epoch, text, isLast })
    this.#waitingBytes += text.length
    return true
  }

  /** Writes what waits. Returns null, or the reason why it still waits. */
  #write(): string | null {
    if (!this.#isSlow) return this.#writeAtOnce()
    this.#queue = this.#queue.then(() => this.#writeSlowly())
    return null
  }

  #writeAtOnce(): string | null {
    const began = performance.now()
    const isFirst = this.#written === 0 // the first line makes the file
    try {
      for (let [line] = this.#waiting; line !== undefined; [line] = this.#waiting) {
        this.#descriptor ??= openSegment(this.#place, line.epoch)
        this.#written = writeAll(this.#descriptor, line.text, this.#written)
        this.#dropFirst()
        if (line.isLast) this.#leaveFile(this.#descriptor)
      }
    } catch (error) {
      const fault = describeFault(error)
      this.#tellOnce(`Records of this session are not kept for the fleet: ${fault}.`)
      return fault
    }
    this.#syncLater()
    if (performance.now() - began > MAX_APPEND_MS && !isFirst) this.#goSlow()
    return null
  }

  #leaveFile(descriptor: number): void {
    this.#descriptor = null
    this.#written = 0
    void syncAndClose(descriptor)
    this.#queue = this.#queue.then(() => this.#sweep())
  }

  /** Goes on beside the events: a home on a network would hold every one of them up. */
  #goSlow(): void {
    this.#tellOnce('The folder of the fleet is slow: records of this session are written beside its events.')
    this.#isSlow = true
    if (this.#descriptor !== null) void syncAndClose(this.#descriptor)
    this.#descriptor = null
  }

  /** Writes all that waits for a segment at once: line by line it would fall behind, and a crash would lose what waits. */
  async #writeSlowly(): Promise<void> {
    try {
      while (this.#waiting[0] !== undefined) {
        const { epoch } = this.#waiting[0]
        const next = this.#waiting.findIndex((line) => line.epoch !== epoch)
        const lines = this.#waiting.slice(0, next < 0 ? undefined : next)
        const handle = await this.#openSlowly(epoch)
        await this.#writeLines(handle, lines)
        if (lines.at(-1)?.isLast) await this.#leaveSlowly(handle)
      }
    } catch (error) {
      this.#tellOnce(`Records of this session are not kept for the fleet: ${describeFault(error)}.`)
    }
  }

  #openSlowly(epoch: string): Promise<FileHandle> {
    const flags = this.#written === 0 ? OPEN_FLAGS : OPEN_FLAGS & ~(constants.O_CREAT | constants.O_EXCL)
    this.#handle ??= open(nameSegment(this.#place, epoch), flags, OWNERS_FILE)
    return this.#handle
  }

  async #writeLines(handle: FileHandle, lines: readonly WaitingLine[]): Promise<void> {
    const bytes = Buffer.from(lines.map(({ text }) => text).join(''))
    try {
      await handle.appendFile(bytes)
    } catch (error) {
      await handle.truncate(this.#written).catch(() => {}) // half a line is told as torn
      throw error
    }
    this.#written += bytes.length
    for (const _ of lines) this.#dropFirst()
  }

  async #leaveSlowly(handle: FileHandle): Promise<void> {
    this.#handle = null
    this.#written = 0
    await closeSlowly(handle)
    await this.#sweep()
  }

  #dropFirst(): void {
    this.#waitingBytes -= this.#waiting.shift()?.text.length ?? 0
  }

  #syncLater(): void {
    if (this.#timer !== null) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      if (this.#descriptor !== null) fdatasync(this.#descriptor, () => {}) // a disk that cannot is told by the next write
    }, SYNC_DELAY_MS)
    this.#timer.unref()
  }

  #tellOnce(sentence: string): void {
    if (this.#isTold) return
    this.#isTold = true
    this.#warn(sentence)
  }
}

function makeEndFacts(): ChainLine['facts'] {
  return { end: true, at: new Date().toISOString() }
}

async function closeSlowly(handle: FileHandle): Promise<void> {
  await handle.datasync().finally(() => handle.close())
}

/** Brings a segment to the disk and closes it: a process that is there for one event does not live until the next sync. */
function syncAndClose(descriptor: number): Promise<void> {
  return new Promise((resolve) => {
    fdatasync(descriptor, () => resolve(closeSync(descriptor))) // a disk that cannot is told by the next write
  })
}

function openSegment(place: SpoolPlace, epoch: string): number {
  const path = nameSegment(place, epoch)
  try {
    return openSync(path, OPEN_FLAGS, OWNERS_FILE)
  } catch (error) {
    if (readErrorCode(error) !== 'ENOENT') throw error
    makeFolders(place.folder, { mode: OWNERS_FOLDER })
    return openSync(path, OPEN_FLAGS, OWNERS_FILE)
  }
}

/** Appends a text whole, or leaves the segment as it was. Returns its bytes then. */
function writeAll(descriptor: number, text: string, size: number): number {
  const bytes = Buffer.from(text)
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written)
  } catch (error) {
    if (written > 0) ftruncateSync(descriptor, size)
    throw error
  }
  return size + written
}

/** Epoch of the engine that a record comes from: machine/epoch/seq. */
function readEpoch(id: string): string {
  return id.split('/')[1] ?? id
}

const describeFault = (error: unknown): string => readErrorCode(error)
