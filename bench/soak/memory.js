import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * What is used after everything unused was collected.
 * @typedef {{ events: number, heapBytes: number, outsideBytes: number, residentBytes: number }} Sample
 */

/** The share of the samples in which caches still fill. */
const WARM_UP = 1 / 3
/** Of so many samples in a row the lowest counts: V8 keeps the last text that a pattern was tried on, a megabyte at times. */
const LOWEST_OF = 3
/** With fewer points after the warm-up nothing can be said. */
const FEWEST_POINTS = 9
/** A slope counts when it stands out this far from what its scatter explains … */
const STANDARD_ERRORS = 4
/** … and when it adds up to this much over the samples. */
const TOLERATED_BYTES = { heapBytes: 384 * 1024, outsideBytes: 1024 * 1024 }

setFlagsFromString('--expose-gc')
setFlagsFromString('--no-opt') // compiled code grows for minutes, and would look like a leak
setFlagsFromString('--no-sparkplug')
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
  ]
}

/**
 * @param {readonly Sample[]} samples
 * @param {'heapBytes' | 'outsideBytes'} field
 * @param {string} what
 * @returns {import('./compare.js').Difference[]}
 */
function judge(samples, field, what) {
  const points = lowestPoints(samples, field)
  if (points.length < FEWEST_POINTS) {
    console.log(`${what}: not judged, since that takes a soak of two minutes`)
    return []
  }
  const middle = Math.floor(points.length / 2)
  const whole = lineThrough(points)
  const halves = [lineThrough(points.slice(0, middle)), lineThrough(points.slice(middle))]
  const tolerated = TOLERATED_BYTES[field]
  const grows =
    whole.rise > tolerated &&
    whole.slope > STANDARD_ERRORS * whole.error &&
    halves.every(({ rise }) => rise > tolerated / 6)
  const slope = `${whole.slope.toFixed(0)} ± ${whole.error.toFixed(0)} bytes an event`
  const shown = `${slope}, ${(whole.rise / 1024).toFixed(0)} KiB in all`
  console.log(`${what}: ${shown} after the warm-up; tolerated are ${tolerated / 1024} KiB`)
  return grows ? [{ what, was: 'no slope', is: shown }] : []
}

/**
 * @typedef {{ x: number, y: number }} Point Events and bytes.
 * @param {readonly Sample[]} samples
 * @param {'heapBytes' | 'outsideBytes'} field
 * @returns {Point[]}
 */
function lowestPoints(samples, field) {
  const points = samples.map((sample) => ({ x: sample.events, y: sample[field] }))
  return points.flatMap((_, at) => {
    if (at % LOWEST_OF !== 0) return []
    return points
      .slice(at, at + LOWEST_OF)
      .sort((a, b) => a.y - b.y)
      .slice(0, 1)
  })
}

/**
 * The line of least squares, in bytes per event.
 * @param {readonly Point[]} points
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
