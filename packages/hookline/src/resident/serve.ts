import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  type FSWatcher,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { withLock } from '../files/lock.ts'
import { isAlive } from '../files/process-alive.ts'
import { readErrorCode } from '../files/read.ts'
import { putInPlace } from '../files/replace.ts'
import { listNames } from '../files/walk.ts'
import { type Caller, findOwnDoubt, readCaller, readStartTime } from './caller.ts'
import {
  findMeetingPlace,
  findSlot,
  type MeetingPlace,
  makeMeetingPlace,
  makePipes,
  readClaimant,
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

/** Work that a resident does, and when it ends. */
export interface ResidentWork {
  readonly home: string
  /** Path of the launcher that clients are started by. */
  readonly launcher: string
  /** Files that end the resident when they change or go. */
  readonly program: readonly string[]
  readonly idleMs: number
  /** Reason why a call has to go the cold way; null: it can be served. */
  readonly findObstacle: (caller: Caller) => string | null
  /** Reason why the resident has to end, looked for at every call; null: none. */
  readonly findEnd: () => string | null
  /** Answers a call. Never rejects. */
  readonly answer: (call: ResidentCall) => Promise<ResidentAnswer>
}

/** Figures of a resident, for the one who asks how it does. */
export interface ResidentFigures {
  readonly pid: number
  readonly since: string
  readonly served: number
  /** Calls that went the cold way, by reason. */
  readonly declined: Readonly<Record<string, number>>
}

/** Slots that wait for clients: as many calls can come before the resident looks. */
const MAX_FREE_SLOTS = 24
const MIN_FREE_SLOTS = 12
/** Bytes of an answer that a pipe takes at once; a longer one is left in a file. */
const MAX_INLINE_BYTES = 32 * 1024
const WIRE_RETRY_MS = 50

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

/** Finds the process that serves a meeting place; null: none does. */
export function findServing(place: MeetingPlace): number | null {
  try {
    const [pid = '', began] = readFileSync(place.engine, 'latin1').trim().split(' ')
    return readStartTime(Number(pid)) === began ? Number(pid) : null
  } catch {
    return null // there is no such file or process
  }
}

class Resident {
  readonly #work: ResidentWork
  readonly #place: MeetingPlace
  readonly #free = new Set<string>()
  readonly #running = new Set<Promise<void>>()
  readonly #watchers: FSWatcher[] = []
  readonly #declined: Record<string, number> = {}
  readonly #since = new Date().toISOString()
  #served = 0
  #filling: Promise<void> | null = null
  #bell: Socket | undefined
  #idle: NodeJS.Timeout | undefined
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
    return why
  }

  /** Opens the meeting place; resolves with the process that serves there already, if there is one. */
  async #open(): Promise<number | null> {
    const other = findServing(this.#place)
    if (other !== null) return other
    rmSync(this.#place.bell, { force: true })
    await sweepSlots(this.#place, () => false)
    await makePipes([this.#place.bell])
    await this.#fill()
    this.#bell = listen(this.#place.bell, (name) => this.#hear(name))
    await putInPlace(this.#place.engine, `${process.pid} ${readStartTime('self')}\n`, { before: { mode: 0o600 } })
    return null
  }

  async #close(): Promise<void> {
    clearTimeout(this.#idle)
    for (const watcher of this.#watchers) watcher.close()
    if (findServing(this.#place) === process.pid) rmSync(this.#place.engine, { force: true })
    await Promise.all(this.#running)
    await this.#filling
    this.#bell?.destroy()
    for (const name of this.#free) {
      if (readClaimant(findSlot(this.#place, name)) === null)
        rmSync(findSlot(this.#place, name).folder, { recursive: true, force: true })
    }
    rmSync(this.#place.bell, { force: true })
  }

  /** Ends this process where its program or its folder goes. */
  #watch(): void {
    const look = (why: string): void => {
      if (findServing(this.#place) !== process.pid) this.#end('its folder is gone')
      else if (why !== '') this.#end(why)
    }
    for (const [path, why] of [
      [this.#place.folder, ''],
      ...this.#work.program.map((file) => [file, 'its program has changed'] as const),
    ] as const) {
      try {
        this.#watchers.push(watch(path, { persistent: false }, () => look(why)).on('error', () => {}))
      } catch {
        // no watch is left: the next call looks
      }
    }
  }

  #startIdleClock(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#end('nobody came'), this.#work.idleMs)
  }

  /** Looks at a slot in which a client says that it has left a call. */
  #hear(name: string): void {
    if (!this.#free.has(name)) return // withdrawn long ago, or not ours
    const slot = findSlot(this.#place, name)
    const pid = readClaimant(slot)
    if (pid === null) return
    this.#startIdleClock()
    this.#free.delete(name)
    this.#fillSoon()
    const end = this.#work.findEnd()
    const caller = end === null ? readCaller(pid, slot.wire, this.#work.launcher) : end
    const obstacle = typeof caller === 'string' ? caller : this.#work.findObstacle(caller)
    if (typeof caller === 'string' || obstacle !== null) {
      this.#refuseCall(slot, obstacle ?? '')
      if (end !== null) this.#end(end)
      return
    }
    if (!take(slot)) return
    const running = this.#answer(slot, caller).finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** Tells a client to go the cold way; it withdraws the call itself. */
  #refuseCall(slot: Slot, why: string): void {
    this.#declined[why] = (this.#declined[why] ?? 0) + 1
    this.#note()
    try {
      const wire = openSync(slot.wire, constants.O_WRONLY | constants.O_NONBLOCK)
      writeSync(wire, 'cold 0 0\n')
      closeSync(wire)
    } catch {
      // the client is gone, or has withdrawn it
    }
  }

  async #answer(slot: Slot, caller: Caller): Promise<void> {
    const wire = await openWire(slot, caller.pid)
    if (wire === null) return // the client was killed; no hook has run
    try {
      const answer = await this.#work.answer({ ...caller, stdin: readFileSync(slot.stdin) })
      writeSync(wire, encodeAnswer(slot, answer))
    } catch {
      // the client is gone, or hears from the end of the wire that there is no answer
    } finally {
      closeSync(wire)
    }
    this.#served++
    this.#note()
    this.#startIdleClock()
    await waitForEnd(caller.pid, slot)
  }

  /** Keeps the figures where `hookline resident status` finds them. */
  #note(): void {
    const figures: ResidentFigures = {
      pid: process.pid,
      since: this.#since,
      served: this.#served,
      declined: this.#declined,
    }
    try {
      writeFileSync(`${this.#place.folder}/figures.json`, JSON.stringify(figures), { mode: 0o600 })
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

  async #fill(): Promise<void> {
    const slots = Array.from({ length: MAX_FREE_SLOTS - this.#free.size }, () => findSlot(this.#place, randomUUID()))
    for (const { folder } of slots) mkdirSync(folder, { mode: 0o700 })
    await makePipes(slots.map(({ wire }) => wire))
    for (const { name } of slots) this.#free.add(name)
    if (listNames(this.#place.slots).length > this.#free.size + MAX_FREE_SLOTS)
      await sweepSlots(this.#place, (name) => this.#free.has(name))
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

/** Takes a call, unless its client has withdrawn it: the file can be made once. */
function take({ fate }: Slot): boolean {
  try {
    writeFileSync(fate, 'taken\n', { flag: 'wx', mode: 0o600 })
    return true
  } catch {
    return false
  }
}

/** Opens the wire to a client that waits, or will in a moment; null: it is gone. */
async function openWire({ wire }: Slot, pid: number): Promise<number | null> {
  for (;;) {
    try {
      return openSync(wire, constants.O_WRONLY | constants.O_NONBLOCK)
    } catch (error) {
      if (readErrorCode(error) !== 'ENXIO' || !isAlive(pid)) return null
    }
    await pause(WIRE_RETRY_MS)
  }
}

/** Removes a slot once its client has read what is in it. */
async function waitForEnd(pid: number, { folder }: Slot): Promise<void> {
  while (isAlive(pid)) await pause(WIRE_RETRY_MS)
  rmSync(folder, { recursive: true, force: true })
}

/** Writes an answer as the client reads it: the exit code and the number of lines of each output, then the lines. Other bytes go into files. */
function encodeAnswer({ folder }: Slot, { code, stdout, stderr }: ResidentAnswer): Buffer {
  const outputs = Object.entries({ stdout, stderr }).map(([name, bytes]) => {
    const text = Buffer.from(bytes)
    if (text.length <= MAX_INLINE_BYTES && !text.includes(0) && (text.length === 0 || text.at(-1) === 10))
      return { count: String(text.toString('latin1').split('\n').length - 1), text }
    writeFileSync(`${folder}/${name}`, text, { mode: 0o600, flag: 'wx' })
    return { count: 'file', text: Buffer.alloc(0) }
  })
  return Buffer.concat([
    Buffer.from(`${code} ${outputs.map(({ count }) => count).join(' ')}\n`),
    ...outputs.map(({ text }) => text),
  ])
}
