import { realpathSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'

/** Whether a path, as it is written, is a folder or lies in it. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Whether a path, with all links followed, is a folder or lies in it. */
export function isInside(path: string, folder: string): boolean {
  return isBelow(realPath(path), realPath(folder))
}

/** Whether a path belongs to a folder by its name or by where its links lead: either way the folder's owner may have made it. */
export function touches(path: string, folder: string): boolean {
  return isBelow(resolve(path), resolve(folder)) || isInside(path, folder)
}

/** A path with all links followed; one that leads nowhere stays as it is written. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return resolve(path) // not there: nothing to follow
  }
}

/** A path as people see it: relative to the project inside it, else absolute. */
export function shownPath(path: string, project: string): string {
  return isBelow(path, project) ? relative(project, path) || path : path
}
