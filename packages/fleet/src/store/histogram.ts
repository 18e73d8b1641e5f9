/** Bounds of the buckets in milliseconds: each is a tenth longer than the one before, so that a percentile is off by 5 % at most. */
const FIRST_MS = 0.1
const GROWTH = 1.1
const BUCKETS = 160

/** The bucket of a duration. */
export function findBucket(ms: number): number {
  if (ms <= FIRST_MS) return 0
  return Math.min(BUCKETS - 1, Math.ceil(Math.log(ms / FIRST_MS) / Math.log(GROWTH)))
}

/** The duration that a share of the counted ones does not exceed; 0 where none was counted. */
export function findPercentile(counts: ReadonlyMap<number, number>, share: number): number {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  let left = Math.ceil(total * share)
  for (const [bucket, count] of [...counts].sort(([a], [b]) => a - b)) {
    left -= count
    if (left <= 0) return FIRST_MS * GROWTH ** (bucket - 0.5)
  }
  return 0
}
