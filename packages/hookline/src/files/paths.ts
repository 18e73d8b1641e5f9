import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { HooklineError } from './error.ts'

/** A file in a folder, both as they are written: `join` would look for `..` in them, letter by letter, at every start. */
export function joinPath(folder: string, ...names: readonly string[]): string {
  return (folder.endsWith(sep) ? folder : folder + sep) + names.join(sep)
}

/** True if a path, as it is written, is a folder or lies in it. */
export function isBelow(path: string, folder: string): boolean {
  return findWayInside(path, folder) !== null
}

/** The way from a folder to a path in it; null where it is elsewhere. */
function findWayInside(path: string, folder: string): string | null {
  if (isPlainPath(path) && isPlainPath(folder)) {
    if (path === folder) return ''
    return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null
  }
  const way = relative(folder, path)
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : way
}

/** An absolute path whose parts are all names, as most are. To compare two of them takes a tenth of the time of `relative`. */
const PLAIN_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[^/]+)+$/

/** On Windows two spellings may be one path, so there `relative` is always asked. */
function isPlainPath(path: string): boolean {
  return sep === '/' && PLAIN_PATH.test(path)
}

/** True if a path, with all links followed, is a folder or lies in it. */
export function isInside(path: string, folder: string): boolean {
  return isBelow(resolveLinks(path), resolveLinks(folder))
}

/** True if a path belongs to a folder by its name or by where its links lead: either way the folder's owner may have made it. */
export function isTouching(path: string, folder: string): boolean {
  return isBelow(path, folder) || isInside(path, folder)
}

/** As many links as the system follows, and more. */
const MAX_LINKS = 64

/**
 * Resolves where a path really leads, with all links followed, also when nothing is there yet: a link to a missing file leads to
 * that file, and a new file lies in the real folder.
 */
export function resolveLinks(path: string): string {
  return followLinks(resolve(path), MAX_LINKS)
}

function followLinks(absolute: string, linksLeft: number): string {
  const known = existsSync(absolute) ? resolveExisting(absolute) : null // to ask first costs less than an error
  if (known !== null) return known
  const parent = dirname(absolute)
  if (parent === absolute) return absolute
  const real = join(followLinks(parent, linksLeft), basename(absolute))
  const target = readLinkTarget(real)
  if (target === null || linksLeft === 0) return real
  return followLinks(resolve(dirname(real), target), linksLeft - 1)
}

/** Null where a folder on the way cannot be entered: the path is then known as far as that folder. */
function resolveExisting(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch {
    return null
  }
}

function readLinkTarget(path: string): string | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : null
  } catch {
    return null // the link's folder cannot be entered
  }
}

/** Throws a HooklineError for a file to be written that a link leads out of a folder; the folder may not be there yet. */
export function refuseLeadingOut(path: string, folder: string): void {
  if (isInside(path, folder)) return
  throw new HooklineError(`${path} is behind a link that leads out of ${folder}. Nothing was written.`)
}

/** A path as records and users have it: relative to the project inside it, else absolute; with slashes on every system. */
export function formatPath(path: string, project: string): string {
  const shown = findWayInside(path, project) || path
  return sep === '/' ? shown : shown.split(sep).join('/')
}
