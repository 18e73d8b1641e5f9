import { BEHAVIORS } from 'hookline/rules'
import type { Permissions } from '../permission/permissions.ts'

/** The rules of a session, with where they come from. */
export function permissionsText({ mode, rules }: Permissions): string {
  const sections = BEHAVIORS.map((behavior) => [
    behavior,
    ...rules[behavior].map(({ text, source, file }) => `  ${text}  (${file ?? source})`),
    ...(rules[behavior].length === 0 ? ['  none'] : []),
  ])
  return [`mode ${mode}`, ...sections.flat(), 'One more: /permissions allow Bash(npm test:*)'].join('\n')
}
