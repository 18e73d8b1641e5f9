import { setTimeout as pause } from 'node:timers/promises'

/**
 * @typedef {import('./resources.js').Resources} Resources
 * @typedef {{ what: string, was: string, is: string }} Difference
 */

/** What hooks leave behind on purpose, and timers of those that were just ended, are gone by then. */
const COMPARE_TIMEOUT_MS = 3000

/**
 * The resources as soon as they are as before, else when patience is over.
 * @param {Resources} before
 * @param {() => Resources} look
 */
export async function settledResources(before, look) {
  const end = performance.now() + COMPARE_TIMEOUT_MS
  for (;;) {
    await pause(50)
    const now = look()
    if (differencesBetween(before, now).length === 0 || performance.now() > end) return now
  }
}

/**
 * @param {Resources} before
 * @param {Resources} after
 * @returns {Difference[]}
 */
export function differencesBetween(before, after) {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort()
  return names
    .map((what) => ({ what, was: String(before.get(what) ?? 0), is: String(after.get(what) ?? 0) }))
    .filter(({ was, is }) => was !== is)
}
