import { existsSync, openSync, readdirSync, readSync } from 'node:fs'
import { isAlive } from '../files/process-alive.ts'
import { closeDescriptor } from './descriptors.ts'
import { signalGroup } from './spawn-group.ts'

/** A living process of a kernel session. */
interface Member {
  readonly pid: number
  readonly group: number
  readonly session: number
}

/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 200
const PROBE_MS = 10
/** With more new numbers than this it is cheaper to look at every process there is. */
const MAX_SESSIONS_ASKED = 512
/** So often a session is looked through again whose processes start others meanwhile. */
const MAX_LOOKS = 5
/** More numbers than this are not kept in mind. */
const MAX_PROCESSES_KNOWN = 1024
/** Hooks that begin within this time share one question for the last number. */
const MAX_NUMBER_AGE_MS = 2
/** Numbers are counted for so long: no machine gives all that it has in this time, and begins anew. */
const MAX_COUNTING_MS = 100

/**
 * The living processes of a kernel session (setsid), as far as the system shows them; none on other systems than Linux.
 * A hook that starts something in a group of its own, as `timeout` and `set -m` do, still has it in its session.
 */
function listMembers(session: number): Member[] {
  if (process.platform !== 'linux') return []
  return listLiving(listProcessIds()).filter((member) => member.session === session)
}

/** Signals everything in the session that a process leads, whatever its group. */
export function signalSession(leader: number, signal: NodeJS.Signals): void {
  signalGroup(leader, signal)
  const signalled = new Set([leader])
  for (let left = MAX_LOOKS; left > 0; left--) {
    const groups = listMembers(leader).map(({ group }) => group)
    const others = new Set(groups.filter((group) => !signalled.has(group)))
    if (others.size === 0) return
    for (const group of others) signalGroup(group, signal)
    for (const group of others) signalled.add(group)
  }
}

/** Ends sessions whose leaders have ended; one whose number another process has by now is gone already. */
export async function endLeftSessions(leaders: Iterable<number>): Promise<void> {
  const left = [...leaders].filter((leader) => !isAlive(leader))
  if (left.length === 0) return
  for (const signal of ['SIGTERM', 'SIGCONT'] as const) for (const leader of left) signalSession(leader, signal)
  for (const end = performance.now() + GRACE_MS; performance.now() < end && !left.every(isSessionGone); ) {
    await new Promise((resolve) => setTimeout(resolve, PROBE_MS))
  }
  for (const leader of left) if (!isSessionGone(leader)) signalSession(leader, 'SIGKILL')
}

/** True if no process of the session that this one leads is alive any more. */
export function isSessionGone(leader: number): boolean {
  return !signalGroup(leader, 0) && listMembers(leader).length === 0
}

/** Numbers that the system has given to processes since a moment. */
export interface NumbersSince {
  /** The last number before; null when the system does not tell. */
  readonly first: number | null
  readonly at: number
  /** Counts the hooks that have begun since and ended: each of them had a number of its own, which is free again. */
  ended: number
}

/** A hook that has ended in its session, and the numbers that were given since it began. */
export interface EndedInSession {
  readonly session: number
  readonly since: NumbersSince
}

/**
 * Finds what hooks left behind without looking at every process: the system gives numbers in turn, so only those count
 * that it gave since a hook began, and each is read once while it lives. A process never joins a session later on, so
 * those that belong to other hooks need no further look; a number without a process may be a fork that is under way.
 */
export class LeftBehind {
  readonly #source: string
  #loadAverage: number | undefined
  /** The numbers are those of another machine, as in some containers, or are told too late. */
  #isMisled = false
  readonly #text = Buffer.alloc(100)
  /** Every number from here to there is in one of the following two, or its process is gone. */
  #from = Number.POSITIVE_INFINITY
  #upTo = Number.POSITIVE_INFINITY
  /** The session of a process, by its number. */
  readonly #sessions = new Map<number, number>()
  /** Numbers of which no process was seen yet. */
  readonly #unseen = new Set<number>()

  #since: NumbersSince | undefined

  /** Reads the last number from the end of a file. */
  constructor(source = '/proc/loadavg') {
    this.#source = source
  }

  /** Counts the numbers that are given from now on. */
  countFromNow(): NumbersSince {
    const at = performance.now()
    if (this.#since === undefined || at - this.#since.at > MAX_NUMBER_AGE_MS)
      this.#since = { first: this.#readLastNumber(), at, ended: 0 }
    return this.#since
  }

  /** Compares the numbers with that of a process which was started since; wrong ones are not asked for again. */
  checkNumbers({ first }: NumbersSince, pid: number): void {
    const last = this.#readLastNumber()
    if (first !== null && last !== null && (pid <= first || pid > last)) this.#isMisled = true
  }

  /** Lists the sessions of hooks that have ended in which a process besides the leader lives on. */
  listInhabited(hooks: readonly EndedInSession[]): ReadonlySet<number> {
    if (this.#isNothingLeft(hooks)) return NO_SESSIONS
    const first = Math.min(...hooks.map(({ since }) => since.first ?? Number.NaN))
    return this.#findInhabited(new Set(hooks.map(({ session }) => session)), Number.isNaN(first) ? null : first)
  }

  /** True if every number that was given since these hooks began was the own one of a hook that has ended. */
  #isNothingLeft([hook, ...others]: readonly EndedInSession[]): boolean {
    if (hook === undefined || others.some(({ since }) => since !== hook.since)) return false
    const { first, at, ended } = hook.since
    if (performance.now() - at > MAX_COUNTING_MS) return false
    return first !== null && this.#readLastNumber() === first + ended
  }

  /** The number that was given last; null when the system does not tell. */
  #readLastNumber(): number | null {
    if (this.#isMisled) return null
    try {
      this.#loadAverage ??= openSync(this.#source, 'r')
      const length = readSync(this.#loadAverage, this.#text, 0, this.#text.length, 0)
      const text = this.#text.toString('latin1', 0, length)
      return Number(text.slice(text.lastIndexOf(' ') + 1)) || null
    } catch {
      return null // not to be read here, or no descriptor is left
    }
  }

  /** Finds sessions that have a living member besides their leader, started after a number had been given. */
  #findInhabited(sessions: ReadonlySet<number>, first: number | null): ReadonlySet<number> {
    for (let left = MAX_LOOKS; left > 0; left--) {
      const to = this.#readLastNumber()
      if (to !== null && to === first) return NO_SESSIONS // nothing was started since
      if (to === null || first === null || to < first) break // numbering begins anew, or tells nothing
      if (!this.#noteUpTo(to, first)) break
      const found = this.#listMembers(sessions)
      if (this.#readLastNumber() === to) return listInhabitedSessions(found) // else one may have started another, and ended
    }
    this.#startOver(Number.POSITIVE_INFINITY)
    return listInhabitedSessions(listLiving(listProcessIds()))
  }

  /** Reads the processes of every number given since the first; false when these are too many. */
  #noteUpTo(to: number, first: number): boolean {
    const isKnown = first >= this.#from && first <= this.#upTo && to >= this.#upTo
    if (!isKnown || this.#sessions.size + this.#unseen.size > MAX_PROCESSES_KNOWN) this.#startOver(first)
    if (to - this.#upTo > MAX_SESSIONS_ASKED) return false
    for (let pid = this.#upTo + 1; pid <= to; pid++) this.#unseen.add(pid)
    this.#upTo = to
    for (const { pid, session } of listLiving([...this.#unseen].filter((one) => one > first))) {
      this.#unseen.delete(pid)
      this.#sessions.set(pid, session)
    }
    return true
  }

  #listMembers(sessions: ReadonlySet<number>): Member[] {
    const pids = [...this.#sessions].flatMap(([pid, session]) => (sessions.has(session) ? [pid] : []))
    const found = listLiving(pids)
    for (const pid of pids) if (!found.some((member) => member.pid === pid)) this.#sessions.delete(pid)
    return found
  }

  #startOver(first: number): void {
    this.#from = first
    this.#upTo = first
    this.#sessions.clear()
    this.#unseen.clear()
  }

  close(): void {
    if (this.#loadAverage !== undefined) closeDescriptor(this.#loadAverage)
    this.#loadAverage = undefined
  }
}

const NO_SESSIONS: ReadonlySet<number> = new Set()

function listInhabitedSessions(members: readonly Member[]): ReadonlySet<number> {
  return new Set(members.filter(({ pid, session }) => pid !== session).map(({ session }) => session))
}

function listLiving(pids: readonly number[]): Member[] {
  return pids.flatMap((pid) => {
    const [state, , group, session] = readStatFields(pid)
    if (state === undefined || state === 'Z' || state === 'X') return []
    return [{ pid, group: Number(group), session: Number(session) }]
  })
}

function listProcessIds(): number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
}

/** Room for the status of a process, up to the fields that are read. */
const STAT = Buffer.alloc(256)

/** Fields after the name in the status of a process: its state, parent, group, session and so on. */
function readStatFields(pid: number): string[] {
  const path = `/proc/${pid}/stat`
  let descriptor: number | undefined
  try {
    if (!existsSync(path)) return [] // most are gone, and an error would cost more than the rest
    descriptor = openSync(path, 'r')
    const text = STAT.toString('latin1', 0, readSync(descriptor, STAT, 0, STAT.length, 0))
    return text.slice(text.lastIndexOf(')') + 2).split(' ', 4)
  } catch {
    return [] // gone since
  } finally {
    if (descriptor !== undefined) closeDescriptor(descriptor)
  }
}
