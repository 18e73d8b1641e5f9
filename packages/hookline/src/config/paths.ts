import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'

/** Whether a path, as it is written, is a folder or lies in it. */
function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Whether a path, with all links followed, is a folder or lies in it. */
export async function isInside(path: string, folder: string): Promise<boolean> {
  return isBelow(await realPath(path), await realPath(folder))
}

/** Whether a path belongs to a folder by its name or by where its links lead: either way the folder's owner may have made it. */
export async function touches(path: string, folder: string): Promise<boolean> {
  return isBelow(resolve(path), resolve(folder)) || (await isInside(path, folder))
}

/** A path with all links followed; one that leads nowhere stays as it is written. */
export async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    return resolve(path) // not there: nothing to follow
  }
}

/** A path as people see it: relative to the project inside it, else absolute. */
export function shownPath(path: string, project: string): string {
  return isBelow(path, project) ? relative(project, path) || path : path
}
