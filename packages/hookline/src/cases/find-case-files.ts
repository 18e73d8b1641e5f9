import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** What files of cases are called. */
export const CASE_FILE = /\.hooktest\.(?:yaml|yml|json)$/

/** Folders that hold other people's files. */
const NOT_OURS: ReadonlySet<string> = new Set(['node_modules', '.git', '.venv'])

/** The files of cases below a folder, in order. */
export async function findCaseFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []) // not to be read
  const files = entries.filter((entry) => entry.isFile() && CASE_FILE.test(entry.name))
  const folders = entries.filter((entry) => entry.isDirectory() && !NOT_OURS.has(entry.name))
  const below = await Promise.all(folders.map(({ name }) => findCaseFiles(join(folder, name))))
  return [...files.map(({ name }) => join(folder, name)), ...below.flat()].sort()
}
