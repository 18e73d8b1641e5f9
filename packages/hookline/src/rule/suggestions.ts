import { dirname, relative, sep } from 'node:path'
import { isBelow, resolveLinks } from '../files/paths.ts'
import { findOwn } from '../text/table.ts'
import type { RuleSet } from './decide.ts'
import type { RuleCall } from './match.ts'
import { escapeName } from './path-pattern.ts'
import { formatRule, parseRule, type RuleParts } from './rule.ts'
import { readSubject, type Subject } from './subject.ts'
import { findFamily, SPECIFIERS } from './tool-families.ts'

/** The rules that a dialog offers so that it need not ask again: with them the call is allowed, unless another rule objects. */
export async function suggestRules({ toolName, input }: RuleCall, rules: Suggestible): Promise<RuleParts[]> {
  const subject = readSubject(toolName, input, rules.project)
  const offered = await suggestForSubject(toolName, subject, rules)
  return offered.filter((rule) => !('fault' in parseRule(formatRule(rule))))
}

type Suggestible = Pick<RuleSet, 'allow' | 'project'>

async function suggestForSubject(
  toolName: string,
  subject: Subject,
  { allow, project }: Suggestible,
): Promise<RuleParts[]> {
  if (subject.kind === 'command') {
    const { suggestCommandRules } = await import('./command-rules.ts')
    return suggestCommandRules(subject.command, allow)
  }
  if (subject.kind === 'path' && findOwn(SPECIFIERS, toolName) === 'path')
    return [{ toolName: findFamily(toolName), ruleContent: makeFolderPattern(subject.path, project) }]
  if (subject.kind === 'domain') return [{ toolName, ruleContent: `domain:${subject.url.hostname}` }]
  if (subject.kind === 'agent') return [{ toolName, ruleContent: subject.agentType }]
  return subject.kind === 'unclear' ? [] : [{ toolName }]
}

/** The folder of a file; the file itself where that is the whole project. By where it really is, as allow rules count. */
function makeFolderPattern(path: string, project: string): string {
  const [real, base] = [resolveLinks(path), resolveLinks(project)]
  const folder = dirname(real)
  const formatPattern = (each: string): string => each.split(sep).map(escapeName).join('/')
  if (!isBelow(folder, base)) return `/${formatPattern(folder).replace(/^(?=[A-Za-z]:)/, '/')}/**`
  return folder === base ? `./${formatPattern(relative(base, real))}` : `./${formatPattern(relative(base, folder))}/**`
}
