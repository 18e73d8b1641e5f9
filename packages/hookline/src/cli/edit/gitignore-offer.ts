import { ignoreInGit, isIgnored } from '../../config/git-ignore.ts'
import { readScopeSettings } from '../../engine/edit-hooks.ts'
import type { EngineOptions } from '../../engine/options.ts'
import type { TerminalUser } from '../input/terminal-user.ts'
import { tell } from '../start/print.ts'

/** The flag of commands that may write the local settings. */
export const GITIGNORE_FLAGS = { gitignore: { type: 'boolean' } } as const

export const GITIGNORE_USAGE = `  --gitignore              with --scope local: add that file to .gitignore
`

/** Has git ignore local settings, if the user wants that; whether it ignores them now. */
export async function offerGitignore(
  options: EngineOptions & { project: string },
  { wanted, user }: { wanted: boolean; user: TerminalUser | null },
): Promise<boolean> {
  const { path, file } = await readScopeSettings('local', options)
  if (await isIgnored(path, options.project)) return true
  const agreed = wanted || (await user?.confirm(`Add ${file} to .gitignore?`)) === true
  if (agreed) await ignoreInGit(path, options.project)
  else tell(`${file} is not in .gitignore; --gitignore adds it.\n`)
  return agreed
}
