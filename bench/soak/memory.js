import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * What is used after everything unused was collected.
 * @typedef {{ events: number, heapBytes: number, outsideBytes: number, residentBytes: number }} Sample
 */

/** The share of the samples in which caches still fill, and code is met for the first time. */
const WARM_UP = 1 / 3
/** With fewer samples after the warm-up nothing can be said. */
const MIN_SAMPLES = 16
/** A slope counts when it stands out this far from what its scatter explains … */
const STANDARD_ERRORS = 4
/** … and when it adds up to this much over the samples. */
const TOLERATED_BYTES = { heapBytes: 256 * 1024, outsideBytes: 1024 * 1024, residentBytes: 32 * 1024 * 1024 }
/** V8 keeps the last text that a pattern was found in, a megabyte at times; this one takes its place. */
const SMALL = /small/

setFlagsFromString('--expose-gc')
setFlagsFromString('--no-opt') // compiled code grows for minutes, and would look like a leak
setFlagsFromString('--no-sparkplug')
setFlagsFromString('--no-flush-bytecode') // and what comes and goes would hide one
const gc = /** @type {() => void} */ (runInNewContext('gc'))

/** Twice: what a finaliser lets go is found the second time. */
export function collectGarbage() {
  gc()
  gc()
}

/**
 * @param {number} events
 * @returns {Sample}
 */
export function sampleMemory(events) {
  SMALL.test('small')
  collectGarbage()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { events, heapBytes: heapUsed, outsideBytes: external, residentBytes: rss }
}

/**
 * Whether memory grows with every event. The line of least squares through the samples after the warm-up must rise
 * clearly, by its own scatter and by a fixed amount, and must rise in both halves too: something that is made once,
 * such as a larger table or compiled code, is a step and no leak.
 * @param {readonly Sample[]} samples
 * @returns {import('./compare.js').Difference[]}
 */
export function judgeMemory(samples) {
  const judged = samples.slice(Math.ceil(samples.length * WARM_UP))
  return [
    ...judge(judged, 'heapBytes', 'heap after collecting'),
    ...judge(judged, 'outsideBytes', 'memory outside the heap'),
    ...judge(judged, 'residentBytes', 'resident memory'),
  ]
}

/**
 * @param {readonly Sample[]} samples
 * @param {keyof typeof TOLERATED_BYTES} field
 * @param {string} what
 * @returns {import('./compare.js').Difference[]}
 */
function judge(samples, field, what) {
  if (samples.length < MIN_SAMPLES) {
    console.log(`${what}: not judged, since that takes a soak of 50 seconds or 6,000 events`)
    return []
  }
  const points = samples.map((sample) => ({ x: sample.events, y: sample[field] }))
  const middle = Math.floor(points.length / 2)
  const whole = lineThrough(points)
  const halves = [lineThrough(points.slice(0, middle)), lineThrough(points.slice(middle))]
  const tolerated = TOLERATED_BYTES[field]
  const grows =
    whole.rise > tolerated &&
    whole.slope > STANDARD_ERRORS * whole.error &&
    halves.every(({ rise }) => rise > tolerated / 6)
  const slope = `${whole.slope.toFixed(1)} ± ${whole.error.toFixed(1)} bytes an event`
  const shown = `${slope}, ${(whole.rise / 1024).toFixed(0)} KiB in all`
  console.log(`${what}: ${shown} after the warm-up; tolerated are ${tolerated / 1024} KiB`)
  return grows ? [{ what, was: 'no slope', is: shown }] : []
}

/**
 * The line of least squares, in bytes per event.
 * @param {readonly { x: number, y: number }[]} points Events and bytes.
 */
function lineThrough(points) {
  const meanX = mean(points.map(({ x }) => x))
  const meanY = mean(points.map(({ y }) => y))
  const spread = sum(points.map(({ x }) => (x - meanX) ** 2))
  const slope = sum(points.map(({ x, y }) => (x - meanX) * (y - meanY))) / spread
  const scatter = sum(points.map(({ x, y }) => (y - meanY - slope * (x - meanX)) ** 2)) / (points.length - 2)
  const width = (points.at(-1)?.x ?? 0) - (points[0]?.x ?? 0)
  return { slope, error: Math.sqrt(scatter / spread), rise: slope * width }
}

/** @param {readonly number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0)

/** @param {readonly number[]} values */
const mean = (values) => sum(values) / values.length
