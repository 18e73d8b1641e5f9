import type { Stats } from 'node:fs'
import { lstat, realpath, stat } from 'node:fs/promises'
import { readCode, toFileError } from './file-fault.ts'
import { ToolError } from './tool.ts'

/** Thing at a path: a file, behind links when there are any, or nothing. */
export type OnDisk =
  | { readonly is: 'missing' }
  | { readonly is: 'file'; readonly realPath: string; readonly stats: Stats }

/** Looks at a path; a ToolError for what is no file: a folder, a device, a link that leads nowhere. */
export async function lookAtFile(path: string): Promise<OnDisk> {
  let stats: Stats
  let realPath: string
  try {
    realPath = await realpath(path)
    stats = await stat(realPath)
  } catch (error) {
    if (readCode(error) !== 'ENOENT') throw toFileError(path, error)
    if (await isLink(path)) throw new ToolError(`${path} is a symbolic link that leads nowhere.`)
    return { is: 'missing' }
  }
  refuseUnlessFile(path, stats)
  return { is: 'file', realPath, stats }
}

/** Refuses what has no content of its own. */
export function refuseUnlessFile(path: string, stats: Stats): void {
  if (stats.isDirectory()) throw new ToolError(`${path} is a folder, not a file.`)
  if (!stats.isFile()) throw new ToolError(`${path} is not a regular file but a device, a pipe or a socket.`)
}

/** Refuses to change a file that was not read, or that has changed since. */
export function refuseUnlessSeen(path: string, { mtimeMs }: Stats, seen: ReadonlyMap<string, number>): void {
  const known = seen.get(path)
  if (known === undefined) throw new ToolError(`${path} has not been read yet. Read it first, then change it.`)
  if (known !== mtimeMs) throw new ToolError(`${path} has changed since it was read. Read it again, then change it.`)
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false, // nothing there at all
  )
}
