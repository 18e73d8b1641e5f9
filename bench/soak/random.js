/**
 * Choices that a seed repeats.
 * @typedef {{
 *   below: (limit: number) => number,
 *   chance: (share: number) => boolean,
 *   pick: <Item>(items: readonly Item[]) => Item,
 *   weighted: <Item extends readonly [number, ...unknown[]]>(items: readonly Item[]) => Item,
 *   some: <Item>(items: readonly Item[], most: number) => Item[],
 *   fork: () => Random,
 * }} Random
 */

/**
 * Mulberry32: small, and good enough to choose by.
 * @param {number} seed
 * @returns {Random}
 */
export function randomFrom(seed) {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  /** @type {Random} */
  const random = {
    below: (limit) => Math.floor(next() * limit),
    chance: (share) => next() < share,
    pick: (items) => {
      const item = items[random.below(items.length)]
      if (item === undefined) throw new TypeError('there is nothing to pick from')
      return item
    },
    weighted: (items) => {
      let at = random.below(items.reduce((total, [weight]) => total + weight, 0))
      for (const item of items) {
        at -= item[0]
        if (at < 0) return item
      }
      throw new TypeError('there is nothing to pick from')
    },
    some: (items, most) => Array.from({ length: 1 + random.below(most) }, () => random.pick(items)),
    fork: () => randomFrom(random.below(2 ** 31)),
  }
  return random
}
