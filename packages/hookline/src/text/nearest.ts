/** Longer names are not compared. */
const MAX_NAME_CHARS = 64
/** Shorter names are the start of too many others. */
const MIN_CUT_CHARS = 4

/** The candidate that a misspelt name most likely stands for, if one is near enough. */
export function findNearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > MAX_NAME_CHARS) return undefined
  const wanted = name.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(name.length * 0.4)) + 1
  for (const candidate of candidates) {
    const distance = measureDistance(wanted, candidate.toLowerCase(), bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** ` Did you mean "…"?` when there is something to suggest, else nothing. */
export function formatSuggestion(name: string, candidates: Iterable<string>): string {
  const near = findNearest(name, candidates)
  return near === undefined ? '' : ` Did you mean "${near}"?`
}

/** A name that was cut short is as near as one with a wrong letter. A distance of `limit` and more is not measured further. */
function measureDistance(name: string, candidate: string, limit: number): number {
  const isStart = name.length >= MIN_CUT_CHARS && name !== candidate && candidate.startsWith(name)
  if (isStart) return 1
  const missing = Math.abs([...name].length - candidate.length)
  return missing >= limit ? missing : countEdits([...name], [...candidate])
}

/** Number of single characters have to be edited, or swapped with the next one, to lead from one text to the other. */
function countEdits(from: readonly string[], to: readonly string[]): number {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [i, letter] of from.entries()) {
    const next = [i + 1]
    for (const [j, other] of to.entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      const isSwapped = i > 0 && j > 0 && letter === to[j - 1] && from[i - 1] === other
      const swapped = isSwapped ? (before[j - 1] ?? 0) + 1 : replaced
      next.push(Math.min(replaced, swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[to.length] ?? 0
}

/** A name as it is quoted, cut when it is absurdly long. */
export function clipName(name: string): string {
  return name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS)}…` : name
}
