import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openEngine } from 'hookline'
import { randomEvent } from './events.js'
import { fire, fireAndAbort, follow } from './fire.js'
import { FUNCTIONS } from './functions.js'
import { Registrations } from './registrations.js'
import { COMPONENTS, randomGroups, randomSettings } from './world.js'

/**
 * @typedef {import('hookline').Engine} Engine
 * @typedef {import('hookline').EngineOptions & { project: string }} Places
 * @typedef {import('./host.js').Act} Act
 * @typedef {import('./random.js').Random} Random
 * @typedef {import('./fire.js').Firing} Firing
 */

/** Subagents that hooks are registered for. */
const AGENTS = Array.from({ length: 10 }, (_, number) => ({ agent: `agent-${number}` }))
const BRIEFLY = { timeout: 0.05 }

/** Sessions whose events start processes: one whose hooks change all the time, one whose never do, and short ones. */
export class BusySessions {
  #changing
  #steady
  #places
  #settings
  #firing
  #registrations = new Registrations()

  /** @param {{ changing: Engine, steady: Engine, places: Places, settings: string, firing: Firing }} parts */
  constructor({ changing, steady, places, settings, firing }) {
    this.#changing = changing
    this.#steady = steady
    this.#places = places
    this.#settings = settings
    this.#firing = firing
  }

  /**
   * @param {Places} places
   * @param {{ settings: string, firing: Firing }} options
   */
  static async open(places, { settings, firing }) {
    const changing = await openEngine(places)
    const steady = await openEngine(places)
    for (const [index, call] of FUNCTIONS.entries()) await steady.on(index % 2 ? 'Stop' : 'PreToolUse', call, BRIEFLY)
    return new BusySessions({ changing, steady, places, settings, firing })
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
      [50, 'fire', () => fire(either, random, firing)],
      [15, 'fire and abort', () => fireAndAbort(changing, random, firing)],
      [10, 'follow', () => follow(either, random, firing)],
      [4, 'session', () => this.#session(random)],
      [4, 'register', () => this.#register(random)],
      [4, 'register function', () => this.#registerFunction(random)],
      [3, 'component', () => this.#component(random)],
      [3, 'special command', () => this.#specialCommand(random)],
      [2, 'environment', () => changing.readEnvironment()],
      [2, 'delivered', async () => changing.takeDeliveries()],
      [1, 'drain', () => changing.drain()],
      [1, 'edit', () => this.#edit(JSON.stringify(randomSettings(random)), random.below(20))],
    ]
  }

  /** Waits for what is in the background, and takes back what was registered, activated and edited. */
  async settle() {
    await this.#changing.drain()
    await this.#steady.drain()
    this.#registrations.removeAll()
    for (const component of COMPONENTS) for (const loop of [{}, ...AGENTS]) this.#changing.deactivate(component, loop)
    await this.#edit(this.#settings, 0)
  }

  /**
   * With hooks still in the background.
   * @param {Random} random
   */
  async close(random) {
    await Promise.all([fire(this.#changing, random, this.#firing), fire(this.#steady, random, this.#firing)])
    await this.#changing.close()
    await this.#steady.close()
  }

  /**
   * A whole session, closed while hooks may be in the background.
   * @param {Random} random
   */
  async #session(random) {
    const engine = await openEngine(this.#places)
    await engine.on('Stop', random.pick(FUNCTIONS), BRIEFLY)
    await engine.activate(random.pick(COMPONENTS))
    for (let left = 1 + random.below(3); left > 0; left--)
      await Promise.all([fire(engine, random, this.#firing), fire(engine, random, this.#firing)])
    await engine.close()
  }

  /** @param {Random} random */
  async #register(random) {
    const { hook_event_name } = randomEvent(random)
    const groups = { [hook_event_name]: randomGroups(random) }
    this.#registrations.keep(await this.#changing.register(groups, someLoop(random)), random)
  }

  /** @param {Random} random */
  async #registerFunction(random) {
    const { hook_event_name } = randomEvent(random)
    this.#registrations.keep(await this.#changing.on(hook_event_name, random.pick(FUNCTIONS), BRIEFLY), random)
  }

  /** @param {Random} random */
  async #component(random) {
    const path = random.pick(COMPONENTS)
    if (random.chance(0.5)) await this.#changing.activate(path, someLoop(random))
    else this.#changing.deactivate(path, someLoop(random))
  }

  /** @param {Random} random */
  async #specialCommand(random) {
    const { signal } = this.#firing
    if (random.chance(0.5)) await this.#changing.runStatusLine({ model: 'soak' }, { signal })
    else await this.#changing.suggestFiles('a', { signal })
  }

  /**
   * Edits the settings on disk and, a moment later, takes the change over.
   * @param {string} settings
   * @param {number} momentMs
   */
  async #edit(settings, momentMs) {
    await writeFile(join(this.#places.project, '.claude/settings.json'), settings)
    await pause(momentMs)
    await this.#changing.listChanges()
    await this.#changing.accept()
  }
}

/** @param {Random} random */
function someLoop(random) {
  return random.chance(0.3) ? random.pick(AGENTS) : {}
}
