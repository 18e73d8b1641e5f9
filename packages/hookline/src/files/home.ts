import { homedir, userInfo } from 'node:os'
import { isAbsolute } from 'node:path'
import { isBelow, resolveLinks } from './paths.ts'
import { statOrUndefined } from './read.ts'

/**
 * The user's home. A `HOME` that is empty or relative names the current folder, whose hooks would count as the user's own: then
 * the system is asked, and where it knows no home it is `/`, as at a login.
 */
export function findHome(): string {
  return toAbsoluteHome(homedir) ?? readAccountHome() ?? '/'
}

/** Every folder that is this user's home: the one in use, the one in `HOME`, and the account's own. */
export function listHomes(home: string, { HOME = '' }: NodeJS.ProcessEnv): string[] {
  return [...new Set([home, HOME, readAccountHome() ?? ''])].filter(isAbsolute)
}

/** True for a home and what is above it. */
export function isHomeOrAbove(folder: string, home: string): boolean {
  return isBelow(resolveLinks(home), resolveLinks(folder)) || isHome(folder, home)
}

/** True for a home, with links followed, also by another path that a mount gives to it. */
export function isHome(folder: string, home: string): boolean {
  return isSameFolder(resolveLinks(folder), resolveLinks(home))
}

/** True for one folder by two paths without links: a mount may give it both. */
export function isSameFolder(folder: string, other: string): boolean {
  if (folder === other) return true
  const [one, two] = [statOrUndefined(folder), statOrUndefined(other)]
  return one !== undefined && one.ino !== 0 && one.ino === two?.ino && one.dev === two.dev
}

/** The home that the system has for this account, whatever `HOME` says; null where it knows none. */
function readAccountHome(): string | null {
  return toAbsoluteHome(() => userInfo().homedir)
}

function toAbsoluteHome(look: () => string): string | null {
  try {
    const home = look()
    return isAbsolute(home) ? home : null
  } catch {
    return null // the system does not know this user
  }
}
