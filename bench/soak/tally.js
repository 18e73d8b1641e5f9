/**
 * @typedef {import('hookline').DispatchRecord['hooks'][number]} HookLine
 */

/** What has happened so far, by what the records say. */
export class Tally {
  events = 0
  eventsWithProcesses = 0
  slowestMs = 0

  /** @type {Map<string, number>} */
  #acts = new Map()
  /** @type {Map<string, number>} */
  #started = new Map()

  /** @param {string} act */
  noteAct(act) {
    this.#acts.set(act, (this.#acts.get(act) ?? 0) + 1)
  }

  /**
   * An event that has come to its end.
   * @param {readonly HookLine[]} lines
   */
  noteEvent(lines) {
    this.events++
    const ways = lines.flatMap(wayOfStarting)
    if (ways.length > 0) this.eventsWithProcesses++
    for (const way of ways) this.#started.set(way, (this.#started.get(way) ?? 0) + 1)
  }

  summary() {
    return [
      `${this.events} events, ${this.eventsWithProcesses} of them with processes; the slowest act took ${this.slowestMs.toFixed(0)} ms.`,
      `Command hooks: ${listed(this.#started) || 'none was started'}.`,
      `Acts: ${listed(this.#acts)}.`,
    ].join('\n')
  }
}

const WAYS = { pool: 'by resident shells', direct: 'by the host itself', warm: 'ahead of their events' }

/**
 * How a hook's process was started; nothing when it has none.
 * @param {HookLine} line
 */
function wayOfStarting({ type, verdict, launcher }) {
  if (launcher !== undefined) return [WAYS[launcher]]
  return type === 'command' && verdict === 'backgrounded' ? ['in the background'] : []
}

/**
 * @param {Map<string, number>} counts
 */
function listed(counts) {
  return [...counts]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, times]) => `${times} ${name}`)
    .join(', ')
}
