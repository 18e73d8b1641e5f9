/** Stands for any number of items, none included. */
export const ANY = Symbol('any')

/** One step of a pattern: a test of one item, or any number of them. */
export type WildcardStep<Item> = typeof ANY | ((item: Item) => boolean)

/** True if all items, from the first to the last, fit the steps. Takes time in proportion to both lengths, whatever the pattern. */
export function matchesSteps<Item>(steps: readonly WildcardStep<Item>[], items: readonly Item[]): boolean {
  let step = 0
  let lastAny = -1
  let resumeAt = 0
  let at = 0
  while (at < items.length) {
    const current = steps[step]
    if (current === ANY) {
      lastAny = step++
      resumeAt = at
      continue
    }
    // `at` is within bounds, so it is an item, also when an item may be undefined
    if (current?.(items[at] as Item)) {
      step++
      at++
      continue
    }
    if (lastAny < 0) return false
    step = lastAny + 1
    at = ++resumeAt
  }
  return steps.slice(step).every((rest) => rest === ANY)
}

/** A test for one character. */
export function makeExactTest(expected: string): (item: string) => boolean {
  return (item) => item === expected
}
