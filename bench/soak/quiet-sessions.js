import { openEngine } from 'hookline'
import { EVENTS, randomEvent } from './events.js'
import { fire, fireAndAbort, follow } from './fire.js'
import { FUNCTIONS } from './functions.js'
import { Registrations } from './registrations.js'
import { UNRUNNABLE } from './world.js'

/**
 * @typedef {import('hookline').Engine} Engine
 * @typedef {import('hookline').EngineOptions} EngineOptions
 * @typedef {import('./host.js').Act} Act
 * @typedef {import('./random.js').Random} Random
 * @typedef {import('./fire.js').Firing} Firing
 * @typedef {Parameters<Engine['explain']>[0]} Input
 */

const BRIEFLY = { timeout: 0.005 }

/**
 * Sessions whose events start no process: nobody trusts the project, so that its hooks are labelled only, and what runs
 * are functions.
 */
export class QuietSessions {
  #changing
  #steady
  #options
  #firing
  #registrations = new Registrations()

  /** @param {{ changing: Engine, steady: Engine, options: EngineOptions, firing: Firing }} parts */
  constructor({ changing, steady, options, firing }) {
    this.#changing = changing
    this.#steady = steady
    this.#options = options
    this.#firing = firing
  }

  /**
   * @param {EngineOptions} places
   * @param {{ log: string, firing: Firing }} options
   */
  static async open(places, { log, firing }) {
    const untrusted = { ...places, trust: /** @type {const} */ ('refused') }
    const changing = await openEngine(untrusted)
    const steady = await openEngine(untrusted)
    for (const [index, { hook_event_name }] of EVENTS.entries()) {
      const call = FUNCTIONS[index % FUNCTIONS.length]
      if (call) await steady.on(hook_event_name, call, BRIEFLY)
    }
    return new QuietSessions({ changing, steady, options: { ...untrusted, log }, firing })
  }

  /**
   * What a host does, and how often.
   * @param {Random} random
   * @returns {Act[]}
   */
  acts(random) {
    const [changing, firing] = [this.#changing, this.#firing]
    const either = random.pick([changing, this.#steady])
    return [
      [70, 'quietly fire', () => fire(either, random, firing)],
      [10, 'quietly fire and abort', () => fireAndAbort(changing, random, firing)],
      [10, 'quietly follow', () => follow(either, random, firing)],
      [1, 'quiet session', () => this.#session(random)],
      [3, 'quietly register', () => this.#register(random)],
      [3, 'quietly register function', () => this.#registerFunction(random)],
      [2, 'explain', async () => either.explain(/** @type {Input} */ (randomEvent(random)))],
      [1, 'list', async () => either.list()],
    ]
  }

  /** Takes back what was registered. */
  settle() {
    this.#registrations.removeAll()
  }

  async close() {
    await this.#changing.close()
    await this.#steady.close()
  }

  /**
   * A whole session that keeps records.
   * @param {Random} random
   */
  async #session(random) {
    const engine = await openEngine(this.#options)
    await engine.on('Stop', random.pick(FUNCTIONS), BRIEFLY)
    for (let left = 1 + random.below(3); left > 0; left--) await fire(engine, random, this.#firing)
    await engine.close()
  }

  /**
   * Hooks that run nowhere, of which the next record tells.
   * @param {Random} random
   */
  async #register(random) {
    const { hook_event_name } = randomEvent(random)
    const hooks = { [hook_event_name]: [{ hooks: [random.pick(UNRUNNABLE)] }] }
    this.#registrations.keep(await this.#changing.register(hooks), random)
  }

  /** @param {Random} random */
  async #registerFunction(random) {
    const { hook_event_name } = randomEvent(random)
    this.#registrations.keep(await this.#changing.on(hook_event_name, random.pick(FUNCTIONS), BRIEFLY), random)
  }
}
