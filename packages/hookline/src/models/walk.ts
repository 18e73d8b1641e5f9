import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

const SKIPPED = ['.git', 'node_modules']
const MAX_WALKED_ENTRIES = 20_000

/** Progress of a walk. */
export interface Walk {
  entries: number
}

/** True if a walk ended before everything was seen. */
export function isCutShort({ entries }: Walk): boolean {
  return entries >= MAX_WALKED_ENTRIES
}

/** The files under a folder, in the order of their names. Follows no link, and leaves out `.git` and `node_modules`. */
export async function* walkFiles(folder: string, walk: Walk, signal: AbortSignal): AsyncGenerator<string> {
  signal.throwIfAborted()
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []) // gone, or closed to this process
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (isCutShort(walk)) return
    walk.entries++
    const path = join(folder, entry.name)
    if (entry.isFile()) yield path
    else if (entry.isDirectory() && !SKIPPED.includes(entry.name)) yield* walkFiles(path, walk, signal)
  }
}

/** A path below a folder, with slashes on every system. */
export function toSlashPath(folder: string, file: string): string {
  return relative(folder, file).split(sep).join('/')
}
