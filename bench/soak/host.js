import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { BusySessions } from './busy-sessions.js'
import { QuietSessions } from './quiet-sessions.js'
import { Tally } from './tally.js'
import { randomSettings, writeWorld } from './world.js'

/**
 * @typedef {import('./random.js').Random} Random
 * @typedef {import('./length.js').Length} Length
 * @typedef {[weight: number, name: string, act: () => Promise<unknown>]} Act
 */

const WORKERS = 8
/** No act may take longer than this, on a busy machine either: the longest timeout is 0.2 s. */
const MAX_ACT_MS = 15_000
/** Within this time the streams and timers of processes that have ended go. */
const REST_MS = 300

/** A host that does several things at once, some with processes and some without. */
export class Host {
  tally
  /** @type {import('./compare.js').Difference[]} */
  surprises = []

  #busy
  #quiet
  #random
  #noteEnd
  /** @type {Set<{ name: string, since: number }>} */
  #underWay = new Set()

  /** @param {{ busy: BusySessions, quiet: QuietSessions, tally: Tally, random: Random, noteEnd: () => void }} parts */
  constructor({ busy, quiet, tally, random, noteEnd }) {
    this.#busy = busy
    this.#quiet = quiet
    this.tally = tally
    this.#random = random
    this.#noteEnd = noteEnd
  }

  /**
   * Opens the long sessions on a world that it writes. `noteEnd` is called whenever something has come to its end.
   * @param {{ root: string, token: string, signal: AbortSignal, random: Random, noteEnd: () => void }} options
   */
  static async open({ root, token, signal, random, noteEnd }) {
    const [name = '', value = ''] = token.split('=')
    const places = {
      project: join(root, 'project'),
      home: join(root, 'home'),
      managed: join(root, 'managed.json'),
      trust: /** @type {const} */ ('accepted'),
      env: { ...process.env, [name]: value },
    }
    const settings = JSON.stringify(randomSettings(random))
    await writeWorld(places.project, settings, random)
    const tally = new Tally()
    const firing = { signal, tally }
    const busy = await BusySessions.open(places, { settings, firing })
    const quiet = await QuietSessions.open(places, { log: join(root, 'records.jsonl'), firing })
    return new Host({ busy, quiet, tally, random, noteEnd })
  }

  /**
   * Works until so much of the whole is done, and then until it is as it was before, but for what it may have forgotten.
   * @param {Length} length
   * @param {number} goal
   */
  async work(length, goal) {
    const { eventsWithProcesses } = this.tally
    const workers = Array.from({ length: WORKERS }, () => this.#random.fork())
    await Promise.all(
      workers.map(async (random) => {
        while (length.progress(this.tally) < goal) await this.#act(random, length.shareWithProcesses(this.tally))
      }),
    )
    this.#quiet.settle()
    await this.#busy.settle()
    if (this.tally.eventsWithProcesses > eventsWithProcesses) await pause(REST_MS)
  }

  /** What has begun and not ended. */
  underWay() {
    return [...this.#underWay].map(({ name, since }) => `${name} since event ${since}`)
  }

  async close() {
    await this.#quiet.close()
    await this.#busy.close(this.#random)
  }

  /**
   * One thing that a host does.
   * @param {Random} random
   * @param {number} shareWithProcesses
   */
  async #act(random, shareWithProcesses) {
    const sessions = random.chance(shareWithProcesses) ? this.#busy : this.#quiet
    const [, name, act] = random.weighted(sessions.acts(random))
    this.tally.noteAct(name)
    await this.#watched(name, act)
    await nextTurn() // what ends at once must not keep timers from firing
  }

  /**
   * @param {string} name
   * @param {() => Promise<unknown>} act
   */
  async #watched(name, act) {
    const begun = { name, since: this.tally.events }
    const start = performance.now()
    this.#underWay.add(begun)
    try {
      await act()
    } catch (error) {
      this.#surprise(`${name} rejected`, error instanceof Error ? error.message : String(error))
    }
    this.#underWay.delete(begun)
    this.#noteEnd()
    const taken = performance.now() - start
    if (taken > MAX_ACT_MS) this.#surprise(`${name} was slow`, `${taken.toFixed(0)} ms`)
    this.tally.slowestMs = Math.max(this.tally.slowestMs, taken)
  }

  /**
   * Kept few: they are printed, and must not look like a leak.
   * @param {string} what
   * @param {string} is
   */
  #surprise(what, is) {
    if (this.surprises.length < 10) this.surprises.push({ what, was: 'never', is })
  }
}
