import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openEngine } from 'hookline'
import { randomEvent } from './events.js'
import { COMPONENTS, randomGroups, randomSettings, writeWorld } from './world.js'

/**
 * @typedef {import('hookline').Engine} Engine
 * @typedef {import('./random.js').Random} Random
 * @typedef {Parameters<Engine['dispatch']>[0]} Input
 */

const WORKERS = 8
/** No event may take longer than this, on a busy machine either: the longest timeout is 0.2 s. */
const LONGEST_EVENT_MS = 15_000
const MOST_REGISTERED = 12
/** Lets the streams and timers of what has ended go. */
const REST_MS = 300

/** Function hooks of every temper. */
const FUNCTIONS = [
  () => ({ systemMessage: 'called' }),
  async () => 'text',
  () => {
    throw new Error('thrown')
  },
  async () => Promise.reject(new Error('rejected')),
  () => new Promise(() => {}),
  (/** @type {unknown} */ _input, /** @type {{ signal: AbortSignal }} */ { signal }) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve({}))),
]

/** A host with three kinds of sessions: one whose hooks change all the time, one whose never do, and short ones. */
export class Host {
  events = 0
  /** @type {import('./compare.js').Difference[]} */
  surprises = []

  #changing
  #steady
  #places
  #signal
  #random
  /** @type {{ remove: () => void }[]} */
  #registrations = []
  /** @type {Set<string>} */
  #underWay = new Set()
  /** @type {Map<string, number>} */
  #done = new Map()
  #slowestMs = 0

  /** @param {{ changing: Engine, steady: Engine, places: object, signal: AbortSignal, random: Random }} parts */
  constructor({ changing, steady, places, signal, random }) {
    this.#changing = changing
    this.#steady = steady
    this.#places = places
    this.#signal = signal
    this.#random = random
  }

  /**
   * Opens the two long sessions on a world that it writes.
   * @param {{ root: string, token: string, signal: AbortSignal, random: Random }} options
   */
  static async open({ root, token, signal, random }) {
    const [name = '', value = ''] = token.split('=')
    const places = {
      project: join(root, 'project'),
      home: join(root, 'home'),
      managed: join(root, 'managed.json'),
      trust: /** @type {const} */ ('accepted'),
      env: { ...process.env, [name]: value },
    }
    await writeWorld(places.project, random)
    const changing = await openEngine(places)
    const steady = await openEngine(places)
    for (const [index, call] of FUNCTIONS.entries())
      await steady.on(index % 2 ? 'Stop' : 'PreToolUse', call, { timeout: 0.05 })
    return new Host({ changing, steady, places, signal, random })
  }

  /**
   * Works for so long, then waits until nothing is under way.
   * @param {number} milliseconds
   */
  async work(milliseconds) {
    const end = performance.now() + milliseconds
    const workers = Array.from({ length: WORKERS }, () => this.#random.fork())
    await Promise.all(
      workers.map(async (random) => {
        while (performance.now() < end) await this.#act(random)
      }),
    )
    await this.#changing.drain()
    await this.#steady.drain()
    await pause(REST_MS)
  }

  /** What has begun and not ended. */
  underWay() {
    return [...this.#underWay]
  }

  /** Closes the sessions, with hooks still in the background. */
  async close() {
    await Promise.all([this.#fire(this.#changing, this.#random), this.#fire(this.#steady, this.#random)])
    await this.#changing.close()
    await this.#steady.close()
  }

  summary() {
    const acts = [...this.#done].sort(([a], [b]) => a.localeCompare(b)).map(([name, times]) => `${times} ${name}`)
    return `${this.events} events, the slowest ${this.#slowestMs.toFixed(0)} ms. Acts: ${acts.join(', ')}.`
  }

  /**
   * One thing that a host does.
   * @param {Random} random
   */
  async #act(random) {
    const acts = /** @type {const} */ ([
      [50, 'fire', () => this.#fire(random.pick([this.#changing, this.#steady]), random)],
      [15, 'fire and abort', () => this.#fireAndAbort(random)],
      [10, 'follow', () => this.#follow(random)],
      [4, 'session', () => this.#session(random)],
      [4, 'register', () => this.#register(random)],
      [4, 'register function', () => this.#registerFunction(random)],
      [3, 'component', () => this.#component(random)],
      [3, 'special command', () => this.#specialCommand(random)],
      [2, 'environment', () => this.#changing.environment()],
      [2, 'delivered', async () => this.#changing.delivered()],
      [1, 'drain', () => this.#changing.drain()],
      [1, 'edit', () => this.#edit(random)],
    ])
    const [, name, act] = random.pick(acts.flatMap((one) => Array.from({ length: one[0] }, () => one)))
    this.#done.set(name, (this.#done.get(name) ?? 0) + 1)
    await this.#watched(name, act)
  }

  /**
   * @param {string} name
   * @param {() => Promise<unknown>} act
   */
  async #watched(name, act) {
    const label = `${name} since event ${this.events}`
    const start = performance.now()
    this.#underWay.add(label)
    try {
      await act()
    } catch (error) {
      this.#surprise(`${name} rejected`, error instanceof Error ? error.message : String(error))
    }
    this.#underWay.delete(label)
    const taken = performance.now() - start
    if (taken > LONGEST_EVENT_MS) this.#surprise(`${name} was slow`, `${taken.toFixed(0)} ms`)
    this.#slowestMs = Math.max(this.#slowestMs, taken)
  }

  /**
   * Kept few: they are printed, and must not look like a leak.
   * @param {string} what
   * @param {string} is
   */
  #surprise(what, is) {
    if (this.surprises.length < 10) this.surprises.push({ what, was: 'never', is })
  }

  /**
   * @param {Engine} engine
   * @param {Random} random
   */
  async #fire(engine, random) {
    this.events++
    await engine.dispatch(/** @type {Input} */ (randomEvent(random)), { signal: this.#signal })
  }

  /** @param {Random} random */
  async #fireAndAbort(random) {
    this.events++
    const abort = new AbortController()
    if (random.chance(0.1)) abort.abort()
    const timer = setTimeout(() => abort.abort(), random.below(60))
    await this.#changing.dispatch(/** @type {Input} */ (randomEvent(random)), { signal: abort.signal })
    clearTimeout(timer)
  }

  /** @param {Random} random */
  async #follow(random) {
    this.events++
    const leaveAfter = random.chance(0.3) ? random.below(3) : Number.POSITIVE_INFINITY
    const engine = random.pick([this.#changing, this.#steady])
    let seen = 0
    for await (const _progress of engine.stream(/** @type {Input} */ (randomEvent(random)), { signal: this.#signal })) {
      if (seen++ >= leaveAfter) break
    }
  }

  /**
   * A whole session, closed while hooks may be in the background.
   * @param {Random} random
   */
  async #session(random) {
    const engine = await openEngine(this.#places)
    await engine.on('Stop', random.pick(FUNCTIONS), { timeout: 0.05 })
    await engine.activate(random.pick(COMPONENTS))
    for (let left = 1 + random.below(3); left > 0; left--) {
      await Promise.all([this.#fire(engine, random), this.#fire(engine, random)])
    }
    await engine.close()
  }

  /** @param {Random} random */
  async #register(random) {
    const { hook_event_name } = randomEvent(random)
    const agent = random.chance(0.3) ? { agent: `agent-${random.below(10)}` } : {}
    await this.#keep(await this.#changing.register({ [hook_event_name]: randomGroups(random) }, agent), random)
  }

  /** @param {Random} random */
  async #registerFunction(random) {
    const { hook_event_name } = randomEvent(random)
    await this.#keep(await this.#changing.on(hook_event_name, random.pick(FUNCTIONS), { timeout: 0.05 }), random)
  }

  /**
   * @param {{ remove: () => void }} registration
   * @param {Random} random
   */
  async #keep(registration, random) {
    this.#registrations.push(registration)
    while (this.#registrations.length > MOST_REGISTERED) {
      this.#registrations.splice(random.below(this.#registrations.length), 1)[0]?.remove()
    }
  }

  /** @param {Random} random */
  async #component(random) {
    const path = random.pick(COMPONENTS)
    const agent = random.chance(0.3) ? { agent: `agent-${random.below(10)}` } : {}
    if (random.chance(0.5)) await this.#changing.activate(path, agent)
    else this.#changing.deactivate(path, agent)
  }

  /** @param {Random} random */
  async #specialCommand(random) {
    const options = { signal: this.#signal }
    if (random.chance(0.5)) await this.#changing.statusLine({ model: 'soak' }, options)
    else await this.#changing.fileSuggestion('a', options)
  }

  /**
   * Edits the settings on disk and takes the change over.
   * @param {Random} random
   */
  async #edit(random) {
    const { project } = /** @type {{ project: string }} */ (this.#places)
    await writeFile(join(project, '.claude/settings.json'), JSON.stringify(randomSettings(random)))
    await pause(random.below(20))
    await this.#changing.changes()
    await this.#changing.accept()
  }
}
