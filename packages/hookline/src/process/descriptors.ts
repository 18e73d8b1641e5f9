import { closeSync, openSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'

/** What starting a process takes for a moment: three pipes, both ends, and the system's own. */
const NEEDED = 9
/** With fewer than this every start counts. */
const ROOMY = 4096
/** With fewer than this none is kept for later. */
const SPARING = 512
/** After much room was seen nobody looks again for so long. */
const CALM_MS = 100

let limit: number | undefined
let calmUntil = 0

/**
 * Why a process cannot be started now; null when it can. A start that fails for want of descriptors loses some of them
 * for good, so this looks first. Where there is much room, the lowest free one is a cheap sign that nothing need be
 * counted.
 */
export function shortageOfDescriptors(): NodeJS.ErrnoException | null {
  if (performance.now() < calmUntil) return null
  limit ??= descriptorLimit()
  const opened: number[] = []
  try {
    opened.push(openSync(devNull, 'r'))
    const roomy = limit >= ROOMY && (opened[0] ?? 0) < limit / 2
    if (roomy) calmUntil = performance.now() + CALM_MS
    while (!roomy && opened.length < NEEDED) opened.push(openSync(devNull, 'r'))
    return null
  } catch (error) {
    return error as NodeJS.ErrnoException // from the system
  } finally {
    for (const descriptor of opened) letGo(descriptor)
  }
}

/** Whether some may be kept open for long: a host that may have few open needs them itself. */
export function hasDescriptorsToSpare(): boolean {
  limit ??= descriptorLimit()
  return limit >= SPARING && shortageOfDescriptors() === null
}

/** How many files this process may have open; without an answer, so many that it does not matter. */
function descriptorLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY // not on Linux, or no descriptor left to ask with
  }
}

/** Closes a descriptor: one whose closing fails is closed all the same. */
export function letGo(descriptor: number): void {
  try {
    closeSync(descriptor)
  } catch {
    // nothing is to be done about it
  }
}
