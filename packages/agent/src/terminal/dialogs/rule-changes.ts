import { BEHAVIORS, type Behavior, parseRule } from 'hookline/rules'
import type { SourcedRule } from '../../permission/permission-rules.ts'
import type { Permissions } from '../../permission/permissions.ts'
import type { PermissionUpdate } from '../../permission/update.ts'

/** A rule as it is listed. */
export interface ListedRule {
  readonly behavior: Behavior
  readonly rule: SourcedRule
}

type Destination = PermissionUpdate['destination']

/** Places of rules that the user may change; those of policy and of the command line stay. */
const DESTINATIONS: Readonly<Partial<Record<SourcedRule['source'], Destination>>> = {
  session: 'session',
  local: 'localSettings',
  project: 'projectSettings',
  user: 'userSettings',
}

/** Every rule of a session, those that deny first. */
export function listRules({ rules }: Pick<Permissions, 'rules'>): ListedRule[] {
  return BEHAVIORS.flatMap((behavior) => rules[behavior].map((rule) => ({ behavior, rule })))
}

/** A rule in a line, with where it comes from. */
export function formatRuleLine({ behavior, rule: { text, file, source } }: ListedRule): string {
  return `${behavior.padEnd(5)}  ${text}  (${file ?? source})`
}

/** Adds a rule; the answer says what became of it. */
export async function addRule(
  permissions: Permissions,
  { behavior, text, destination = 'localSettings' }: { behavior: Behavior; text: string; destination?: Destination },
): Promise<{ readonly said: string; readonly failed: boolean }> {
  const rule = parseRule(text)
  if ('fault' in rule) return { said: rule.fault, failed: true }
  const problems = await permissions.update([
    { type: 'addRules', rules: [splitRuleText(rule.text)], behavior, destination },
  ])
  const where = destination === 'localSettings' ? ', in .claude/settings.local.json' : ''
  return problems.length > 0
    ? { said: problems.join('\n'), failed: true }
    : { said: `${behavior}: ${rule.text}${where}`, failed: false }
}

/** Removes a rule; the answer says what became of it. */
export async function removeRule(permissions: Permissions, { behavior, rule }: ListedRule): Promise<string> {
  const destination = DESTINATIONS[rule.source]
  if (destination === undefined)
    return `${rule.text} comes from ${rule.file ?? rule.source}, and cannot be changed here.`
  const update = { type: 'removeRules', rules: [splitRuleText(rule.text)], behavior, destination }
  const problems = await permissions.update([update])
  return problems.length === 0 ? `Removed: ${behavior} ${rule.text}` : problems.join('\n')
}

/** Puts another rule in the place of one; the answer says what became of it. */
export async function replaceRule(permissions: Permissions, listed: ListedRule, text: string): Promise<string> {
  const destination = DESTINATIONS[listed.rule.source]
  if (destination === undefined) return removeRule(permissions, listed)
  const { said, failed } = await addRule(permissions, { behavior: listed.behavior, text, destination })
  if (failed) return said
  await removeRule(permissions, listed)
  return `Changed: ${listed.rule.text} is ${text}`
}

function splitRuleText(text: string): { readonly toolName: string; readonly ruleContent?: string } {
  const [, toolName = text, ruleContent] = /^([^(]+)\((.*)\)$/s.exec(text) ?? []
  return { toolName, ...(ruleContent === undefined ? {} : { ruleContent }) }
}
