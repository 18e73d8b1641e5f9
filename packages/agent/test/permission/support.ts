import { type Behavior, parseRule } from 'hookline/rules'
import { decidePermission, type PermissionDecision } from '../../src/permission/decide.ts'
import type { PermissionMode } from '../../src/permission/modes.ts'
import { makeNoRules, type PermissionRules, type SourcedRule } from '../../src/permission/permission-rules.ts'

/** A project that is not on the disk: nothing in it is a link. */
export const NOWHERE = { project: '/hookline-nowhere/project', home: '/hookline-nowhere/home' }

/** Rules of a session, by their texts. */
export function rulesWith(
  texts: Partial<Record<Behavior, readonly string[]>>,
  folders: Pick<PermissionRules, 'project' | 'home'> = NOWHERE,
): PermissionRules {
  const { allow = [], ask = [], deny = [] } = texts
  return { ...makeNoRules(folders), allow: allow.map(ruleOf), ask: ask.map(ruleOf), deny: deny.map(ruleOf) }
}

function ruleOf(text: string): SourcedRule {
  const rule = parseRule(text)
  if ('fault' in rule) throw new TypeError(rule.fault)
  return { ...rule, source: 'session', file: null }
}

/** The built-in tools as the decision sees them. */
export const TOOLS = {
  Bash: { name: 'Bash', readOnly: false, edits: false },
  Read: { name: 'Read', readOnly: true, edits: false },
  Glob: { name: 'Glob', readOnly: true, edits: false },
  Grep: { name: 'Grep', readOnly: true, edits: false },
  Edit: { name: 'Edit', readOnly: false, edits: true },
  Write: { name: 'Write', readOnly: false, edits: true },
  WebFetch: { name: 'WebFetch', readOnly: true, edits: false },
  Task: { name: 'Task', readOnly: false, edits: false },
} as const

/** Decides on a call that no hook spoke of. */
export function decide(
  toolName: string,
  input: unknown,
  { rules, mode = 'default' }: { readonly rules: PermissionRules; readonly mode?: PermissionMode },
): Promise<PermissionDecision> {
  const known = Object.values(TOOLS).find(({ name }) => name === toolName)
  const tool = known ?? { name: toolName, readOnly: false, edits: false }
  return decidePermission({ tool, originalInput: input, finalInput: input, hook: null, rules, mode })
}
