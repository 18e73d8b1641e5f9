import { forEachChild, parse, type SyntaxNode } from 'unbash'
import { type ShellCommand, takeApart } from './shell-commands.ts'

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

/** Reads a script for conditions. Never throws. */
export function readScript(script: string): ScriptReading {
  const { commands, whole } = takeApart(script)
  if (!whole) return { commands, whole, unread: null, assigned: new Map() }
  const constructs: string[] = []
  const assignments = new Map<string, (string | null)[]>()
  const visit = (node: SyntaxNode): void => {
    const construct = nameUnread(node)
    if (construct !== null) constructs.push(construct)
    if (node.type === 'Assignment') noteAssignment(node, assignments)
    if (node.type === 'For') assignments.set(node.name.value, [null, null])
    if (node.type === 'HereDoc') return // a here-document holds text, or is not read at all
    forEachChild(node, visit)
  }
  visit(parse(script))
  return { commands, whole, unread: constructs[0] ?? null, assigned: findAssigned(assignments, commands) }
}

/** The construct that a node is, if it is not taken apart. */
function nameUnread(node: SyntaxNode): string | null {
  if (node.type === 'HereDoc') return node.operator === '<<-' || !isQuoted(node) ? 'a here-document' : null
  if (node.type === 'ParameterExpansion') return node.operation || node.prefix || node.index ? 'an expansion' : null
  if (node.type === 'Assignment' && node.index) return 'an array'
  if (node.type === 'Word' && node.text === '}') return 'braces'
  return READ.has(node.type) ? null : (UNREAD[node.type] ?? 'something that is not taken apart')
}

/** A here-document whose delimiter is quoted is text and nothing else. */
function isQuoted({ delimiter }: Extract<SyntaxNode, { type: 'HereDoc' }>): boolean {
  return delimiter !== undefined && /["'\\]/.test(delimiter.text)
}

function noteAssignment(
  { name, value, append }: Extract<SyntaxNode, { type: 'Assignment' }>,
  assignments: Map<string, (string | null)[]>,
): void {
  const isPlain = value.type === 'Word' && !append && /^[\w./-]+$/.test(value.value) && value.text === value.value
  assignments.set(name, [...(assignments.get(name) ?? []), isPlain ? value.value : null])
}

/** Variables that are given one plain value, by a command that does nothing else, and by no builtin. */
function findAssigned(
  assignments: ReadonlyMap<string, readonly (string | null)[]>,
  commands: readonly ShellCommand[],
): Map<string, string> {
  const alone = new Set(
    commands
      .flatMap(({ words, assignments: own }) => (words.length === 0 ? own : []))
      .map(({ value }) => value.split('=', 1)[0]),
  )
  const named = new Set(commands.flatMap(({ words }) => words.map(({ value }) => value.split('=', 1)[0])))
  return new Map(
    [...assignments].flatMap(([name, [value, ...more]]) =>
      value !== null && value !== undefined && more.length === 0 && alone.has(name) && !named.has(name)
        ? [[`$${name}`, value] as const, [`\${${name}}`, value] as const]
        : [],
    ),
  )
}
