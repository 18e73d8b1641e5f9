import { PRIVATE } from '../files/own.ts'
import { joinPath } from '../files/paths.ts'
import { readText } from '../files/read.ts'
import { replaceFile } from '../files/replace.ts'
import { digestValue } from '../text/fingerprint.ts'
import type { SettingsFile } from './settings-file.ts'

/** News about the user's own hooks, and how to note that it was told. */
export interface UserHooksNews {
  /** null: nothing. */
  readonly notice: string | null
  readonly noted: () => Promise<void>
}

/**
 * Says that the user's own hooks are not those of the session before: they need no acceptance, so something that plants one
 * there would go unseen. It is said until it is noted. Null when they are the same, or there are none.
 */
export async function findUserHooksNews(files: readonly SettingsFile[], home: string): Promise<UserHooksNews | null> {
  let user: SettingsFile | undefined
  for (const file of files) if (file.scope === 'user') user ??= file
  const path = joinPath(home, '.hookline', 'user-hooks.json')
  const seen = await readText(path)
  const hooks = user?.root?.fields?.get('hooks')?.node.value ?? null
  if (hooks === null && seen.read !== 'text') return null
  const digest = digestValue(hooks)
  if (seen.read === 'text' && seen.text.includes(digest)) return null
  const text = `${JSON.stringify({ digest })}\n`
  const different = `The hooks in ${user?.file} are not those of the last session; hookline list shows them.`
  return {
    notice: seen.read === 'text' ? different : null,
    noted: () => replaceFile(path, text, PRIVATE).catch(() => {}), // the user is told again next time
  }
}
