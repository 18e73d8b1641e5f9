import { dirname, relative, sep } from 'node:path'
import { isBelow, realPath } from '../files/paths.ts'
import { coversCommand, escapedCommand, parseCommandPattern } from './command-pattern.ts'
import { SHELLS, WITH_SUBCOMMANDS, WRAPPERS } from './command-table.ts'
import { escapedName, type Folders } from './path-pattern.ts'
import { parseRule, type Rule, type RuleParts, ruleText } from './rule.ts'
import { type ShellCommand, takeApart } from './shell-commands.ts'
import { type Subject, subjectOf } from './subject.ts'
import { familyOf, SPECIFIERS } from './tool-families.ts'

/** Programs that run whatever they are given, or destroy it: only the very command is offered. */
const NEVER_BY_PREFIX = new Set([
  ...[...SHELLS, ...Object.keys(WRAPPERS), 'eval', 'trap', 'source', '.', 'find', 'ssh'],
  ...'rm rmdir mv dd chmod chown kill curl wget node deno python python3 perl ruby php awk sed tee export alias'.split(
    ' ',
  ),
])

/** More commands than this are offered as one text. */
const MOST_RULES = 4

/** The rules that a dialog offers so that it need not ask again: with them the call is allowed, unless another rule objects. */
export function suggestRules(toolName: string, input: unknown, rules: AllowRules): RuleParts[] {
  const subject = subjectOf(toolName, input, rules.project)
  return rulesFor(toolName, subject, rules).filter((rule) => !('fault' in parseRule(ruleText(rule))))
}

interface AllowRules extends Folders {
  readonly allow: readonly Rule[]
}

function rulesFor(toolName: string, subject: Subject, rules: AllowRules): RuleParts[] {
  if (subject.kind === 'command') return commandRules(subject.command, rules)
  if (subject.kind === 'path' && SPECIFIERS[toolName] === 'path')
    return [{ toolName: familyOf(toolName), ruleContent: folderPattern(subject.path, rules.project) }]
  if (subject.kind === 'domain') return [{ toolName, ruleContent: `domain:${subject.url.hostname}` }]
  if (subject.kind === 'agent') return [{ toolName, ruleContent: subject.agentType }]
  return subject.kind === 'unclear' ? [] : [{ toolName }]
}

/** A rule for each command that has none yet; one for the whole text where it cannot be taken apart. */
function commandRules(script: string, { allow }: AllowRules): RuleParts[] {
  const { commands, plain } = takeApart(script)
  const known = allow.flatMap(({ specifier }) => (specifier.kind === 'command' ? [specifier.pattern] : []))
  const open = commands.filter((command) => !known.some((pattern) => coversCommand(pattern, command)))
  const contents = [...new Set(open.map(prefixOf))]
  if (plain && contents.length > 0 && contents.length <= MOST_RULES && contents.every((content) => content !== null))
    return contents.map((ruleContent) => ({ toolName: 'Bash', ruleContent }))
  return script.trim() === '' ? [] : [{ toolName: 'Bash', ruleContent: escapedCommand(script.trim()) }]
}

/** `npm run test:*`; null when no prefix is fit to be offered. */
function prefixOf(command: ShellCommand): string | null {
  const { words } = command
  const [name, first] = words
  if (!name || NEVER_BY_PREFIX.has(name.value) || name.value.includes('/')) return null
  const count = WITH_SUBCOMMANDS.has(name.value) ? 1 + (first?.value === 'run' ? 2 : 1) : 1
  const named = words.slice(0, count)
  if (!named.every(({ value, literal }) => literal && /^\w[\w.:@-]*$/.test(value))) return null
  const content = `${named.map(({ value }) => value).join(' ')}:*`
  return coversCommand(parseCommandPattern(content), command) ? content : null
}

/** The folder of a file; the file itself where that is the whole project. By where it really is, as allow rules count. */
function folderPattern(path: string, project: string): string {
  const [real, base] = [realPath(path), realPath(project)]
  const folder = dirname(real)
  const written = (each: string): string => each.split(sep).map(escapedName).join('/')
  if (!isBelow(folder, base)) return `/${written(folder)}/**`
  return folder === base ? `./${written(relative(base, real))}` : `./${written(relative(base, folder))}/**`
}
