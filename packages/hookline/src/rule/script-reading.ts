import { forEachChild, parse, type SyntaxNode } from 'unbash'
import { parseShellCommands, type ShellCommand } from './shell-commands.ts'

/** A script as conditions of hooks see it. */
export interface ScriptReading {
  readonly commands: readonly ShellCommand[]
  /** False: the script could not be read to its end. */
  readonly whole: boolean
  /** A construct that the client does not take apart, in words: then every condition on commands holds. Null: there is none. */
  readonly unread: string | null
  /** Values of `$NAME` and `${NAME}`, where the script says so in one plain assignment. */
  readonly assigned: ReadonlyMap<string, string>
}

/** Constructs by the type of their node. Whatever is neither here nor in `READ` is none that is understood. */
const UNREAD: Partial<Record<SyntaxNode['type'], string>> = {
  BraceGroup: 'braces',
  BraceExpansion: 'braces',
  Function: 'a function',
  Case: 'a case',
  Select: 'a select',
  ArithmeticCommand: 'a calculation',
  ArithmeticExpansion: 'a calculation',
  ArithmeticFor: 'a calculation',
  ArrayValue: 'an array',
  ProcessSubstitution: 'a process substitution',
  HereString: 'a here-string',
}

/** Constructs that are taken apart. */
const READ = new Set<SyntaxNode['type']>([
  ...(['Script', 'Statement', 'CompoundList', 'AndOr', 'Pipeline', 'Time', 'Negation', 'Command', 'Coproc'] as const),
  ...(['Subshell', 'If', 'Elif', 'While', 'For', 'Redirect', 'Redirected', 'FileDescriptor', 'Assignment'] as const),
  ...(['TestCommand', 'TestUnary', 'TestBinary', 'TestLogical', 'TestNot', 'TestGroup'] as const),
  ...([
    'HereDoc',
    'HereDocDelimiter',
    'HereDocBody',
    'Word',
    'Literal',
    'SingleQuoted',
    'DoubleQuoted',
    'Glob',
  ] as const),
  ...(['SimpleExpansion', 'ParameterExpansion', 'CommandExpansion'] as const),
])

/** Blanks beyond ASCII, which the client takes for something that may hide, in quotes too. */
const UNUSUAL_BLANK = /[\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]/
/** A backslash before a blank or at the end, or one that goes on with a word in the next line. */
const ESCAPED_BLANK = /\\[ \t]|(?:^|[^\\])(?:\\\\)*\\$|(?:^|[^ \t\\])(?:\\\\)*\\\n/

/** Reads a script for conditions. Never throws. */
export function readScript(script: string): ScriptReading {
  const { commands, whole } = parseShellCommands(script)
  if (!whole) return { commands, whole, unread: null, assigned: new Map() }
  const tree = parse(script)
  const nodes = listNodes(tree)
  const assigned = findAssigned(nodes, { tree, commands })
  const unread = nameUnreadText(script) ?? nodes.map((node) => nameUnread(node, { script, assigned })).find(isNamed)
  return { commands, whole, unread: unread ?? null, assigned }
}

const isNamed = (construct: string | null): construct is string => construct !== null

/** All nodes of a script, outer ones first. A here-document holds text, or is not read at all. */
function listNodes(node: SyntaxNode): SyntaxNode[] {
  const inner: SyntaxNode[] = []
  if (node.type !== 'HereDoc') forEachChild(node, (child) => void inner.push(...listNodes(child)))
  return [node, ...inner]
}

function nameUnreadText(script: string): string | null {
  if (UNUSUAL_BLANK.test(script)) return 'an unusual blank'
  if (script.trimEnd().endsWith('(')) return 'a parenthesis'
  return ESCAPED_BLANK.test(script) ? 'an escaped blank' : null
}

interface NodeContext {
  readonly script: string
  readonly assigned: ReadonlyMap<string, string>
}

/** The construct that a node is, if it is not taken apart. */
function nameUnread(node: SyntaxNode, { script, assigned }: NodeContext): string | null {
  switch (node.type) {
    case 'HereDoc':
      return node.operator === '<<-' || !isQuoted(node) || isFollowedInLine(node, script) ? 'a here-document' : null
    case 'ParameterExpansion':
      return 'an expansion'
    case 'SimpleExpansion':
      return node.text === '$HOME' || assigned.has(node.text) ? null : 'a variable'
    case 'Redirected':
      return isMergedIntoPipe(node, { script, assigned }) ? null : 'a redirection of several commands'
    case 'Redirect':
      return nameUnreadRedirect(node)
    case 'Subshell':
      return isCompoundSubshell(node) ? 'commands in parentheses' : null
    case 'Pipeline':
      return node.prefixes.length > 0 && node.commands.some(({ type }) => type === 'Subshell')
        ? 'commands in parentheses'
        : null
    case 'TestCommand':
      return hasNode(node, 'CommandExpansion') ? 'a substitution in a test' : null
    case 'Assignment':
      return nameUnreadAssignment(node)
    case 'Command':
      return nameUnreadCommand(node)
    case 'Word':
      return nameUnreadWord(node.text)
    case 'CommandExpansion':
      return node.text.includes('\\`') || isReadingFile(node) || isUsingVariable(node) ? 'a substitution' : null
    default:
      return READ.has(node.type) ? null : (UNREAD[node.type] ?? 'something that is not taken apart')
  }
}

type NodeOf<Type extends SyntaxNode['type']> = Extract<SyntaxNode, { type: Type }>

function hasNode(node: SyntaxNode, type: SyntaxNode['type']): boolean {
  return listNodes(node).some((inner) => inner.type === type)
}

/** True for more in parentheses than one line of commands, or other parentheses alone. */
function isCompoundSubshell({ body: { commands } }: NodeOf<'Subshell'>): boolean {
  const [first, ...more] = commands
  if (first === undefined || more.length > 0) return true
  return first.command.type !== 'Subshell' && hasNode(first, 'Subshell')
}

/** A brace or parenthesis that belongs to nothing. */
function nameUnreadWord(text: string): string | null {
  if (text === '}') return 'braces'
  return /^[^"'\\$`]*[()]/.test(text) ? 'a parenthesis' : null
}

/** True for `$(< file)`, which runs nothing. */
function isReadingFile(node: NodeOf<'CommandExpansion'>): boolean {
  return listNodes(node).some((inner) => inner.type === 'Command' && !inner.name && inner.redirects.length > 0)
}

/** True for a substitution in which a variable stands, also one that was given its value before. */
function isUsingVariable(node: NodeOf<'CommandExpansion'>): boolean {
  return listNodes(node).some((inner) => inner.type === 'SimpleExpansion' && inner.text !== '$HOME')
}

/** True for `(…) 2>&1 |`, which the protocol counts among what is understood. */
function isMergedIntoPipe({ command, redirects, end }: NodeOf<'Redirected'>, { script }: NodeContext): boolean {
  const isMerged = redirects.every((one) => one.type === 'Redirect' && /^\d$/.test(one.target?.value ?? ''))
  return command.type === 'Subshell' && isMerged && /^\s*\|(?!\|)/.test(script.slice(end))
}

/** Redirections that close, open both ways, or lead to where a substitution says. */
function nameUnreadRedirect({ operator, target }: NodeOf<'Redirect'>): string | null {
  const isUsual = operator !== '<>' && target !== undefined && target.value !== '-'
  return isUsual && !hasNode(target, 'CommandExpansion') ? null : 'a redirection'
}

function nameUnreadAssignment({ name, value, index }: NodeOf<'Assignment'>): string | null {
  if (index) return 'an array'
  if (value.type !== 'Word') return null // an array, which has a node of its own
  const quoted = value.parts?.some((part) => part.type === 'DoubleQuoted' && hasNode(part, 'CommandExpansion'))
  return name === 'IFS' || quoted || value.text.startsWith('~') ? 'an assignment' : null
}

/** Builtins that give variables their values. */
const DECLARING = /^(?:export|declare|local|readonly|typeset)$/

function nameUnreadCommand(command: NodeOf<'Command'>): string | null {
  const { name, prefix, args, redirects } = command
  if (name === undefined) return prefix.filter(({ type }) => type === 'Assignment').length > 1 ? 'assignments' : null
  if (redirects.length > 0 && args.some((word) => hasNode(word, 'CommandExpansion'))) return 'a substitution'
  const isTest = name.value === '['
  if (isTest ? !args.some(({ text }) => text === ']') : name.value.startsWith('[')) return 'a test'
  if (!isTest && [name, ...args].some(({ text }) => text.startsWith('='))) return 'a word with = at its beginning'
  const isExpanded = args.some((word) => word.type === 'Word' && hasNode(word, 'SimpleExpansion'))
  return DECLARING.test(name.value) && isExpanded ? 'a variable' : null
}

/** True if something else stands behind the delimiter of a here-document. */
function isFollowedInLine({ delimiter }: NodeOf<'HereDoc'>, script: string): boolean {
  const [rest = ''] = script.slice(delimiter?.end ?? script.length).split('\n', 1)
  return rest.trim() !== ''
}

/** A here-document whose delimiter is quoted is text and nothing else. */
function isQuoted({ delimiter }: Extract<SyntaxNode, { type: 'HereDoc' }>): boolean {
  return delimiter !== undefined && /["'\\]/.test(delimiter.text)
}

/** Values of variables that are given one plain value, on the way of every command, and by no builtin. */
function findAssigned(
  nodes: readonly SyntaxNode[],
  { tree, commands }: { readonly tree: NodeOf<'Script'>; readonly commands: readonly ShellCommand[] },
): Map<string, string> {
  const all = nodes.filter((node) => node.type === 'Assignment')
  const loops = nodes.flatMap((node) => (node.type === 'For' ? [node.name.value] : []))
  const named = new Set([
    ...loops,
    ...commands.flatMap(({ words }) => words.map(({ value }) => value.split('=', 1)[0])),
  ])
  return new Map(
    listOuterAssignments(tree).flatMap(({ name, value, append }): [string, string][] => {
      const isOnly = all.filter((other) => other.name === name).length === 1 && !named.has(name)
      const isPlain = value.type === 'Word' && !append && /^[\w./-]+$/.test(value.value) && value.text === value.value
      return isOnly && isPlain
        ? [
            [`$${name}`, value.value],
            [`\${${name}}`, value.value],
          ]
        : []
    }),
  )
}

/** Assignments that are commands of their own, outside of any construct. */
function listOuterAssignments({ commands }: NodeOf<'Script'>): NodeOf<'Assignment'>[] {
  const outer = commands.flatMap(({ command, background }) => {
    if (background) return []
    if (command.type !== 'AndOr') return [command]
    return command.operators.every((operator) => operator === '&&') ? command.commands : []
  })
  return outer.flatMap((command) =>
    command.type === 'Command' && command.name === undefined
      ? command.prefix.filter((part) => part.type === 'Assignment')
      : [],
  )
}
