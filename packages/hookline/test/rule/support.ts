import { type Behavior, decideByRules, type RuleSet } from '../../src/rule/decide.ts'
import type { RuleCall } from '../../src/rule/match.ts'
import type { Folders } from '../../src/rule/path-pattern.ts'
import { parseRule, type Rule } from '../../src/rule/rule.ts'

/** A project that is not on the disk: nothing in it is a link. */
export const NOWHERE: Folders = { project: '/hookline-nowhere/project', home: '/hookline-nowhere/home' }

/** Rules by their texts. */
export type RuleTexts = Partial<Record<Behavior, readonly string[]>>

/** Rules, read. */
export function rulesWith({ allow = [], ask = [], deny = [] }: RuleTexts, folders = NOWHERE): RuleSet {
  const { project, home } = folders
  return { project, home, allow: allow.map(ruleOf), ask: ask.map(ruleOf), deny: deny.map(ruleOf) }
}

function ruleOf(text: string): Rule {
  const rule = parseRule(text)
  if ('fault' in rule) throw new TypeError(rule.fault)
  return rule
}

/** What becomes of a call under these rules; where none decides, it is asked for if some allow, else it is made. */
export async function behaviorOf(call: RuleCall, texts: RuleTexts, folders = NOWHERE): Promise<Behavior> {
  const decision = await decideByRules(rulesWith(texts, folders), call)
  return decision?.behavior ?? (texts.allow ? 'ask' : 'allow')
}

/** What becomes of a shell command under these rules. */
export function ofCommand(command: string, texts: RuleTexts): Promise<Behavior> {
  return behaviorOf({ toolName: 'Bash', input: { command } }, texts)
}
