/** Longer names are not compared. */
const LONGEST_NAME = 64
/** Shorter names are the start of too many others. */
const SHORTEST_START = 4

/** The candidate that a misspelt name most likely stands for, if one is near enough. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > LONGEST_NAME) return undefined
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(name.length * 0.4)) + 1
  for (const candidate of candidates) {
    const distance = distanceBetween(name.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** ` Did you mean "…"?` when there is something to suggest, else nothing. */
export function suggestion(name: string, candidates: Iterable<string>): string {
  const near = nearest(name, candidates)
  return near === undefined ? '' : ` Did you mean "${near}"?`
}

/** A name that was cut short is as near as one with a wrong letter. */
function distanceBetween(name: string, candidate: string): number {
  const isStart = name.length >= SHORTEST_START && name !== candidate && candidate.startsWith(name)
  return isStart ? 1 : editDistance(name, candidate)
}

/** Levenshtein's distance: how many single-character edits lead from one text to the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** A name as it is quoted, cut when it is absurdly long. */
export function clipped(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name
}
