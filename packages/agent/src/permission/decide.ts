import { relative } from 'node:path'
import { isBelow, resolveLinks } from 'hookline/internal'
import {
  type Behavior,
  findPermission,
  findRestriction,
  isReachingOut,
  type RuleCall,
  type RuleDecision,
  readSubject,
} from 'hookline/rules'
import type { Tool } from '../tools/tool.ts'
import type { PermissionMode } from './modes.ts'
import type { PermissionRules, SourcedRule } from './permission-rules.ts'

/** Party that decided. */
export type Because =
  | { readonly by: 'hook' }
  /** `certain: false`: the rule may mean the call, which cannot be known before it is made. */
  | { readonly by: 'rule'; readonly rule: SourcedRule; readonly certain: boolean }
  | { readonly by: 'mode'; readonly mode: PermissionMode }

/** True if a call may be made. */
export interface PermissionDecision {
  readonly behavior: Behavior
  readonly because: Because
}

/** A call to decide on, after its PreToolUse hooks. */
export interface CallToDecide {
  readonly tool: Pick<Tool, 'name' | 'server' | 'readOnly' | 'edits' | 'isApproved'>
  readonly originalInput: unknown
  /** As hooks rewrote it; the same as the original when they did not. */
  readonly finalInput: unknown
  /** Decision of the hooks together. */
  readonly hook: Behavior | null
  readonly rules: PermissionRules
  readonly mode: PermissionMode
}

/**
 * Decides on a call, the first that applies:
 *
 * 1. a hook's deny
 * 2. a deny rule that means the original or the final input
 * 3. plan mode, when the tool is not read-only: neither a rule, nor a hook, nor the user's yes lifts it
 * 4. an ask rule that means the original or the final input, or a deny rule that may mean one of them
 * 5. a hook's ask
 * 6. a hook's allow
 * 7. in plan mode, that the user approves the call, for a tool that asks for it
 * 8. allow rules that cover the final input
 * 9. the mode
 *
 * So deny and ask rules hold in every mode and against every hook. It changes nothing, and looks at the disk only to
 * see where links lead.
 */
export async function decidePermission(call: CallToDecide): Promise<PermissionDecision> {
  const { tool, originalInput, finalInput, hook, rules, mode } = call
  const named = { toolName: tool.name, server: tool.server }
  if (hook === 'deny') return { behavior: 'deny', because: { by: 'hook' } }
  const inputs = [...new Set([originalInput, finalInput])]
  const restriction = await findRestriction(
    rules,
    inputs.map((input) => ({ ...named, input })),
  )
  if (restriction?.behavior === 'deny') return decideByRule(restriction)
  if (mode === 'plan' && !tool.readOnly) return { behavior: 'deny', because: { by: 'mode', mode } }
  if (restriction) return decideByRule(restriction)
  if (hook !== null) return { behavior: hook, because: { by: 'hook' } }
  if (mode === 'plan' && tool.isApproved) return { behavior: 'ask', because: { by: 'mode', mode } }
  const permission = await findPermission(rules, { ...named, input: finalInput })
  if (permission) return decideByRule(permission)
  return { behavior: isAllowedByMode(call) ? 'allow' : 'ask', because: { by: 'mode', mode } }
}

function decideByRule({ behavior, rule, certain }: RuleDecision<SourcedRule>): PermissionDecision {
  return { behavior, because: { by: 'rule', rule, certain } }
}

function isAllowedByMode({ tool, finalInput, rules, mode }: CallToDecide): boolean {
  if (mode === 'bypassPermissions') return true
  const reach = classifyReach({ toolName: tool.name, input: finalInput }, rules)
  if (tool.readOnly) return reach !== 'outside'
  return (mode === 'acceptEdits' || mode === 'auto') && tool.edits && reach === 'inside'
}

/** Paths that decide what runs: it is edited only with a rule or a yes. */
const GUARDED = /(?:^|[\\/])\.(?:git|claude|claude-plugin|hookline|mcp\.json)(?:[\\/]|$)/i

/** True if a call stays in the project, and off the files that decide what runs; `nowhere`: it is about no file. */
function classifyReach(
  { toolName, input }: RuleCall,
  { project, directories }: PermissionRules,
): 'inside' | 'guarded' | 'outside' | 'nowhere' {
  const subject = readSubject(toolName, input, project)
  if (isReachingOut(toolName) || subject.kind === 'unclear') return 'outside'
  if (subject.kind !== 'path') return 'nowhere'
  const real = resolveLinks(subject.path)
  const folder = [project, ...directories].map((each) => resolveLinks(each)).find((each) => isBelow(real, each))
  if (folder === undefined) return 'outside'
  return [relative(folder, real), relative(project, subject.path)].some((way) => GUARDED.test(way))
    ? 'guarded'
    : 'inside'
}
