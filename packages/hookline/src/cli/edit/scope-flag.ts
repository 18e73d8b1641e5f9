import { SETTINGS_FILES } from '../../config/scopes.ts'
import type { WritableScope } from '../../engine/add-hook.ts'
import { UsageError } from '../start/flags.ts'

/** The scopes that can be edited, in the order in which they are offered. */
export const WRITABLE: readonly WritableScope[] = ['project', 'local', 'user']

export const SCOPE_USAGE = `  --scope SCOPE            project (.claude/settings.json), local
                           (.claude/settings.local.json) or user (your home)
`

/** The scope of a name; refuses those that are not ours to edit. */
export function writableScope(name: string): WritableScope {
  if (Object.hasOwn(SETTINGS_FILES, name)) return name as WritableScope // one of its keys
  if (name === 'managed')
    throw new UsageError('managed settings are policy: whoever administers this machine edits them.')
  if (name === 'plugin') throw new UsageError("a plugin's hooks are its author's: edit its hooks/hooks.json itself.")
  throw new UsageError(`--scope must be ${WRITABLE.join(', ')}, not "${name}".`)
}
