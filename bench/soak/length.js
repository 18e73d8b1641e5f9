/**
 * How long a soak goes on, and how often it starts processes.
 * @typedef {import('./tally.js').Tally} Tally
 * @typedef {{
 *   title: string,
 *   repeatedBy: string,
 *   shifts: number,
 *   progress: (tally: Tally) => number,
 *   shareWithProcesses: (tally: Tally) => number,
 * }} Length
 */

/** What `parseArgs` makes of the options that say how long. */
export const LENGTH_OPTIONS = /** @type {const} */ ({
  minutes: { type: 'string' },
  seconds: { type: 'string' },
  events: { type: 'string' },
  'with-processes': { type: 'string' },
})

/** The share of the events that have command hooks to start, unless it is given: the others take next to no time. */
const USUAL_SHARE = 0.1
/** How long the host works between two looks at its memory. */
const SHIFT = { ms: 2000, events: 250 }
const MIN_SHIFTS = 4
/** When the number of events is given: looking takes time too. */
const MAX_SHIFTS = 60

/**
 * @param {{ minutes?: string, seconds?: string, events?: string, 'with-processes'?: string }} given
 * @returns {Length}
 */
export function lengthFrom({ minutes, seconds, events, 'with-processes': withProcesses }) {
  if (events === undefined) {
    if (withProcesses !== undefined) throw new Error('--with-processes says how many of the --events')
    return timed(seconds === undefined ? Number(minutes ?? 3) * 60 : Number(seconds))
  }
  if (minutes !== undefined || seconds !== undefined) throw new Error('either --events or a time, not both')
  const all = Number(events)
  return counted(all, withProcesses === undefined ? Math.round(all * USUAL_SHARE) : Number(withProcesses))
}

/**
 * @param {number} seconds
 * @returns {Length}
 */
function timed(seconds) {
  if (!(seconds > 0)) throw new Error('--minutes and --seconds are numbers above 0')
  const start = performance.now()
  return {
    title: `${seconds} s`,
    repeatedBy: `--seconds ${seconds}`,
    shifts: Math.max(MIN_SHIFTS, Math.round((seconds * 1000) / SHIFT.ms)),
    progress: () => (performance.now() - start) / (seconds * 1000),
    shareWithProcesses: () => USUAL_SHARE,
  }
}

/**
 * @param {number} events
 * @param {number} withProcesses
 * @returns {Length}
 */
function counted(events, withProcesses) {
  if (!Number.isInteger(events) || !Number.isInteger(withProcesses) || withProcesses < 0 || withProcesses > events)
    throw new Error('--events and --with-processes are whole numbers, and no more have processes than there are')
  return {
    title: `${events} events, ${withProcesses} of them with processes`,
    repeatedBy: `--events ${events} --with-processes ${withProcesses}`,
    shifts: Math.max(MIN_SHIFTS, Math.min(MAX_SHIFTS, Math.round(events / SHIFT.events))),
    progress: (tally) =>
      Math.min(tally.events / events, withProcesses === 0 ? 1 : tally.eventsWithProcesses / withProcesses),
    shareWithProcesses: (tally) => (withProcesses - tally.eventsWithProcesses) / Math.max(1, events - tally.events), // so that both end together
  }
}
