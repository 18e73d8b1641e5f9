import { INTERPRETERS } from '../programs/code-programs.ts'
import { SHELLS, WITH_SUBCOMMANDS, WRAPPERS } from '../programs/command-table.ts'
import { escapeCommand, parseCommandPattern } from './command-pattern.ts'
import type { Rule, RuleParts } from './rule.ts'
import { isCommandCovered } from './script.ts'
import { parseShellCommands, type ShellCommand } from './shell-commands.ts'

/** Programs that run whatever they are given. */
const RUNS_ANYTHING = new Set([...SHELLS, ...Object.keys(WRAPPERS), ...Object.keys(INTERPRETERS), 'python2', 'python3'])

/** Programs that run whatever they are given, or destroy it: only the very command is offered. */
const NEVER_BY_PREFIX = new Set([
  ...[...RUNS_ANYTHING, 'eval', 'trap', 'source', '.', 'find', 'ssh'],
  ...'rm rmdir mv dd chmod chown kill curl wget awk sed tee export alias'.split(' '),
])

/** More commands than this are offered as one text. */
const MAX_SUGGESTED_RULES = 4

/** A rule for each command that has none yet; one for the whole text where it cannot be taken apart. */
export function suggestCommandRules(script: string, allow: readonly Rule[]): RuleParts[] {
  const { commands, plain } = parseShellCommands(script)
  const known = allow.flatMap(({ specifier }) => (specifier.kind === 'command' ? [specifier.pattern] : []))
  const open = commands.filter((command) => !known.some((pattern) => isCommandCovered(pattern, command)))
  const contents = [...new Set(open.map(findPrefix))]
  if (
    plain &&
    contents.length > 0 &&
    contents.length <= MAX_SUGGESTED_RULES &&
    contents.every((content) => content !== null)
  )
    return contents.map((ruleContent) => ({ toolName: 'Bash', ruleContent }))
  return script.trim() === '' ? [] : [{ toolName: 'Bash', ruleContent: escapeCommand(script.trim()) }]
}

/** `npm run test:*`; null when no prefix is fit to be offered. */
function findPrefix(command: ShellCommand): string | null {
  const { words } = command
  const [name, first] = words
  if (!name || NEVER_BY_PREFIX.has(name.value) || name.value.includes('/')) return null
  const count = WITH_SUBCOMMANDS.has(name.value) ? 1 + (first?.value === 'run' ? 2 : 1) : 1
  const named = words.slice(0, count)
  if (named.slice(1).some(({ value }) => RUNS_ANYTHING.has(value))) return null
  if (!named.every(({ value, literal }) => literal && /^\w[\w.:@-]*$/.test(value))) return null
  const content = `${named.map(({ value }) => value).join(' ')}:*`
  return isCommandCovered(parseCommandPattern(content), command) ? content : null
}
