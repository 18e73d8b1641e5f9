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
