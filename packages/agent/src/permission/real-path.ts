import { readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/** As many links as the system follows, and more. */
const MOST_LINKS = 64

/**
 * Where a path really leads, with all links followed, also when nothing is there yet: a link to a missing file leads to
 * that file, and a new file lies in the real folder.
 */
export function realPathOf(path: string, linksLeft = MOST_LINKS): string {
  const absolute = resolve(path)
  try {
    return realpathSync.native(absolute)
  } catch {
    // not there, or a folder on the way cannot be entered: as far as it is known
    const parent = dirname(absolute)
    if (parent === absolute) return absolute
    const real = join(realPathOf(parent, linksLeft), basename(absolute))
    const target = linkTarget(real)
    if (target === null || linksLeft === 0) return real
    return realPathOf(resolve(dirname(real), target), linksLeft - 1)
  }
}

/** Whether a path, as it is written, is a folder or lies in it. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null // no link
  }
}
