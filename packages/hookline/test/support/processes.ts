import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** What the engine's own resident processes are called in a process list. */
const RESIDENT = /hookline-(?:shell|orphan-guard|pipes)/

/**
 * Ids of living processes that carry a token in their environment; zombies do not count, nor do the shells in which the
 * engine starts hooks, unless asked for. Linux only.
 */
export function processesWith(token: string, { residents = false } = {}): number[] {
  const read = (path: string): string => {
    try {
      return readFileSync(path, 'latin1')
    } catch {
      return '' // gone, or not ours
    }
  }
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .filter((pid) => read(`/proc/${pid}/environ`).includes(token))
    .filter((pid) => residents || !RESIDENT.test(read(`/proc/${pid}/cmdline`)))
    .filter((pid) => !/^State:\s+[ZX]/m.test(read(`/proc/${pid}/status`)))
    .map(Number)
}

/** Waits until something holds; fails loudly when it does not within ten seconds. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  for (const end = performance.now() + 10_000; !holds(); await pause(20)) {
    if (performance.now() > end) throw new Error(`not within 10 s: ${what}`)
  }
}
