import { closeSync, openSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'

/** Descriptors that must stay free while something is kept open: enough to start a process with three pipes. */
export const DESCRIPTORS_FOR_A_START = 12
/** With fewer than this every start counts its descriptors. */
const MIN_LIMIT_WITHOUT_COUNTING = 4096
/** With fewer than this no pipes are kept for later. */
const MIN_LIMIT_FOR_KEPT_PIPES = 512
/** Skip the check for a while once there was plenty of room. */
const CHECK_PAUSE_MS = 100

let limit: number | undefined
let uncheckedUntil = 0

/**
 * Finds what the system says when so many descriptors are not to be had now; null when they are. Where there is much room, the
 * lowest free one is a cheap sign that nothing need be counted.
 */
export function findDescriptorShortage(needed: number): NodeJS.ErrnoException | null {
  if (performance.now() < uncheckedUntil) return null
  limit ??= readDescriptorLimit()
  const opened: number[] = []
  try {
    opened.push(openSync(devNull, 'r'))
    const roomy = limit >= MIN_LIMIT_WITHOUT_COUNTING && (opened[0] ?? 0) < limit / 2
    if (roomy) uncheckedUntil = performance.now() + CHECK_PAUSE_MS
    while (!roomy && opened.length < needed) opened.push(openSync(devNull, 'r'))
    return null
  } catch (error) {
    return error as NodeJS.ErrnoException // from the system
  } finally {
    for (const descriptor of opened) closeDescriptor(descriptor)
  }
}

/** True if some may be kept open for long: a host that may have few open needs them itself. */
export function hasDescriptorsToSpare(): boolean {
  limit ??= readDescriptorLimit()
  return limit >= MIN_LIMIT_FOR_KEPT_PIPES && findDescriptorShortage(DESCRIPTORS_FOR_A_START) === null
}

/** Number of files this process may have open; without an answer, so many that it does not matter. */
function readDescriptorLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY // not on Linux, or no descriptor left to ask with
  }
}

/** Closes a descriptor: one whose closing fails is closed all the same. */
export function closeDescriptor(descriptor: number): void {
  try {
    closeSync(descriptor)
  } catch {
    // nothing is to be done about it
  }
}
