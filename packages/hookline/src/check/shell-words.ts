import { forEachChild, type ParsedScript, parse, type SyntaxNode, type Word, type WordPart } from 'unbash'
import { isTooCostlyToParse } from '../text/parse-cost.ts'

/** A word of a shell command, as far as it can be told without running anything. */
export interface ShellWord {
  /** Value of the word; null when that depends on what happens at run time. */
  readonly value: string | null
  readonly raw: string
  readonly offset: number
  readonly variables: readonly ShellVariable[]
  /** True for a part of a word that the shell splits at a blank in the value of a variable. */
  readonly isSplit?: true
}

/** A variable in a word. */
export interface ShellVariable {
  readonly name: string
  readonly written: string
  readonly offset: number
  /** True for a variable outside quotes, so that the shell splits its value at spaces. */
  readonly bare: boolean
}

/** The values of variables that are known, and the home folder behind `~`. */
export type KnownVariables = Readonly<Record<string, string>>

/** A longer text is not parsed. */
const MAX_SHELL_CHARS = 50_000

/** Finds why a shell does not read a text to its end; null: it does, or the text is too long to be parsed. */
export function findShellFault(text: string): string | null {
  if (text.length > MAX_SHELL_CHARS || isTooCostlyToParse(text)) return null
  try {
    return parse(text).errors?.[0]?.message ?? null
  } catch {
    return null // the stack of a parser that goes down with the text
  }
}

/** Parses a shell text; null when it is not one that a shell would read to its end. */
export function parseShell(text: string): ParsedScript | null {
  if (text.length > MAX_SHELL_CHARS || isTooCostlyToParse(text)) return null
  try {
    const script = parse(text)
    return script.errors?.length ? null : script
  } catch {
    return null // the stack of a parser that goes down with the text
  }
}

/**
 * The words of a shell text that the shell splits at the spaces in their variables: those of commands and loops, and
 * the files of redirects, however deep they are nested. Assignments, `case` and `[[ ]]` leave values whole.
 */
export function splitWords(text: string): ShellWord[] {
  const script = parseShell(text)
  const found: ShellWord[] = []
  const visit = (node: SyntaxNode): void => {
    for (const word of listSplitWords(node)) found.push(readShellWord(word, {}))
    if (!isRequoted(node)) forEachChild(node, visit)
  }
  if (script) visit(script)
  return found
}

function listSplitWords(node: SyntaxNode): readonly Word[] {
  if (node.type === 'Command') return [node.name, ...node.args].filter((each) => each?.type === 'Word')
  if (node.type === 'For' || node.type === 'Select') return node.wordlist ?? []
  if (node.type === 'Redirect') return node.target ? [node.target] : []
  return []
}

/** Backquotes take the quotes in them apart once more, and a here-document knows none. */
function isRequoted(node: SyntaxNode): boolean {
  return node.type === 'HereDoc' || (node.type === 'CommandExpansion' && node.text.startsWith('`'))
}

/** Visits a node and everything below it. */
export function walk(node: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  visit(node)
  forEachChild(node, (child) => walk(child, visit))
}

/** Reads what is known about a word of the parser. */
export function readShellWord(node: Word, known: KnownVariables): ShellWord {
  const { text: raw, pos: offset, parts } = node
  const variables: ShellVariable[] = []
  const value = parts ? joinParts(parts, { known, variables, bare: true }) : node.value
  return { raw, offset, variables, value: raw.startsWith('~') && value !== null ? expandHome(value, known) : value }
}

/** Reads a word into the words that the shell makes of it: known values outside quotes are split at their blanks. */
export function toShellWords(node: Word, known: KnownVariables): ShellWord[] {
  const word = readShellWord(node, known)
  if (word.value === null || !word.variables.some((variable) => isSplittable(variable, known))) return [word]
  const fields = ['']
  for (const part of node.parts ?? []) {
    const [first = '', ...rest] = listFields(part, known)
    fields[fields.length - 1] += first
    fields.push(...rest)
  }
  return fields.map((value) => ({ ...word, value, isSplit: true as const }))
}

/** The fields that a part of a word adds: the first belongs to the word that stands before it. */
function listFields(part: WordPart, known: KnownVariables): string[] {
  const variables: ShellVariable[] = []
  const value = readPartValue(part, { known, variables, bare: true }) ?? ''
  return variables.some((variable) => isSplittable(variable, known)) ? value.split(/[ \t\n]+/) : [value]
}

/** Folders that the engine puts into a command as one word, whatever their names. */
const ONE_WORD = /^\$\{CLAUDE_PLUGIN_(?:ROOT|DATA)\}$/

function isSplittable({ name, written, bare }: ShellVariable, known: KnownVariables): boolean {
  return bare && !ONE_WORD.test(written) && /[ \t\n]/.test(known[name] ?? '')
}

function expandHome(value: string, { HOME }: KnownVariables): string | null {
  return HOME !== undefined && /^~(?:\/|$)/.test(value) ? HOME + value.slice(1) : null
}

interface WordContext {
  readonly known: KnownVariables
  readonly variables: ShellVariable[]
  readonly bare: boolean
}

/** The value of parts that stand next to each other; notes the variables in them. */
function joinParts(parts: readonly WordPart[], context: WordContext): string | null {
  const values = parts.map((part) => readPartValue(part, context))
  return values.includes(null) ? null : values.join('')
}

function readPartValue(part: WordPart, context: WordContext): string | null {
  if (part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted') return part.value
  if (part.type === 'DoubleQuoted') return joinParts(part.parts, { ...context, bare: false })
  const name = /^\$(?:(?<bare>[A-Za-z_]\w*)|\{(?<braced>[A-Za-z_]\w*)\})$/.exec(part.text)?.groups
  const variable = name?.bare ?? name?.braced
  if (variable === undefined) return null
  context.variables.push({ name: variable, written: part.text, offset: part.pos, bare: context.bare })
  return Object.hasOwn(context.known, variable) ? (context.known[variable] ?? null) : null
}

/** A shell text without its comments. */
export function removeShellComments(text: string): string {
  const script = parseShell(text)
  if (!script) return text.replace(/^[ \t]*#.*$/gm, '')
  const spans: { readonly pos: number; readonly end: number }[] = []
  const visit = (node: SyntaxNode): void => {
    if (/^(?:Word|HereDocBody|Arithmetic(?!For))/.test(node.type)) spans.push(node)
    else forEachChild(node, visit)
  }
  visit(script)
  let said = ''
  let at = 0
  for (const { pos, end } of [...spans.toSorted((a, b) => a.pos - b.pos), { pos: text.length, end: text.length }]) {
    said += text.slice(at, pos).replace(/#.*/g, '') + text.slice(pos, end) // between words only a comment has a #
    at = end
  }
  return said
}
