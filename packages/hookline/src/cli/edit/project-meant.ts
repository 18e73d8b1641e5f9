import { stat } from 'node:fs/promises'
import { SETTINGS_FILES, type WritableScope } from '../../config/scopes.ts'
import { findProjectAbove } from '../../config/stray-files.ts'
import { HooklineError } from '../../files/error.ts'
import { toShellWord } from '../../text/quote.ts'
import type { TerminalUser } from '../input/terminal-user.ts'
import { type EngineFlags, toEngineOptions } from '../start/flags.ts'

/**
 * The flags with the project that is meant where none is named: a folder without settings below one that has some would
 * become a second project. The user is asked; without one it is refused.
 */
export async function withProjectMeant<Flags extends EngineFlags>(
  flags: Flags,
  { scope, user }: { readonly scope: WritableScope; readonly user: TerminalUser | null },
): Promise<Flags> {
  if (flags.project !== undefined || scope === 'user') return flags
  const places = toEngineOptions(flags)
  const { project } = places
  if ((await canAccessPath(SETTINGS_FILES.project(places))) || (await canAccessPath(SETTINGS_FILES.local(places))))
    return flags
  const above = await findProjectAbove(places)
  if (above === null) return flags
  const chosen = await user?.choose(
    `${above.folder} has settings, and this folder has none. Which project is meant?`,
    [above.folder, project],
    { usual: above.folder },
  )
  if (chosen !== undefined && chosen !== null) return { ...flags, project: chosen }
  throw new HooklineError(
    `${above.folder} has settings, and ${project} below it has none. Nothing was written. Say which project is meant: --project ${toShellWord(above.folder)}, or --project .`,
  )
}

const canAccessPath = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false, // there is none, or writing it says what is wrong
  )
