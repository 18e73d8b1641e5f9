import { type Command, forEachChild, parse, type Redirect, type SyntaxNode } from 'unbash'
import { isTooCostlyToParse } from '../text/parse-cost.ts'
import { hasUnseenEvaluation, isPlainWord as isLiteral } from './evaluated-text.ts'
import { readShownInput } from './shown-input.ts'

/** A word of a command, without its quotes. */
export interface Word {
  readonly value: string
  /** The shell makes nothing else of it: no variable, no substitution, no wildcard. */
  readonly literal: boolean
}

/** A simple command, wherever it stands in a script. */
export interface ShellCommand {
  /** `NAME=value` before it. */
  readonly assignments: readonly Word[]
  readonly words: readonly Word[]
  /** True for a command that something is written to: by a pipe, a file or a here-document. */
  readonly fed: boolean
  /** The text that it is, where the script shows it. */
  readonly input: string | null
  /** The words as they are written, with their quotes. */
  readonly text: string
}

/** A script taken apart. */
export interface ShellCommands {
  /** Every command in it, those in substitutions, loops and functions included. */
  readonly commands: readonly ShellCommand[]
  /** False: the script could not be read to its end, and something may be missing. */
  readonly whole: boolean
  /** True for a script that evaluates text which it does not show as commands. */
  readonly evaluates: boolean
  /** Running the commands is all it does: it defines nothing, writes no file, and has nothing that runs commands by other ways. */
  readonly plain: boolean
  /** The files that it writes by itself. */
  readonly writes: readonly Word[]
}

/** A longer script is not taken apart. */
const MAX_SCRIPT_CHARS = 50_000

/** Characters that shells and parsers take for different things. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const CONTROL = /[\0-\x08\x0b-\x1f\x7f]/

/** Nodes that a plain script consists of. Loops over words are none: they can set PATH. */
const PLAIN_NODE_TYPES = new Set<SyntaxNode['type']>([
  ...([
    'Script',
    'Statement',
    'CompoundList',
    'AndOr',
    'Pipeline',
    'Time',
    'Negation',
    'Command',
    'Assignment',
  ] as const),
  ...(['Subshell', 'BraceGroup', 'If', 'Elif', 'While', 'Redirect', 'FileDescriptor'] as const),
  ...(['HereString', 'HereDoc', 'HereDocDelimiter', 'HereDocBody'] as const),
  ...(['Word', 'Literal', 'SingleQuoted', 'DoubleQuoted', 'AnsiCQuoted', 'Glob', 'BraceExpansion'] as const),
  ...(['SimpleExpansion', 'ParameterExpansion', 'CommandExpansion', 'ProcessSubstitution'] as const),
])

/** Takes a script apart; `nested`: another one starts it, with variables of its own; `fed`: and writes to it. Never throws. */
export function parseShellCommands(script: string, { nested = false, fed: isScriptFed = false } = {}): ShellCommands {
  if (script.length > MAX_SCRIPT_CHARS || isTooCostlyToParse(script))
    return { commands: [], whole: false, evaluates: false, plain: false, writes: [] }
  const commands: ShellCommand[] = []
  const writes: Word[] = []
  let whole = !CONTROL.test(script)
  let plain = true
  let evaluates = false
  let isAllFed = isScriptFed
  const visit = (node: SyntaxNode, isFed: boolean, feeder: SyntaxNode | null): void => {
    const fed = isFed || isAllFed || isReadingInput(node)
    if (node.type === 'Command' && node.name?.value === 'exec' && isReadingInput(node)) isAllFed = true
    if (node.type === 'Command')
      commands.push({ ...toShellCommand(node, script), fed, input: readShownInput(node, feeder) })
    if (node.type === 'Script' && node.errors && node.errors.length > 0) whole = false
    if (isOpaque(node)) whole = false
    if (!isPlainNode(node)) plain = false
    if (node.type === 'Redirect' && node.target && node.operator !== '<' && !isHarmless(node))
      writes.push(toWord(node.target))
    const [source, second] = node.type === 'Pipeline' ? node.commands : []
    forEachChild(node, (child) => {
      const isBehind = source !== undefined && child !== source
      visit(child, fed || isBehind, child === second && source && !fed && !isReadingInput(source) ? source : null)
    })
  }
  try {
    const root = parse(script)
    visit(root, false, null)
    evaluates = hasUnseenEvaluation(root, { nested })
  } catch {
    whole = false // the stack of a parser that goes down with the text
  }
  return { commands, whole, evaluates, plain: plain && whole && !evaluates, writes }
}

/** A substitution whose script the parser could not find. */
function isOpaque(node: SyntaxNode): boolean {
  return (node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') && node.script === undefined
}

function isPlainNode(node: SyntaxNode): boolean {
  if (node.type === 'Redirect') return isHarmless(node)
  if (node.type === 'ParameterExpansion') return !node.operation && !node.prefix && !node.index
  if (node.type === 'Assignment') return !node.index && node.value.type === 'Word'
  return PLAIN_NODE_TYPES.has(node.type)
}

/** True for a redirect that opens no file but the one that is none, or only joins descriptors. */
function isHarmless({ operator, target, descriptor }: Redirect): boolean {
  if (!target || !isLiteral(target) || descriptor?.type === 'FileDescriptorVariable') return false
  if (target.value === '/dev/null') return true
  return (operator === '>&' || operator === '<&') && /^(?:\d+-?|-)$/.test(target.value)
}

/** A command, simple or not, that is given a file or a text to read. */
function isReadingInput(node: SyntaxNode): boolean {
  if (node.type !== 'Command' && node.type !== 'Redirected') return false
  return node.redirects.some(({ operator }) => operator.startsWith('<'))
}

function toShellCommand({ name, prefix, args }: Command, script: string): Omit<ShellCommand, 'fed' | 'input'> {
  return {
    text: name ? script.slice(name.pos, (args.at(-1) ?? name).end) : '',
    assignments: prefix.flatMap((each) => (each.type === 'Assignment' ? [toWord(each)] : [])),
    words: [...(name ? [name] : []), ...args].map(toWord),
  }
}

function toWord(node: Command['args'][number]): Word {
  if (node.type === 'Word') return { value: node.value, literal: isLiteral(node) }
  const value = node.value.type === 'Word' ? node.value : null
  if (!value) return { value: node.text, literal: false }
  const sign = node.append ? '+=' : '='
  return { value: `${node.name}${sign}${value.value}`, literal: !node.index && isLiteral(value) }
}

/** The words of a command as one text. */
export function joinWords(words: readonly Word[]): string {
  return words.map(({ value }) => value).join(' ')
}
