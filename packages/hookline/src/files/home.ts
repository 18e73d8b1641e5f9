import { homedir, userInfo } from 'node:os'
import { isAbsolute } from 'node:path'

/**
 * The user's home. A `HOME` that is empty or relative names the current folder, whose hooks would count as the user's own: then
 * the system is asked, and where it knows no home it is `/`, as at a login.
 */
export function homeFolder(): string {
  for (const look of [homedir, () => userInfo().homedir]) {
    try {
      const home = look()
      if (isAbsolute(home)) return home
    } catch {
      // the system does not know this user
    }
  }
  return '/'
}
