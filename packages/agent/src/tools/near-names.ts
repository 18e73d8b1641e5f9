import { readdir } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'

const MAX_NAMES_COMPARED = 5000
const MAX_NEAR_NAMES = 3

/** Paths in the same folder whose names are close to one that does not exist, the closest first. */
export async function findNearNames(path: string): Promise<string[]> {
  const wanted = basename(path).toLowerCase()
  const names = await readdir(dirname(path)).catch(() => []) // no folder, no names
  return names
    .slice(0, MAX_NAMES_COMPARED)
    .map((name) => ({ name, distance: measureNameDistance(wanted, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(1, wanted.length / 3))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, MAX_NEAR_NAMES)
    .map(({ name }) => join(dirname(path), name))
}

/** The same name with another ending is as close as one wrong letter. */
function measureNameDistance(wanted: string, name: string): number {
  const sameStem = removeEnding(wanted) === removeEnding(name)
  return Math.min(countLetterEdits(wanted, name), sameStem ? 1 : Number.POSITIVE_INFINITY)
}

function removeEnding(name: string): string {
  return basename(name, extname(name))
}

/** Number of letters have to be added, removed or changed. */
function countLetterEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1]
    for (const [column, otherLetter] of [...other].entries()) {
      const changed = (row[column] ?? 0) + (letter === otherLetter ? 0 : 1)
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
