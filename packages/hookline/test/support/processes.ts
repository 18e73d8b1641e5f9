import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** What the engine's own resident processes are called in a process list, where one that is just becoming a program has no name. */
const RESIDENT = /^$|hookline-(?:shell|orphan-guard|pipes)/

/** Ids of all processes, also of those that have ended and are not yet forgotten. Linux only. */
export function processIds(): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
}

/**
 * Ids of living processes that carry a token in their environment; zombies do not count, nor do the shells in which the
 * engine starts hooks, unless asked for. Processes that were there before the token are not looked at. Linux only.
 */
export function processesWith(
  token: string,
  { residents = false, before = new Set() }: { residents?: boolean; before?: ReadonlySet<string> } = {},
): number[] {
  const read = (path: string): string => {
    try {
      return readFileSync(path, 'latin1')
    } catch {
      return '' // gone, or not ours
    }
  }
  return processIds()
    .filter((pid) => Number(pid) !== process.pid && !before.has(pid))
    .filter((pid) => read(`/proc/${pid}/environ`).includes(token))
    .filter((pid) => residents || !RESIDENT.test(read(`/proc/${pid}/cmdline`)))
    .filter((pid) => !/^State:\s+[ZX]/m.test(read(`/proc/${pid}/status`)))
    .map(Number)
}

/** Waits until something holds; fails loudly when it does not within thirty seconds. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  for (const end = performance.now() + 30_000; !holds(); await pause(20)) {
    if (performance.now() > end) throw new Error(`not within 30 s: ${what}`)
  }
}

/** Reads all that a process prints, to its end. */
export function collectOutput(
  child: ChildProcessWithoutNullStreams,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (text) => {
    stdout += text
  })
  child.stderr.on('data', (text) => {
    stderr += text
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
}
