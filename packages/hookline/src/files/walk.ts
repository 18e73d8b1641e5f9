import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isBelow, resolveLinks } from './paths.ts'
import type { Enclosure } from './read.ts'

/** Files below a folder. */
export interface FoundFiles {
  /** Relative to the folder, in a stable order. */
  readonly paths: readonly string[]
  /** True if there is more than is looked at. */
  readonly cutShort: boolean
}

const NO_FILES: FoundFiles = { paths: [], cutShort: false }

/** A folder of components with more in it belongs to something else. */
const MAX_ENTRIES = 10_000
const MAX_FOLDER_DEPTH = 12

/** Folders that programs fill. */
const NOT_LOOKED_AT: ReadonlySet<string> = new Set(['node_modules', '.git'])

/**
 * The files below a folder, pipes and the like included: reading one reports what is wrong. A link to a folder is followed
 * where it stays inside and does not lead back. Never throws; a folder that cannot be read is empty. Where there is too
 * much, what lies deepest is left out.
 */
export function listFilesBelow(folder: string, { inside }: { inside: Enclosure | null }): FoundFiles {
  if (!existsSync(folder)) return NO_FILES // most are not there: a look costs less than where it would lead
  const within = inside === null ? null : resolveLinks(inside.folder)
  const paths: string[] = []
  let left = MAX_ENTRIES
  const open: { readonly path: string; readonly above: readonly string[] }[] = [{ path: '', above: [] }]
  for (const { path, above } of open) {
    const real = resolveLinks(join(folder, path))
    if (above.includes(real) || above.length > MAX_FOLDER_DEPTH || (within !== null && !isBelow(real, within))) continue
    for (const entry of readFolderEntries(real)) {
      if (left <= 0) break
      left--
      const below = join(path, entry.name)
      if (!isFolder(entry, join(real, entry.name))) paths.push(below)
      else if (!NOT_LOOKED_AT.has(entry.name)) open.push({ path: below, above: [...above, real] })
    }
  }
  return { paths: paths.sort(), cutShort: left <= 0 }
}

function readFolderEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return [] // there is none, or it cannot be read
  }
}

function isFolder(entry: Dirent, path: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory()
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  } catch {
    return false // a loop of links, or a folder on the way that cannot be entered
  }
}

/** The names in a folder; none where it is not there, or cannot be read. */
export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
