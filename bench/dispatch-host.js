/**
 * A host for the measures of dispatching: opens engines whose events have 1, 10 and 100 hooks, and takes up so many
 * mebibytes. A line `N` dispatches the event with N hooks and prints the milliseconds; `blocked N` prints the longest
 * that its loop worked meanwhile without a turn.
 */
import { openSync, readSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { BASH_CALL, untilPooled, withEngine } from './project.js'

const mebibytes = Number(process.argv[2] ?? 0)
/** Linux tells here what a thread has worked, in nanoseconds; they come first. */
const worked = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
const text = Buffer.alloc(100)

const hooks = (/** @type {number} */ count) => ({
  PreToolUse: [{ hooks: Array.from({ length: count }, (_, at) => ({ type: 'command', command: `true #${at}` })) }],
})

/** @type {import('hookline').EngineOptions} */
const options = { launcher: 'auto' }
await withEngine(hooks(1), inOne, options)

/** @param {import('hookline').Engine} one */
function inOne(one) {
  return withEngine(
    hooks(10),
    (ten) => withEngine(hooks(100), (hundred) => serve({ 1: one, 10: ten, 100: hundred }), options),
    options,
  )
}

/** @param {Record<string, import('hookline').Engine>} engines */
async function serve(engines) {
  for (const engine of Object.values(engines)) await untilPooled(engine)
  const ballast = Array.from({ length: mebibytes }, () => Buffer.alloc(1024 * 1024, 1))
  Object.assign(globalThis, { ballast }) // else it is collected while it should be measured
  for await (const line of createInterface(process.stdin)) {
    const [count = '', what = 'time'] = line.split(' ').toReversed()
    const engine = engines[count]
    if (!engine) throw new Error(`no event has ${count} hooks`)
    console.log(String(what === 'blocked' ? await blockedBy(engine) : await timed(engine)))
  }
}

/** @param {import('hookline').Engine} engine */
async function timed(engine) {
  const start = performance.now()
  const { hooks } = await engine.dispatch(BASH_CALL)
  const milliseconds = performance.now() - start
  const others = hooks.filter(({ launcher, exitCode }) => launcher !== 'pool' || exitCode !== 0)
  if (others.length > 0) throw new Error(`${others.length} of ${hooks.length} hooks were not run by a resident shell`)
  return milliseconds
}

/**
 * In CPU time of the loop's own thread: on a busy machine the loop also stands still while others run, and the threads
 * that compile and collect garbage do not hold it up.
 * @param {import('hookline').Engine} engine
 */
async function blockedBy(engine) {
  const looking = threadMicroseconds() - threadMicroseconds() // what it costs to look, which is not the engine's
  let longest = 0
  let last = threadMicroseconds()
  let isOver = false
  const turn = () => {
    const now = threadMicroseconds()
    longest = Math.max(longest, now - last + looking)
    last = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await engine.dispatch(BASH_CALL)
  isOver = true
  turn()
  return longest / 1000
}

/** What the thread of the loop has worked so far. */
function threadMicroseconds() {
  process.cpuUsage() // has the system count up to now
  const length = readSync(worked, text, 0, text.length, 0)
  return Number.parseInt(text.toString('latin1', 0, length), 10) / 1000
}
