import { join } from 'node:path'
import { readText } from '../files/read.ts'
import { replaceFile } from '../files/replace.ts'
import type { SettingsFile } from './settings-file.ts'
import { definitionDigest } from './trust.ts'

/**
 * Says that the person's own hooks are not those of the session before: they need no acceptance, so something that
 * plants one there would go unseen. Null when they are the same, or were never looked at.
 */
export async function userHooksNotice(files: readonly SettingsFile[], home: string): Promise<string | null> {
  const user = files.find(({ scope }) => scope === 'user')
  const path = join(home, '.hookline', 'user-hooks.json')
  const seen = await readText(path)
  const hooks = user?.root?.fields?.get('hooks')?.node.value ?? null
  if (hooks === null && seen.read !== 'text') return null
  const digest = definitionDigest(hooks)
  if (seen.read === 'text' && seen.text.includes(digest)) return null
  const text = `${JSON.stringify({ digest })}\n`
  await replaceFile(path, text, { mode: 0o600, folderMode: 0o700 }).catch(() => {}) // told again next time, that is all
  return seen.read === 'text'
    ? `The hooks in ${user?.file} are not those of the last session; hookline list shows them.`
    : null
}
