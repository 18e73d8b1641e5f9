import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { isBelow, resolveLinks } from '../files/paths.ts'

/** Folders that are large and only read: a copy has a link to them. */
export const LINKED: ReadonlySet<string> = new Set(['node_modules', '.venv'])

/** Reads what a folder holds; nothing when it cannot be read, or is gone meanwhile. */
export async function readFolderOrNone(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch {
    return [] // a hook sees nothing there either
  }
}

/**
 * Finds where a copy has a folder, such as a plugin, that lies in the project it is `of`: there it is as trusted as the project,
 * and what runs in it changes the copy alone. A folder elsewhere stays where it is.
 */
export function findFolderInCopy(folder: string, { copy, of }: { copy: string; of: readonly string[] }): string {
  const ways = of.flatMap((project) => [
    { project: resolve(project), path: resolve(folder) },
    { project: resolveLinks(project), path: resolveLinks(folder) },
  ])
  const inside = ways.find(({ project, path }) => isBelow(path, project))
  return inside ? join(copy, relative(inside.project, inside.path)) : folder
}
