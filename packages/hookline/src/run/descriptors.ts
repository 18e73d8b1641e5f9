import { closeSync, openSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'

/** What starting a process takes for a moment: three pipes, both ends, and the system's own. */
const NEEDED = 9

/** With fewer than this every start counts. */
const ROOMY = 4096

let known: number | undefined

/**
 * Why a process cannot be started now; null when it can. A start that fails for want of descriptors loses some of them
 * for good, so this looks first. Where there is much room, the lowest free one is a cheap sign that nothing need be
 * counted.
 */
export function shortageOfDescriptors(): NodeJS.ErrnoException | null {
  known ??= descriptorLimit()
  const opened: number[] = []
  try {
    opened.push(openSync(devNull, 'r'))
    const crowded = known < ROOMY || (opened[0] ?? 0) > known / 2
    while (crowded && opened.length < NEEDED) opened.push(openSync(devNull, 'r'))
    return null
  } catch (error) {
    return error as NodeJS.ErrnoException // from the system
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}

/** How many files this process may have open; without an answer, so many that it does not matter. */
function descriptorLimit(): number {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity)
  } catch {
    return Infinity // not on Linux, or no descriptor left to ask with
  }
}
