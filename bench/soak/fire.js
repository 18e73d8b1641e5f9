import { randomEvent } from './events.js'

/**
 * @typedef {import('hookline').Engine} Engine
 * @typedef {import('./random.js').Random} Random
 * @typedef {Parameters<Engine['dispatch']>[0]} Input
 * @typedef {{ signal: AbortSignal, tally: import('./tally.js').Tally }} Firing The signal outlives every event.
 */

/**
 * Fires an event at random and waits for its record.
 * @param {Engine} engine
 * @param {Random} random
 * @param {Firing} firing
 */
export async function fire(engine, random, { signal, tally }) {
  const { hooks } = await engine.dispatch(/** @type {Input} */ (randomEvent(random)), { signal })
  tally.noteEvent(hooks)
}

/**
 * The same, and perhaps changes its mind.
 * @param {Engine} engine
 * @param {Random} random
 * @param {Firing} firing
 */
export async function fireAndAbort(engine, random, { tally }) {
  const abort = new AbortController()
  if (random.chance(0.1)) abort.abort()
  const timer = setTimeout(() => abort.abort(), random.below(60))
  const { hooks } = await engine.dispatch(/** @type {Input} */ (randomEvent(random)), { signal: abort.signal })
  clearTimeout(timer)
  tally.noteEvent(hooks)
}

/**
 * The same, told while it happens; now and then nobody listens to the end.
 * @param {Engine} engine
 * @param {Random} random
 * @param {Firing} firing
 */
export async function follow(engine, random, { signal, tally }) {
  const leaveAfter = random.chance(0.3) ? random.below(3) : Number.POSITIVE_INFINITY
  const lines = []
  let seen = 0
  for await (const progress of engine.stream(/** @type {Input} */ (randomEvent(random)), { signal })) {
    if (progress.type === 'hook_result') lines.push(progress.line)
    if (seen++ >= leaveAfter) break
  }
  tally.noteEvent(lines)
}
