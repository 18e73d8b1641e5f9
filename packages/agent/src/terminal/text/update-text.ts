import { formatRule } from 'hookline/rules'
import type { PermissionUpdate } from '../../permission/update.ts'

const PLACES = {
  session: 'in this session',
  localSettings: '.claude/settings.local.json',
  projectSettings: '.claude/settings.json',
  userSettings: '~/.claude/settings.json',
} as const

/** Formats what an answer for always would change, and where; `shown` may shorten the first, and never the second. */
export function formatUpdate(update: PermissionUpdate, shown: (what: string) => string = (what) => what): string {
  const what = 'rules' in update ? update.rules.map(formatRule).join(', ') : update.type
  return `${shown(what)} (${PLACES[update.destination]})`
}
