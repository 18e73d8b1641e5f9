import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  type FSWatcher,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  unlinkSync,
  watch,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { withLock } from '../files/lock.ts'
import { placeNewAtOnce } from '../files/make-once.ts'
import { isAlive } from '../files/process-alive.ts'
import { putInPlace } from '../files/replace.ts'
import { listNames } from '../files/walk.ts'
import {
  type Caller,
  findOwnDoubt,
  hasReader,
  isRunning,
  type Launching,
  readCaller,
  readStartTime,
  type SeenCaller,
} from './caller.ts'
import {
  clearSlot,
  FIGURES_NAME,
  findMeetingPlace,
  findSlot,
  type MeetingPlace,
  makeMeetingPlace,
  makePipes,
  readClaimant,
  removeSlot,
  type Slot,
  sweepSlots,
} from './place.ts'

/** Call of an agent, with what it wrote to stdin. */
export interface ResidentCall extends Caller {
  readonly stdin: Buffer
}

/** Answer to a call: bytes for both outputs, and the exit code. */
export interface ResidentAnswer {
  readonly code: number
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
}

/** Answer that is not the hook's: the client goes the cold way, or runs its wrapped hook by itself. No hook has run. */
export type ResidentReply = ResidentAnswer | 'cold' | 'alone'

/** Ties to a client that waits. */
export interface ClientLine {
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal
  /** Hands on a part of the outputs before the rest. */
  readonly send: (part: Omit<ResidentAnswer, 'code'>) => void
}

/** Work that a resident does, and when it ends. */
export interface ResidentWork {
  readonly home: string
  readonly launching: Launching
  /** Files that end the resident when they change or go. */
  readonly program: readonly string[]
  readonly idleMs: number
  /** Called when no call has come for a few seconds. */
  readonly rest: () => void
  /** Reason why a call has to go the cold way; null: it can be served. */
  readonly findObstacle: (caller: Caller) => string | null
  /** Reason why the resident has to end, looked for at every call; null: none. */
  readonly findEnd: () => string | null
  /** True if bytes of stdin are a whole payload; else its end is waited for. */
  readonly isWhole: (bytes: Buffer) => boolean
  /** Answers a call. Never rejects. */
  readonly answer: (call: ResidentCall, line: ClientLine) => Promise<ResidentReply>
}

/** Figures of a resident, for the one who asks how it does. */
export interface ResidentFigures {
  readonly pid: number
  readonly since: string
  readonly served: number
  /** Wrapped hooks that ran by themselves: nothing could be gained, or nothing was ready yet. */
  readonly alone: number
  /** Calls that have no answer yet, or whose clients have not read it. */
  readonly running: number
  /** Calls that their clients took back, since the resident had not looked at them in time. */
  readonly withdrawn: number
  /** Calls that went the cold way, by reason. */
  readonly declined: Readonly<Record<string, number>>
  /** Reason why it ended, and when; left out while it serves, and where it was killed. */
  readonly ended?: { readonly why: string; readonly at: string }
}

/** Slots that wait for clients: as many calls can come before the resident looks. */
const MAX_FREE_SLOTS = 24
const MIN_FREE_SLOTS = 12
/** Fewer are filled up at once, more when the client that took one has its answer. */
const URGENT_FREE_SLOTS = 6
/** The wait for a next call before the resident rests: a model that thinks mostly calls sooner. */
const REST_AFTER_MS = 5000
/** Bytes of an output that go into a pipe, with the other one, in a single piece; a longer one is left in a file. */
const MAX_INLINE_BYTES = 1800
/** Bytes of stdin that are kept: more than any payload has. */
const MAX_STDIN_BYTES = 17 * 1024 * 1024
const CLIENT_LOOK_MS = 50
const NOTE_AFTER_MS = 50

/**
 * Serves the calls of this user until nobody has come for long enough, its program or its folder is gone, or it is told to
 * stop. Resolves with why it ended; never rejects.
 */
export async function serveCalls(work: ResidentWork): Promise<string> {
  const doubt = findOwnDoubt()
  if (doubt !== null) return doubt
  const place = findMeetingPlace(work.home)
  const fault = makeMeetingPlace(work.home, place)
  if (fault !== null) return fault
  try {
    return await new Resident(work, place).serve()
  } catch (error) {
    return `it cannot serve (${error instanceof Error ? error.message : error})`
  }
}

/** Removes what is left of processes that served a meeting place, where none does or begins to. Never rejects. */
export async function clearPlace(place: MeetingPlace): Promise<void> {
  if (!existsSync(place.folder)) return // a folder that is gone is not made again
  const clear = async (): Promise<void> => {
    if (findServing(place) !== null) return
    sweepSlots(place, () => false)
    for (const path of [place.bell, place.taken, place.engine]) rmSync(path, { force: true })
  }
  await withLock(place.engine, clear).catch(() => {}) // a disk that cannot be written keeps them
}

/** Finds the process that serves a meeting place; null: none does. */
export function findServing(place: MeetingPlace): number | null {
  try {
    const [pid = '', began] = readFileSync(place.engine, 'latin1').trim().split(' ')
    return isRunning(Number(pid), began) ? Number(pid) : null
  } catch {
    return null // there is no such file
  }
}

/** Figures of the process that serves; null: nobody does. */
export function readFigures(place: MeetingPlace): ResidentFigures | null {
  const figures = readLastFigures(place)
  return figures?.pid === findServing(place) ? figures : null
}

/** Figures of the process that serves, or served last; null: there are none. */
export function readLastFigures(place: MeetingPlace): ResidentFigures | null {
  for (let look = 0; look < MAX_LOOKS_AT_FIGURES; look++) {
    const [one = '', other] = readWritten(place.figures).split('\n')
    if (one === '') return null
    if (one === other) return JSON.parse(one) // a file of our own
  }
  return null
}

/** Looks at figures that are just being written. */
const MAX_LOOKS_AT_FIGURES = 100

function readWritten(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // there is no such file
  }
}

/** A call that a client has left. */
interface Offer {
  readonly slot: Slot
  readonly pid: number
  readonly wire: number
  /** Reason why the resident ends after this call; null: it does not. */
  readonly end: string | null
  /** The client, or why it has to go the cold way. */
  readonly caller: SeenCaller | string
}

class Resident {
  readonly #work: ResidentWork
  readonly #place: MeetingPlace
  /** Slots that wait for clients, with the descriptors that hold their wires open. */
  readonly #free = new Map<string, number>()
  /** Calls whose clients still read their stdin, by their slots. */
  readonly #announced = new Map<string, Offer>()
  /** Clients that were asked for the rest of their payloads. */
  readonly #asked = new Map<string, () => void>()
  readonly #running = new Set<Promise<void>>()
  readonly #watchers: FSWatcher[] = []
  readonly #declined: Record<string, number> = {}
  readonly #since = new Date().toISOString()
  #served = 0
  #alone = 0
  #withdrawn = 0
  #filling: Promise<void> | null = null
  #noting: NodeJS.Timeout | undefined
  #isClosing = false
  #bell: Socket | undefined
  #figures: number | undefined
  #idle: NodeJS.Timeout | undefined
  #resting: NodeJS.Timeout | undefined
  #end: (why: string) => void = () => {}

  constructor(work: ResidentWork, place: MeetingPlace) {
    this.#work = work
    this.#place = place
  }

  async serve(): Promise<string> {
    const ended = new Promise<string>((resolve) => {
      this.#end = resolve
    })
    const other = await withLock(this.#place.engine, () => this.#open())
    if (other !== null) return `process ${other} serves already`
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.once(signal, () => this.#end('it was stopped'))
    this.#watch()
    this.#startIdleClock()
    const why = await ended
    await this.#close()
    this.#note({ why, at: new Date().toISOString() })
    return why
  }

  /** Opens the meeting place; resolves with the process that serves there already, if there is one. */
  async #open(): Promise<number | null> {
    const other = findServing(this.#place)
    if (other !== null) return other
    for (const path of [this.#place.bell, this.#place.taken]) rmSync(path, { force: true })
    sweepSlots(this.#place, () => false)
    await makePipes([this.#place.bell])
    writeFileSync(this.#place.taken, 'taken\n', { flag: 'wx', mode: 0o600 })
    await this.#fill()
    rmSync(this.#place.figures, { force: true })
    this.#figures = openSync(this.#place.figures, 'wx', 0o600)
    this.#note()
    this.#bell = listen(this.#place.bell, (name) => this.#hear(name))
    await putInPlace(this.#place.engine, `${process.pid} ${readStartTime('self')}\n`, { before: { mode: 0o600 } })
    return null
  }

  async #close(): Promise<void> {
    this.#isClosing = true
    clearTimeout(this.#idle)
    clearTimeout(this.#resting)
    for (const watcher of this.#watchers) watcher.close()
    if (findServing(this.#place) === process.pid) rmSync(this.#place.engine, { force: true })
    await Promise.all(this.#running)
    await this.#filling
    this.#bell?.destroy()
    for (const { wire } of this.#announced.values()) closeSync(wire) // their clients go the cold way
    for (const [name, wire] of this.#free) {
      closeSync(wire)
      if (readClaimant(findSlot(this.#place, name)) === null) removeSlot(findSlot(this.#place, name))
    }
    if (existsSync(this.#place.bell)) await clearPlace(this.#place) // another one may serve here by now, which has a bell of its own
  }

  /** Ends this process where its program or its folder goes. */
  #watch(): void {
    const look = (why: string, name: string | null): void => {
      if (name === FIGURES_NAME) return // our own
      if (findServing(this.#place) !== process.pid)
        this.#end(existsSync(this.#place.folder) ? 'it was stopped' : 'its folder is gone')
      else if (why !== '') this.#end(why)
    }
    for (const [path, why] of [
      [this.#place.folder, ''],
      ...this.#work.program.map((file) => [file, 'its program has changed'] as const),
    ] as const) {
      try {
        this.#watchers.push(watch(path, { persistent: false }, (_, name) => look(why, name)).on('error', () => {}))
      } catch {
        // no watch is left: the next call looks
      }
    }
  }

  #startIdleClock(): void {
    clearTimeout(this.#idle)
    clearTimeout(this.#resting)
    this.#resting = setTimeout(() => this.#beginRest(), REST_AFTER_MS).unref()
    this.#idle = setTimeout(() => this.#end('nobody came'), this.#work.idleMs).unref() // the bell keeps this process alive
  }

  #beginRest(): void {
    this.#freeLost()
    this.#work.rest()
  }

  /** Looks at a slot in which a client says that it has left a call, or what came on stdin behind one; at all where one has found none. */
  #hear(name: string): void {
    if (name === '') this.#freeLost()
    this.#asked.get(name)?.()
    const offer = this.#announced.get(name) ?? this.#findOffer(name)
    if (offer === null) return
    // a client that reads its stdin rings again; until then its outputs are those of the program that does so
    if (this.#announced.delete(name) || !existsSync(offer.slot.stdin)) this.#takeUp(offer)
    else this.#announced.set(name, offer)
  }

  /** Looks at the client that has claimed a slot; null: there is none, or the slot is not ours. */
  #findOffer(name: string): Offer | null {
    const wire = this.#free.get(name)
    if (wire === undefined) return null
    const slot = findSlot(this.#place, name)
    const pid = readClaimant(slot)
    if (pid === null) return null
    this.#startIdleClock()
    this.#free.delete(name)
    if (this.#free.size < URGENT_FREE_SLOTS) this.#fillSoon()
    const end = this.#work.findEnd()
    return { slot, pid, wire, end, caller: end ?? readCaller(pid, slot.wire, this.#work.launching) }
  }

  /** Takes a call that can be served, or sends its client the cold way. */
  #takeUp({ slot, wire, end, caller: seen }: Offer): void {
    const caller = typeof seen === 'string' ? seen : { ...seen, isHeard: hasReader(seen, this.#place.bell) }
    const obstacle = typeof caller === 'string' ? caller : this.#work.findObstacle(caller)
    if (typeof caller === 'string' || obstacle !== null) {
      if (this.#isWithdrawn(slot, wire)) return // a client that has ended since cannot be looked at
      this.#countDeclined(obstacle ?? '')
      this.#note()
      const stdin = this.#readFirst(slot)
      writeWire(wire, `cold ${stdin !== null && this.#work.isWhole(stdin) ? 'whole' : 'part'} 0\n`) // the client withdraws the call itself
      closeSync(wire)
      if (end !== null) this.#end(end)
      this.#fillSoon()
      return
    }
    // the file can be made once: a call that its client has withdrawn is not taken
    if (!placeNewAtOnce(this.#place.taken, slot.fate)) {
      if (!this.#isWithdrawn(slot, wire)) closeSync(wire)
      return
    }
    const running = this.#answer(slot, wire, caller).finally(() => {
      this.#running.delete(running)
      this.#noteSoon()
    })
    this.#running.add(running)
  }

  /** Reads what a client has read of its stdin so far; null: it leaves that to us. */
  #readFirst({ stdin }: Slot): Buffer | null {
    return existsSync(stdin) ? readFileSync(stdin) : null
  }

  /** True if a client has withdrawn its call, which is over then. */
  #isWithdrawn({ fate }: Slot, wire: number): boolean {
    if (!existsSync(fate)) return false
    closeSync(wire)
    this.#withdrawn++
    this.#note()
    return true
  }

  async #answer(slot: Slot, wire: number, caller: Caller): Promise<void> {
    const gone = new AbortController()
    const watching = setInterval(() => isGone(caller) && gone.abort(), CLIENT_LOOK_MS)
    let isAnswered = false
    try {
      const stdin = await this.#readStdin(slot, wire, { caller, signal: gone.signal })
      const send: ClientLine['send'] = (part) => writeWire(wire, encodeAnswer(slot, 'part', part))
      const reply = await this.#work.answer({ ...caller, stdin }, { signal: gone.signal, send })
      if (typeof reply === 'string') giveBack(slot, stdin)
      this.#count(reply)
      writeWire(wire, typeof reply === 'string' ? `${reply} whole 0\n` : encodeAnswer(slot, String(reply.code), reply))
      isAnswered = true
      this.#noteSoon()
    } catch {
      closeSync(wire) // the client is gone, or hears from the end of the wire that there is no answer
    } finally {
      clearInterval(watching)
    }
    this.#fillSoon()
    this.#startIdleClock()
    do await pause(CLIENT_LOOK_MS)
    while (!isGone(caller)) // until then the client reads what is in its slot
    this.#dropLost()
    if (!isAnswered) removeSlot(slot)
    else if (!this.#reuse(slot, wire)) {
      closeSync(wire)
      removeSlot(slot)
    }
  }

  /** Has a slot wait for the next client; false where it is not needed any more, or cannot be made as it was. */
  #reuse(slot: Slot, wire: number): boolean {
    if (this.#isClosing || this.#free.size >= MAX_FREE_SLOTS) return false
    try {
      readAtOnce(wire, () => false) // a client that was killed may not have read all
      clearSlot(slot)
      this.#free.set(slot.name, wire)
      unlinkSync(slot.claim)
      return true
    } catch {
      this.#free.delete(slot.name)
      return false // the folder is gone, or others have put something there
    }
  }

  #count(reply: ResidentReply): void {
    if (typeof reply !== 'string') this.#served++
    else if (reply === 'alone') this.#alone++
    else this.#countDeclined(NOT_ITS_OWN)
  }

  /** Counts a call that goes the cold way. Reasons name variables of callers, so there may be any number of them. */
  #countDeclined(why: string): void {
    const isKept = Object.hasOwn(this.#declined, why) || Object.keys(this.#declined).length < MAX_REASONS
    const name = isKept ? why : OTHER_REASONS
    this.#declined[name] = (this.#declined[name] ?? 0) + 1
  }

  /** Reads what the agent wrote: where the client did so, all that it has; else from the pipe itself. */
  async #readStdin(
    slot: Slot,
    wire: number,
    { caller, signal }: { readonly caller: Caller; readonly signal: AbortSignal },
  ): Promise<Buffer> {
    const first = this.#readFirst(slot)
    if (first === null) return readPipe(`/proc/${caller.pid}/fd/${STDIN_COPY}`, this.#work.isWhole, signal)
    if (this.#work.isWhole(first)) return first
    const told = new Promise<void>((resolve) => {
      this.#asked.set(slot.name, resolve)
      signal.addEventListener('abort', () => resolve())
    })
    writeWire(wire, 'more 0 0\n')
    await told
    this.#asked.delete(slot.name)
    return readFileSync(slot.stdin)
  }

  /** Keeps the figures in a moment: a call changes them several times. */
  #noteSoon(): void {
    this.#noting ??= setTimeout(() => this.#note(), NOTE_AFTER_MS).unref()
  }

  /**
   * Keeps the figures where `hookline resident status` finds them, once a client has its answer. They are written over each
   * other: a new file, or another in its place, is waited for on a busy disk. Twice, so that a reader sees that they are whole.
   */
  #note(ended?: ResidentFigures['ended']): void {
    clearTimeout(this.#noting)
    this.#noting = undefined
    if (this.#figures === undefined) return
    const figures: ResidentFigures = {
      pid: process.pid,
      since: this.#since,
      served: this.#served,
      alone: this.#alone,
      running: this.#running.size,
      withdrawn: this.#withdrawn,
      declined: this.#declined,
      ...(ended === undefined ? {} : { ended }),
    }
    const line = `${JSON.stringify(figures)}\n`
    try {
      writeSync(this.#figures, `${line}${line}`, 0)
    } catch {
      // a disk that is full changes no answer
    }
  }

  #fillSoon(): void {
    if (this.#free.size >= MIN_FREE_SLOTS || this.#filling !== null) return
    this.#filling = this.#fill()
      .catch(() => {}) // a full disk or no process: clients that find no slot go the cold way
      .finally(() => {
        this.#filling = null
      })
  }

  /** Drops the calls of clients that have ended before they had read their stdin. */
  #dropLost(): void {
    for (const [name, { slot, pid, wire }] of this.#announced) {
      if (isAlive(pid)) continue
      this.#announced.delete(name)
      this.#withdrawn++
      closeSync(wire)
      removeSlot(slot)
    }
  }

  /** Has slots wait again whose clients have ended before they said anything. */
  #freeLost(): void {
    for (const [name, wire] of [...this.#free]) {
      const slot = findSlot(this.#place, name)
      const pid = readClaimant(slot)
      if (pid === null || isAlive(pid)) continue
      this.#free.delete(name)
      if (this.#reuse(slot, wire)) continue
      closeSync(wire)
      removeSlot(slot)
    }
  }

  async #fill(): Promise<void> {
    this.#dropLost()
    const slots = Array.from({ length: MAX_FREE_SLOTS - this.#free.size }, () => findSlot(this.#place, randomUUID()))
    for (const { folder } of slots) mkdirSync(folder, { mode: 0o700 })
    await makePipes(slots.map(({ pipe }) => pipe))
    for (const { name, pipe, wire } of slots) {
      this.#free.set(name, openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK))
      placeNewAtOnce(pipe, wire) // a client that claimed it before would not be heard
    }
    if (listNames(this.#place.slots).length > this.#free.size + MAX_FREE_SLOTS)
      sweepSlots(this.#place, (name) => this.#free.has(name))
  }
}

/** Hears the lines that clients write into a named pipe; the pipe stays open when clients leave. */
function listen(path: string, heard: (line: string) => void): Socket {
  const bell = new Socket({
    fd: openSync(path, constants.O_RDWR | constants.O_NONBLOCK),
    readable: true,
    writable: false,
  })
  let rest = ''
  bell.setEncoding('latin1').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n')
    rest = (lines.pop() ?? '').slice(-MAX_NAME_CHARACTERS)
    for (const line of lines) heard(line)
  })
  return bell.on('error', () => {})
}

const MAX_NAME_CHARACTERS = 64

/** True if a client has ended, also where another process has its number now. */
const isGone = ({ pid, began }: Caller): boolean => !isRunning(pid, began)

const MAX_REASONS = 30
const OTHER_REASONS = 'it has other variables'
const NOT_ITS_OWN = 'only a process of its own can answer it'

/** Leaves what was read of stdin to a client that goes on without us. */
function giveBack({ stdin }: Slot, bytes: Buffer): void {
  if (!existsSync(stdin)) writeFileSync(stdin, bytes, { flag: 'wx', mode: 0o600 })
}

/** Copy of stdin that a client keeps: while its shell reads the wire, that stands in the place of stdin itself. */
const STDIN_COPY = 5

/** Reads a pipe of another process until it has a whole payload, or its end. */
async function readPipe(path: string, isWhole: (bytes: Buffer) => boolean, signal: AbortSignal): Promise<Buffer> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const chunks: Buffer[] = []
  const takeChunk = (chunk: Buffer): boolean => {
    if (chunks.reduce((sum, { length }) => sum + length, 0) < MAX_STDIN_BYTES) chunks.push(Buffer.from(chunk))
    return chunk.at(-1) !== undefined && isWhole(Buffer.concat(chunks))
  }
  if (readAtOnce(fd, takeChunk)) {
    closeSync(fd)
    return Buffer.concat(chunks)
  }
  const pipe = new Socket({ fd, readable: true, writable: false })
  signal.addEventListener('abort', () => pipe.destroy())
  await new Promise<void>((resolve) => {
    pipe.on('data', (chunk) => takeChunk(chunk) && resolve())
    pipe.on('error', () => resolve()).on('close', () => resolve())
  })
  pipe.destroy()
  return Buffer.concat(chunks)
}

/** Reads what a pipe has already; false where more will come. */
function readAtOnce(fd: number, isEnough: (chunk: Buffer) => boolean): boolean {
  room ??= Buffer.allocUnsafe(READ_AT_ONCE)
  try {
    for (;;) {
      const length = readSync(fd, room)
      if (length === 0 || isEnough(room.subarray(0, length))) return true
    }
  } catch {
    return false // nothing is there yet
  }
}

const READ_AT_ONCE = 64 * 1024
let room: Buffer | undefined

/** Writes a line to a client. What cannot be written it does not get: it hears the end of the wire instead. */
function writeWire(wire: number, text: string | Buffer): void {
  writeSync(wire, Buffer.from(text))
}

let files = 0

/** Writes outputs as the client reads them: the exit code and the number of lines of each, then the lines. Other bytes go into files. */
function encodeAnswer({ folder }: Slot, code: string, { stdout, stderr }: Omit<ResidentAnswer, 'code'>): Buffer {
  const outputs = [stdout, stderr].map((bytes) => {
    const text = Buffer.from(bytes)
    if (text.length <= MAX_INLINE_BYTES && !text.includes(0) && (text.length === 0 || text.at(-1) === 10))
      return { count: String(text.toString('latin1').split('\n').length - 1), text }
    const name = `file${files++}`
    writeFileSync(`${folder}/${name}`, text, { mode: 0o600, flag: 'wx' })
    return { count: name, text: Buffer.alloc(0) }
  })
  return Buffer.concat([
    Buffer.from(`${code} ${outputs.map(({ count }) => count).join(' ')}\n`),
    ...outputs.map(({ text }) => text),
  ])
}
