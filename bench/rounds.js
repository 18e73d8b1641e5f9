/**
 * Something to time: `run` does it `times` times. If it returns a number, that is how many milliseconds it took.
 * @typedef {{ run: () => unknown, times?: number }} Work
 * @typedef {{ p25: number, p50: number, most: number }} Quantiles
 */

/**
 * Milliseconds that each work takes once. All of them take their turn in every round, in alternating order, so that a
 * disturbance of the machine meets them alike.
 * @template {string} Name
 * @param {{ rounds: number, warmUp?: number }} options
 * @param {Record<Name, Work>} works
 * @returns {Promise<Record<Name, Quantiles>>}
 */
export async function inRounds({ rounds, warmUp = 2 }, works) {
  const entries = /** @type {[Name, Work][]} */ (Object.entries(works))
  const taken = new Map(entries.map(([name]) => [name, /** @type {number[]} */ ([])]))
  for (let round = -warmUp; round < rounds; round++) {
    for (const [name, { run, times = 1 }] of round % 2 === 0 ? entries : entries.toReversed()) {
      const start = performance.now()
      const told = await run()
      const milliseconds = typeof told === 'number' ? told : performance.now() - start
      if (round >= 0) taken.get(name)?.push(milliseconds / times)
    }
  }
  const quantiles = entries.map(([name]) => [name, quantilesOf(taken.get(name) ?? [])])
  return /** @type {Record<Name, Quantiles>} */ (Object.fromEntries(quantiles))
}

/**
 * A row that says how much longer one work takes than the other: median over median, and p25 over p25.
 * @param {string} what
 * @param {{ ours: Quantiles, bound: Quantiles, target: number | null }} compared
 * @returns {import('./table.js').Row}
 */
export function ratioRow(what, { ours, bound, target }) {
  return {
    what,
    unit: 'x',
    columns: ['p50', 'p25'],
    figure: ours.p50 / bound.p50,
    second: ours.p25 / bound.p25,
    scale: `${duration(ours.p50)} / ${duration(bound.p50)}`,
    target,
  }
}

/** @param {readonly number[]} values */
export function quantilesOf(values) {
  const sorted = values.toSorted((a, b) => a - b)
  /** @param {number} share */
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  return { p25: at(0.25), p50: at(0.5), most: at(1) }
}

/**
 * Milliseconds, short.
 * @param {number} milliseconds
 */
function duration(milliseconds) {
  if (milliseconds >= 100) return `${milliseconds.toFixed(0)}ms`
  if (milliseconds >= 1) return `${milliseconds.toFixed(1)}ms`
  if (milliseconds >= 0.01) return `${(milliseconds * 1000).toFixed(0)}µs`
  return `${(milliseconds * 1000).toFixed(2)}µs`
}
