import { createHash } from 'node:crypto'
import { closeSync, constants, mkdirSync, openSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeFolders } from '../files/folders.ts'
import { withLock } from '../files/lock.ts'
import { PRIVATE, readOwn } from '../files/own.ts'
import { isAlive } from '../files/process-alive.ts'
import { readErrorCode } from '../files/read.ts'
import { replaceFile } from '../files/replace.ts'
import { listNames } from '../files/walk.ts'
import { quoteForShell } from '../text/quote.ts'
import type { CallPart } from './bridge.ts'
import { readOwnValue } from './call/parts.ts'

/** Facts that live longer than one event of a host's session. */
interface KeptMemory {
  /** Texts for the model that wait for an event that can carry them. */
  readonly context: readonly string[]
  /** Texts for the user that wait. */
  readonly toUser: readonly string[]
  /** Number of times in a row the agent was sent on. */
  readonly stops: number
  /** Text that it was sent on with last; some hosts then say it as if the user had. */
  readonly sentOn: string | null
  /** Reason why every call is refused until the next prompt; null: none is. */
  readonly halted: string | null
  /** Calls that were refused, by id. */
  readonly refused: readonly string[]
  /** Calls that are under way: what they do, and what was in the files before. */
  readonly calls: Readonly<
    Record<string, { readonly parts: readonly CallPart[]; readonly originals: Readonly<Record<string, string | null>> }>
  >
  /** The folder that the session began in; null: not known yet. */
  readonly project: string | null
  /** The folder of the first event that is not of a call; some hosts send that of the command with a call. */
  readonly began: string | null
  /** Tools that no table names and of which the user was told. */
  readonly unlisted: readonly string[]
  /** Numbers of times that the same call was made, for hosts without ids. */
  readonly counts: Readonly<Record<string, number>>
  /** Calls under way that wait for a subagent, by id. */
  readonly delegated: readonly string[]
  /** Number of subagents that are at work. */
  readonly subagents: number
  /** Variables that hooks wrote for later commands. */
  readonly variables: Readonly<Record<string, string>>
  /** The host called the bridge in this session: hooks that it calls by itself as well leave their work to it. */
  readonly bridged: boolean
  /** Since when the guards of the session are kept beside this; null: they are not. */
  readonly guardedSince: string | null
}

const EMPTY_MEMORY: KeptMemory = {
  context: [],
  toUser: [],
  stops: 0,
  sentOn: null,
  halted: null,
  refused: [],
  calls: {},
  project: null,
  began: null,
  unlisted: [],
  counts: {},
  delegated: [],
  subagents: 0,
  variables: {},
  bridged: false,
  guardedSince: null,
}

/** Ids that can name a folder as they are; most do, and loading what makes a digest takes longer than all the rest. */
const SAFE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
const MAX_REMEMBERED = 64
/** More than that waits for no event: a host that never carries it would collect it for ever. */
const MAX_WAITING_TEXTS = 32

/** The folder of what is remembered of a session. */
export const findSessionFolder = (home: string, agent: string, session: string): string =>
  join(home, '.hookline', 'bridges', agent, SAFE_NAME.test(session) ? session : digest(session))

/** Opening of a session. */
interface MemoryOpening {
  readonly afterOthers?: boolean
  readonly startsAnew?: boolean
  readonly hook?: string | null
}

/** Memory of a session of a host, in a folder of the user's own. */
export class SessionMemory {
  readonly folder: string
  /** No event has left anything. */
  readonly isNew: boolean
  readonly #session: string
  readonly #hook: string | null
  #kept: KeptMemory
  readonly #changes: ((kept: KeptMemory) => KeptMemory)[] = []
  #claimed: Pick<KeptMemory, 'context' | 'toUser'> = { context: [], toUser: [] }

  private constructor(
    folder: string,
    { session, hook }: { session: string; hook: string | null },
    kept: KeptMemory | null,
  ) {
    this.folder = folder
    this.isNew = kept === null
    this.#session = session
    this.#hook = hook
    this.#kept = kept ?? EMPTY_MEMORY
  }

  /**
   * Reads what earlier events left; `afterOthers` waits for those that are still being shown to hooks. `startsAnew` is for
   * hosts that do not name their sessions: what the last one left is not meant. `hook`: the host calls every hook by itself,
   * and this is for the one of that name.
   */
  static async open(
    home: string,
    agent: string,
    session: string,
    { afterOthers = false, startsAnew = false, hook = null }: MemoryOpening = {},
  ): Promise<SessionMemory> {
    const folder = findSessionFolder(home, agent, session)
    if (startsAnew) rmSync(folder, { recursive: true, force: true })
    if (afterOthers) await waitUntilShown(folder)
    const kept = await readKept(folder)
    if (kept !== null) keepFresh(folder)
    return new SessionMemory(folder, { session, hook }, kept)
  }

  /** Says that an event is being shown to hooks, until the function that it gives is called; `caller` is the process that the host started. */
  beginShowing(caller: number): () => void {
    const mark = join(this.folder, `${SHOWING}${caller}`)
    try {
      makeFolders(this.folder, { mode: 0o700 })
      writeFileSync(mark, '', { mode: 0o600, flag: 'wx' })
    } catch {
      // a full or read-only home: then nothing is remembered either
    }
    rmSync(join(findStartingFolder(this.folder), String(caller)), { force: true })
    return () => rmSync(mark, { force: true })
  }

  /** State that is remembered, with the changes that this event has made to it. */
  get kept(): KeptMemory {
    return this.#kept
  }

  /** True the first time that a tool is met in the session which no table names. */
  isFirstUnlisted(tool: string): boolean {
    if (this.#kept.unlisted.includes(tool)) return false
    this.change((kept) => ({ ...kept, unlisted: [...kept.unlisted, tool].slice(-MAX_REMEMBERED) }))
    return true
  }

  /** True if texts waited when the event began. */
  get hasWaiting(): boolean {
    return this.#kept.context.length + this.#kept.toUser.length > 0
  }

  /** Texts that this event may deliver: no other one has them. */
  get waiting(): Pick<KeptMemory, 'context' | 'toUser'> {
    return this.#claimed
  }

  /** True if a text waits already. */
  hasQueued(reader: 'context' | 'toUser', text: string): boolean {
    return this.#kept[reader].includes(text) || this.#claimed[reader].includes(text)
  }

  /** Beginning of a shell command, so that it finds the variables; null when there are none. */
  get prefix(): string | null {
    return Object.keys(this.#kept.variables).length === 0 ? null : `. ${quoteForShell(join(this.folder, ENV_FILE))}; `
  }

  /** True if a prompt is what the agent was sent on with. */
  wasSentOnWith(prompt: string): boolean {
    return this.#kept.sentOn !== null && prompt.trim() === this.#kept.sentOn.trim()
  }

  wasRefused(id: string): boolean {
    return this.#kept.refused.includes(id)
  }

  findParts(id: string): readonly CallPart[] | null {
    return readOwnValue(this.#kept.calls, id)?.parts ?? null
  }

  /** Reads what a file held before a call; undefined when that is not known. */
  findOriginal(id: string): string | null | undefined {
    return readOwnValue(this.#kept.calls, id.replace(/#\d+$/, ''))?.originals[id]
  }

  /** An id for a call of a host that has none: the same before and after it, and for all hooks. */
  makeCallId(tool: string, input: unknown, { starts }: { readonly starts: boolean }): string {
    const name = digest(JSON.stringify([this.#session, tool, input]))
    const own = this.#hook === null ? name : `${name} ${digest(this.#hook)}` // each hook counts the calls that it saw
    const countEvent = ({ counts }: KeptMemory): KeptMemory['counts'] => {
      const nth = (counts[own] ?? 0) + 1
      return { ...counts, [own]: nth, [name]: Math.max(counts[name] ?? 0, nth) }
    }
    const nth = (starts ? countEvent(this.#kept)[own] : this.#kept.counts[name]) ?? 0
    if (starts) this.change((kept) => ({ ...kept, counts: keepNewest(countEvent(kept)) }))
    return `call_${digest(`${name} ${nth}`)}`
  }

  /** Keeps the project of the session. Events that run at the same time agree on the first that is kept, which it gives. */
  async keepProject(found: string): Promise<string> {
    let project = found
    await this.#rewrite((kept) => {
      project = kept.project ?? found
      return { ...kept, project }
    }).catch(() => {}) // a full or read-only home: then nothing is remembered
    this.#kept = { ...this.#kept, project }
    return project
  }

  /** Notes a change; it is written by `save`. */
  change(next: (kept: KeptMemory) => KeptMemory): void {
    this.#changes.push(next)
    this.#kept = next(this.#kept)
  }

  queue({ context = [], toUser = [] }: Partial<Pick<KeptMemory, 'context' | 'toUser'>>): void {
    if (context.length + toUser.length === 0) return
    this.change((kept) => ({
      ...kept,
      context: keepNewestTexts(kept.context, context),
      toUser: keepNewestTexts(kept.toUser, toUser),
    }))
  }

  /** Takes the texts that wait: events of one session run at the same time, and one of them delivers each text. What is not delivered is put back by `save`. */
  async claim(): Promise<void> {
    await this.#rewrite((kept) => {
      this.#claimed = { context: kept.context, toUser: kept.toUser }
      return { ...kept, context: [], toUser: [] }
    })
    this.#kept = { ...this.#kept, context: [], toUser: [] }
  }

  /** Notes that claimed texts were delivered. */
  noteDelivered(kind: 'context' | 'toUser'): void {
    this.#claimed = { ...this.#claimed, [kind]: [] }
  }

  /** Keeps variables for the commands of the session. */
  async keepVariables(variables: Readonly<Record<string, string>>): Promise<void> {
    this.change((kept) => ({ ...kept, variables: { ...kept.variables, ...variables } }))
    await replaceFile(join(this.folder, ENV_FILE), formatExports(this.#kept.variables), PRIVATE)
  }

  remember(id: string, parts: readonly CallPart[], originals: Readonly<Record<string, string | null>>): void {
    this.change((kept) => ({ ...kept, calls: keepNewest({ ...kept.calls, [id]: { parts, originals } }) }))
  }

  /** Forgets a call that is over. */
  callEnded(id: string): void {
    if (!Object.hasOwn(this.#kept.calls, id)) return
    this.change((kept) => {
      const { [id]: _, ...calls } = kept.calls
      return { ...kept, calls }
    })
  }

  refuse(id: string): void {
    this.change((kept) => ({ ...kept, refused: [...kept.refused, id].slice(-MAX_REMEMBERED) }))
  }

  /** Forgets that the session was halted, how often it was sent on, and what was under way: a user speaks. */
  startTurn(): void {
    const { halted, stops, delegated } = this.#kept
    if (halted !== null || stops > 0 || delegated.length > 0)
      this.change((kept) => ({ ...kept, halted: null, stops: 0, sentOn: null, delegated: [], subagents: 0 }))
  }

  /** A file that hooks may read as the transcript; null when it cannot be made. */
  makeTranscript(): string | null {
    const path = join(this.folder, 'transcript.jsonl')
    try {
      makeFolders(this.folder, { mode: 0o700 })
      closeSync(openSync(path, APPENDED, 0o600))
      return path
    } catch {
      return null // a full or read-only home
    }
  }

  /** Writes what changed. Events of one session run at the same time, so the changes are made anew on what is there by then. */
  async save(): Promise<void> {
    const { context, toUser } = this.#claimed
    if (context.length + toUser.length > 0)
      this.change((kept) => ({
        ...kept,
        context: keepNewestTexts(context, kept.context),
        toUser: keepNewestTexts(toUser, kept.toUser),
      }))
    const changes = this.#changes.splice(0)
    if (changes.length > 0) await this.#rewrite(...changes)
  }

  async #rewrite(...changes: readonly ((kept: KeptMemory) => KeptMemory)[]): Promise<void> {
    const path = join(this.folder, FILE)
    const write = async (): Promise<void> => {
      let kept = (await readKept(this.folder)) ?? EMPTY_MEMORY
      for (const change of changes) kept = change(kept)
      await replaceFile(path, `${JSON.stringify(kept)}\n`, PRIVATE)
    }
    await withLock(path, write, PRIVATE)
  }

  /** Removes it, and what others left. The guards stay for a day: a session that is resumed has those that it began with. */
  forget(): void {
    for (const name of listNames(this.folder))
      if (name !== GUARDS_FILE) rmSync(join(this.folder, name), { recursive: true, force: true })
    if (listNames(this.folder).length === 0) rmSync(this.folder, { recursive: true, force: true })
    this.forgetOld()
  }

  /** Removes what sessions left that ended without saying so. */
  forgetOld(): void {
    removeOld(join(this.folder, '..'))
  }
}

/** True if this is the first time that a session of an unknown host is met. */
export function isFirstMet(home: string, session: string): boolean {
  const all = join(home, '.hookline', 'bridges', 'unknown')
  try {
    makeFolders(all, { mode: 0o700 })
    removeOld(all)
    mkdirSync(join(all, SAFE_NAME.test(session) ? session : digest(session)))
    return true
  } catch (error) {
    return readErrorCode(error) !== 'EEXIST'
  }
}

function removeOld(folder: string): void {
  for (const name of listNames(folder))
    if (isOld(join(folder, name))) rmSync(join(folder, name), { recursive: true, force: true })
}

const FILE = 'session.json'
/** Opens a file of ours to write at its end; a pipe in its place is not waited for, nor a link followed. */
const APPENDED =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK | constants.O_NOFOLLOW
/** The file of a session with its guards. */
export const GUARDS_FILE = 'guards.json'
const SHOWING = 'showing-'
const SHOWING_TIMEOUT_MS = 30_000
const RETRY_MS = 20
/** A process that was named longer ago was ended before it showed anything, and another one may have its number. */
const MAX_START_MS = 10_000

/**
 * Folder, beside that of a session, in which the launcher names the processes that are about to show an event after a call. It does so where the folder is:
 * a process that starts is slower than a host that goes on.
 */
const findStartingFolder = (folder: string): string => join(dirname(folder), 'starting')

/** Waits until no other process shows an event of the session to hooks, or is about to, or for as long as that can be borne. */
async function waitUntilShown(folder: string): Promise<void> {
  const starting = findStartingFolder(folder)
  try {
    makeFolders(starting, { mode: 0o700 })
  } catch {
    // a full or read-only home: then nothing is remembered either
  }
  const isStarting = (name: string): boolean => isProcess(name) && !isOld(join(starting, name), MAX_START_MS)
  const isBusy = (): boolean => listNames(starting).some(isStarting) || listNames(folder).some(isShowing)
  for (const end = performance.now() + SHOWING_TIMEOUT_MS; performance.now() < end && isBusy(); ) await pause(RETRY_MS)
}

const isProcess = (name: string): boolean => isAlive(Number(name))
const isShowing = (name: string): boolean => name.startsWith(SHOWING) && isProcess(name.slice(SHOWING.length))

const ENV_FILE = 'env.sh'

/** Lines by which a shell takes over variables. */
export function formatExports(variables: Readonly<Record<string, string>>): string {
  const named = Object.entries(variables).filter(([name]) => /^[A-Za-z_]\w*$/.test(name))
  return named.map(([name, value]) => `export ${name}=${quoteForShell(value)}\n`).join('')
}

/** Reads what is kept of a session; null: nothing. */
async function readKept(folder: string): Promise<KeptMemory | null> {
  const content = await readOwn(join(folder, FILE))
  if (content.read !== 'text') return null
  try {
    return { ...EMPTY_MEMORY, ...JSON.parse(content.text) }
  } catch {
    return null // cut off by a full disk
  }
}

function keepNewestTexts(earlier: readonly string[], later: readonly string[]): readonly string[] {
  return [...earlier, ...later].slice(-MAX_WAITING_TEXTS)
}

/** The newest entries of a table. */
function keepNewest<Value>(table: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(table).slice(-MAX_REMEMBERED))
}

function isOld(path: string, age = DAY_MS): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && Date.now() - stats.mtimeMs > age
}

/** Keeps a session that goes on from being taken for one that ended, also where its events change nothing. */
function keepFresh(folder: string): void {
  try {
    if (isOld(folder, HOUR_MS)) utimesSync(folder, new Date(), new Date())
  } catch {
    // gone since, or a read-only home
  }
}

/** A short name for a text: the same for the same. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
