import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'

/** Folders that are large and only read: a copy has a link to them. */
export const LINKED: ReadonlySet<string> = new Set(['node_modules', '.venv'])

/** What a folder holds; nothing when it cannot be read, or is gone meanwhile. */
export async function entriesIn(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch {
    return [] // whoever looks sees nothing either
  }
}
