/** Bounds of the buckets in milliseconds: each is a tenth longer than the one before, so that a percentile is off by 5 % at most. */
const FIRST_MS = 0.1
const GROWTH = 1.1
const BUCKETS = 160

/** Number of runs by bucket. */
export type Histogram = Float64Array

/** Makes a histogram that counts nothing yet. */
export function makeHistogram(): Histogram {
  return new Float64Array(BUCKETS)
}

/** Counts a run. */
export function countRun(histogram: Histogram, ms: number): void {
  const bucket = ms <= FIRST_MS ? 0 : Math.min(BUCKETS - 1, Math.ceil(Math.log(ms / FIRST_MS) / Math.log(GROWTH)))
  histogram[bucket] = (histogram[bucket] ?? 0) + 1
}

/** Writes a histogram as a text such as `12:3 14:1`. */
export function formatHistogram(histogram: Histogram): string {
  const parts: string[] = []
  for (const [bucket, count] of histogram.entries()) if (count > 0) parts.push(`${bucket}:${count}`)
  return parts.join(' ')
}

const [SPACE, ZERO, NINE, COLON] = [32, 48, 57, 58]

/** Adds such a text to a histogram. A month of hours has many: it goes by characters. */
export function addHistogram(histogram: Histogram, text: string): void {
  let [bucket, number] = [0, 0]
  for (let at = 0; at <= text.length; at++) {
    const code = at === text.length ? SPACE : text.charCodeAt(at)
    if (code >= ZERO && code <= NINE) {
      number = number * 10 + code - ZERO
      continue
    }
    if (code === COLON) bucket = number
    else if (number > 0) histogram[bucket] = (histogram[bucket] ?? 0) + number
    number = 0
  }
}

/** The duration that a share of the counted ones does not exceed; 0 where none was counted. */
export function findPercentile(histogram: Histogram, share: number): number {
  let left = 0
  for (let bucket = 0; bucket < BUCKETS; bucket++) left += histogram[bucket] ?? 0
  if (left === 0) return 0
  left = Math.ceil(left * share)
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    left -= histogram[bucket] ?? 0
    if (left <= 0) return FIRST_MS * GROWTH ** (bucket - 0.5)
  }
  return FIRST_MS * GROWTH ** (BUCKETS - 1.5)
}
