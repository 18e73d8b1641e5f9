import { dirname, relative, sep } from 'node:path'
import { isBelow, resolveLinks } from '../files/paths.ts'
import type { RuleSet } from './decide.ts'
import type { Call } from './match.ts'
import { escapedName } from './path-pattern.ts'
import { parseRule, type RuleParts, ruleText } from './rule.ts'
import { type Subject, subjectOf } from './subject.ts'
import { familyOf, SPECIFIERS } from './tool-families.ts'

/** The rules that a dialog offers so that it need not ask again: with them the call is allowed, unless another rule objects. */
export async function suggestRules({ toolName, input }: Call, rules: Suggestible): Promise<RuleParts[]> {
  const subject = subjectOf(toolName, input, rules.project)
  const offered = await rulesFor(toolName, subject, rules)
  return offered.filter((rule) => !('fault' in parseRule(ruleText(rule))))
}

type Suggestible = Pick<RuleSet, 'allow' | 'project'>

async function rulesFor(toolName: string, subject: Subject, { allow, project }: Suggestible): Promise<RuleParts[]> {
  if (subject.kind === 'command') {
    const { commandRules } = await import('./command-rules.ts')
    return commandRules(subject.command, allow)
  }
  if (subject.kind === 'path' && SPECIFIERS[toolName] === 'path')
    return [{ toolName: familyOf(toolName), ruleContent: folderPattern(subject.path, project) }]
  if (subject.kind === 'domain') return [{ toolName, ruleContent: `domain:${subject.url.hostname}` }]
  if (subject.kind === 'agent') return [{ toolName, ruleContent: subject.agentType }]
  return subject.kind === 'unclear' ? [] : [{ toolName }]
}

/** The folder of a file; the file itself where that is the whole project. By where it really is, as allow rules count. */
function folderPattern(path: string, project: string): string {
  const [real, base] = [resolveLinks(path), resolveLinks(project)]
  const folder = dirname(real)
  const written = (each: string): string => each.split(sep).map(escapedName).join('/')
  if (!isBelow(folder, base)) return `/${written(folder).replace(/^(?=[A-Za-z]:)/, '/')}/**`
  return folder === base ? `./${written(relative(base, real))}` : `./${written(relative(base, folder))}/**`
}
