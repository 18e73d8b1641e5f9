import { isHostCovered, isHostTouched } from './host-pattern.ts'
import { type Folders, isPathCovered, isPathTouched } from './path-pattern.ts'
import type { Certainty, Rule, Specifier } from './rule.ts'
import { readSubject, type Subject } from './subject.ts'
import { isRuleFor } from './tool-families.ts'

/** A call as rules see it. */
export interface RuleCall {
  readonly toolName: string
  /** The MCP server that offers the tool; its name may hold what separates it from the tool's. */
  readonly server?: string | undefined
  readonly input: unknown
}

/** True if a rule that restricts means a call: any part of it counts, by any way that its text shows. */
export async function matchRule(rule: Rule, call: RuleCall, folders: Folders): Promise<Certainty> {
  const { toolName, input } = call
  if (rule.toolName === null) return 'yes'
  if (rule.specifier.kind === 'effect') {
    const { matchEffects } = await import('./effect-match.ts')
    return matchEffects(rule.specifier.pattern, { toolName, input }, folders)
  }
  if (!isRuleFor(rule.toolName, call)) return 'no'
  if (rule.specifier.kind === 'any') return 'yes'
  return matchSubject(rule.specifier, readSubject(toolName, input, folders.project), folders)
}

async function matchSubject(specifier: Specifier, subject: Subject, folders: Folders): Promise<Certainty> {
  if (subject.kind === 'unclear') return 'unsure'
  if (specifier.kind === 'command' && subject.kind === 'command') {
    const { matchesScript } = await import('./script.ts')
    return matchesScript(specifier.pattern, subject.command)
  }
  if (specifier.kind === 'path' && subject.kind === 'path')
    return isPathTouched(specifier.pattern, subject.path, folders) ? 'yes' : 'no'
  if (specifier.kind === 'domain' && subject.kind === 'domain')
    return isHostTouched(specifier.pattern, subject.url) ? 'yes' : 'no'
  return specifier.kind === 'agent' && subject.kind === 'agent' && specifier.agentType === subject.agentType
    ? 'yes'
    : 'no'
}

/** The rules that together cover a call, all of it and surely; null when they do not. */
export async function findCoveringRules<Each extends Rule>(
  rules: readonly Each[],
  call: RuleCall,
  folders: Folders,
): Promise<readonly Each[] | null> {
  const { toolName, input } = call
  const ofTool = rules.filter((rule) => rule.toolName !== null && isRuleFor(rule.toolName, call))
  const whole = ofTool.find(({ specifier }) => specifier.kind === 'any')
  if (whole) return [whole]
  const subject = readSubject(toolName, input, folders.project)
  if (subject.kind === 'command') return findCoveringScriptRules(ofTool, subject.command)
  const one = ofTool.find(({ specifier }) => isSubjectCovered(specifier, subject, folders))
  return one ? [one] : null
}

async function findCoveringScriptRules<Each extends Rule>(
  rules: readonly Each[],
  script: string,
): Promise<readonly Each[] | null> {
  const ofPatterns = new Map(
    rules.flatMap((rule) => (rule.specifier.kind === 'command' ? [[rule.specifier.pattern, rule] as const] : [])),
  )
  if (ofPatterns.size === 0) return null
  const { findCoveringPatterns } = await import('./script.ts')
  const covering = findCoveringPatterns([...ofPatterns.keys()], script) ?? []
  const found = covering.flatMap((pattern) => ofPatterns.get(pattern) ?? [])
  return found.length === 0 ? null : [...new Set(found)]
}

function isSubjectCovered(specifier: Specifier, subject: Subject, folders: Folders): boolean {
  if (specifier.kind === 'path' && subject.kind === 'path')
    return isPathCovered(specifier.pattern, subject.path, folders)
  if (specifier.kind === 'domain' && subject.kind === 'domain') return isHostCovered(specifier.pattern, subject.url)
  return specifier.kind === 'agent' && subject.kind === 'agent' && specifier.agentType === subject.agentType
}
