import { ignoreInGit, isIgnored } from '../../config/git-ignore.ts'
import { settingsOf } from '../../engine/edit-hooks.ts'
import type { EngineOptions } from '../../engine/options.ts'
import type { Conversation } from '../start/conversation.ts'
import { tell } from '../start/print.ts'

/** The flag of commands that may write the local settings. */
export const GITIGNORE_FLAGS = { gitignore: { type: 'boolean' } } as const

export const GITIGNORE_USAGE = `  --gitignore              with --scope local: add that file to .gitignore
`

/** Sees to it that local settings stay local, if somebody wants that; whether git ignores them now. */
export async function offerGitignore(
  options: EngineOptions & { project: string },
  { wanted, person }: { wanted: boolean; person: Conversation | null },
): Promise<boolean> {
  const { path, file } = await settingsOf('local', options)
  if (await isIgnored(path, options.project)) return true
  const agreed = wanted || (await person?.agrees(`Add ${file} to .gitignore?`)) === true
  if (agreed) await ignoreInGit(path, options.project)
  else tell(`${file} is not in .gitignore; --gitignore adds it.\n`)
  return agreed
}
