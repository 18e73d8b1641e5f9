import { type Command, forEachChild, type SyntaxNode, type Word as WordNode } from 'unbash'
import { CODE_VARIABLES, COMMAND_VARIABLES } from '../programs/code-carriers.ts'

/** Text that a shell expands once more when it calculates, although it was quoted. */
const QUOTED_SUBSTITUTION = /\$[({[]|`|\\(?:x24|x60|0?44|0?140|u0*24|u0*60)/

/** Commands that print numbers and nothing else, when their arguments are plain. */
const PRINTS_NUMBERS = new Set(['seq', 'nproc', 'date', 'wc'])

/** Variables that the shell itself fills with text from elsewhere. */
const FILLED = new Set(
  '_ REPLY MAPFILE OPTARG BASH_REMATCH BASH_COMMAND BASH_EXECUTION_STRING BASH_ARGV COPROC FUNCNAME DIRSTACK'.split(
    ' ',
  ),
)

const NAMES_IN_ARITHMETIC = /(?<![\w#$])\$?\{?[A-Za-z_]\w*/g
const POSITIONAL = /\$\{?[\d@*]/

/** Builtins that evaluate the names they are given; the options among them that take the next word with them. */
const TAKES_NAMES: Readonly<Record<string, string>> = {
  read: '-p -d -t -n -N -u -i',
  mapfile: '-d -n -O -s -u -c',
  readarray: '-d -n -O -s -u -c',
  unset: '',
  getopts: '',
  wait: '',
}
const DECLARES = new Set(['declare', 'typeset', 'local', 'export', 'readonly'])

/** Variables that calculate whatever is put into them, without being declared so. */
const CALCULATING = ['RANDOM', 'SRANDOM', 'HISTCMD', 'OPTIND']

/**
 * True if a script evaluates text that it does not show as commands: a subscript, a number or a prompt can hold a
 * substitution, which the shell carries out. `nested`: what an outer script put into variables is not known.
 */
export function hasUnseenEvaluation(root: SyntaxNode, { nested }: { readonly nested: boolean }): boolean {
  const survey: Survey = {
    expressions: [],
    integers: new Set(CALCULATING),
    assigned: [],
    filled: new Set(),
    numbers: new Set(),
    others: new Set(),
    quoted: false,
    unseen: false,
    functions: false,
  }
  lookAtNode(root, survey)
  for (const { name, value } of survey.assigned)
    if (survey.integers.has(name)) survey.expressions.push(toExpression(value))
  if (survey.unseen || [...survey.filled].some((name) => survey.integers.has(name))) return true
  return survey.expressions.some((expression) => canHoldCommands(expression, survey, nested))
}

interface Survey {
  /** Expressions that are evaluated. */
  readonly expressions: Expression[]
  /** Variables that the script sets to numbers. */
  readonly numbers: Set<string>
  /** Variables that it sets to anything else. */
  readonly others: Set<string>
  /** Variables that calculate whatever is put into them, and what is put into variables. */
  readonly integers: Set<string>
  readonly assigned: { readonly name: string; readonly value: WordNode }[]
  /** Variables that are set by other means than an assignment. */
  readonly filled: Set<string>
  /** A text is quoted that would be a substitution. */
  quoted: boolean
  unseen: boolean
  functions: boolean
}

interface Expression {
  readonly text: string
  readonly nodes: readonly SyntaxNode[]
}

/** Notes a variable that is set by other means than an assignment: to what is not known. */
function noteSet(name: string, survey: Survey): void {
  survey.others.add(name)
  survey.filled.add(name)
  if (CODE_VARIABLES.test(name) || COMMAND_VARIABLES.test(name)) survey.unseen = true
}

function lookAtNode(node: SyntaxNode, survey: Survey): void {
  const see = LOOKS[node.type] as ((each: SyntaxNode, into: Survey) => void) | undefined // each takes its own type
  see?.(node, survey)
  forEachChild(node, (child) => lookAtNode(child, survey))
}

type Looks = {
  readonly [Type in SyntaxNode['type']]?: (node: Extract<SyntaxNode, { type: Type }>, survey: Survey) => void
}

const CALCULATES = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge'])

const LOOKS: Looks = {
  Function: (_, survey) => {
    survey.functions = true
  },
  Word: (word, survey) => {
    if (isPlainWord(word) && QUOTED_SUBSTITUTION.test(word.value)) survey.quoted = true
  },
  HereDocBody: ({ text, parts }, survey) => {
    if (!parts && QUOTED_SUBSTITUTION.test(text)) survey.quoted = true
  },
  ArithmeticExpansion: (node, { expressions }) => void expressions.push({ text: node.text.slice(2), nodes: [node] }),
  ArithmeticCommand: (node, { expressions }) => void expressions.push({ text: node.body, nodes: [node] }),
  ArithmeticFor: ({ initialize, test, update }, survey) => {
    for (const each of [initialize, test, update]) if (each) survey.expressions.push(toWrittenExpression(each))
  },
  ArithmeticBinary: ({ operator, left }, survey) => {
    if (operator.endsWith('=') && left.type === 'ArithmeticWord') survey.numbers.add(left.value)
  },
  ParameterExpansion: ({ prefix, index, operation, parameter }, survey) => {
    const isList = index?.value === '@' || index?.value === '*'
    if (prefix === '!' && !isList && operation?.type !== 'Names') survey.unseen = true
    if (operation?.type === 'Unknown') survey.unseen = true
    if (operation?.type === 'Transform' && operation.operand.value.includes('P')) survey.unseen = true
    if (operation?.type === 'Default' && operation.operator.endsWith('=')) noteSet(parameter, survey)
    const offsets = operation?.type === 'Slice' ? [operation.offset, operation.length] : []
    for (const each of [isList ? undefined : index, ...offsets]) if (each) survey.expressions.push(toExpression(each))
  },
  Assignment: ({ name, value, index }, survey) => {
    if (index) survey.expressions.push(toExpression(index))
    for (const each of value.type === 'Word' ? [value] : value.elements) survey.assigned.push({ name, value: each })
    const isNumber = value.type === 'Word' && isNumeric(value, survey)
    ;(isNumber ? survey.numbers : survey.others).add(name)
  },
  For: ({ name, wordlist }, survey) => {
    if (wordlist?.every((word) => isNumeric(word, survey))) survey.numbers.add(name.value)
    else noteSet(name.value, survey)
  },
  Select: ({ name }, survey) => noteSet(name.value, survey),
  TestUnary: ({ operator, operand }, survey) => {
    if (operator === '-v' || operator === '-R') lookAtName(operand, survey)
    if (operator === '-t') survey.expressions.push(toExpression(operand))
  },
  TestBinary: ({ operator, left, right }, survey) => {
    if (CALCULATES.has(operator)) survey.expressions.push(toExpression(left), toExpression(right))
  },
  Redirect: ({ descriptor }, survey) => {
    if (descriptor?.type === 'FileDescriptorVariable' && !/^\w+$/.test(descriptor.name)) survey.unseen = true
  },
  Command: lookAtCommand,
}

/** Looks at the builtins that evaluate the names in their arguments. */
function lookAtCommand({ name, args }: Command, survey: Survey): void {
  if (!name) return
  const words: Command['args'] = [name, ...args]
  const at = words.findIndex(({ text }) => text !== 'command' && text !== 'builtin' && text !== '--')
  const [builtin, ...rest] = words.slice(at < 0 ? words.length : at)
  if (builtin?.type !== 'Word') return
  const plain = rest.flatMap((each) => (each.type === 'Word' ? [each] : []))
  const { value } = builtin
  if (value === 'let') for (const word of plain) survey.expressions.push(toExpression(word))
  if (value === 'test' || value === '[') lookBehind(plain, ['-v', '-R'], survey)
  if (value === 'printf') lookAtFormat(plain, survey)
  if (DECLARES.has(value)) lookAtDeclaration(rest, survey)
  if (Object.hasOwn(TAKES_NAMES, value)) lookAtNames(plain, (TAKES_NAMES[value] ?? '').split(' '), survey)
}

function lookBehind(words: readonly WordNode[], options: readonly string[], survey: Survey): void {
  words.forEach((word, at) => {
    const next = words[at + 1]
    if (next && (options.includes(word.value) || !isPlainWord(word))) lookAtName(next, survey)
  })
}

function lookAtFormat([first, second]: readonly WordNode[], survey: Survey): void {
  if (first?.value === '-v' && second) lookAtName(second, survey)
  else if (first?.value.startsWith('-v')) lookAtName(first, survey, first.value.slice(2))
}

function lookAtNames(words: readonly WordNode[], valued: readonly string[], survey: Survey): void {
  words.forEach((word, at) => {
    if (!valued.includes(words[at - 1]?.value ?? '-') && !word.value.startsWith('-')) lookAtName(word, survey)
  })
}

/** `declare -i x` calculates, `declare -n x=…` makes a name of a value, and a quoted argument may be anything. */
function lookAtDeclaration(rest: Command['args'], survey: Survey): void {
  const flags = rest.map(({ text }) => text).filter((text) => /^[-+]/.test(text))
  const hasLetter = (letter: string): boolean => flags.some((flag) => flag.includes(letter))
  for (const each of rest) {
    const name = each.type === 'Word' ? (each.value.split('=', 1)[0] ?? '') : each.name
    if (hasLetter('i')) survey.integers.add(name)
    if (isQuotedList(each)) survey.unseen = true
    if (each.type === 'Word') lookAtDeclared(each, survey, name)
    else if (hasLetter('n') && each.value.type === 'Word') lookAtName(each.value, survey)
  }
}

/** `declare -a x='($(…))'` reads a quoted text as a list, and carries out what stands in it. */
function isQuotedList(each: Command['args'][number]): boolean {
  const word = each.type === 'Word' ? each : each.value
  const text = word.type === 'Word' ? word.value.replace(each.type === 'Word' ? /^[^=]*=/ : '', '') : ''
  return text.startsWith('(') && QUOTED_SUBSTITUTION.test(text)
}

/** A declaration sets no variable that it gives no value. */
function lookAtDeclared(word: WordNode, survey: Survey, name: string): void {
  const isKnown = survey.filled.has(name)
  lookAtName(word, survey, name)
  if (!isKnown && !word.value.includes('=')) survey.filled.delete(name)
}

/** A name may have a subscript, which is evaluated. */
function lookAtName(word: WordNode, survey: Survey, value = word.value): void {
  if (!isPlainWord(word)) survey.unseen = true
  const at = value.indexOf('[')
  const subscript = at < 0 ? '' : value.slice(at + 1)
  if (QUOTED_SUBSTITUTION.test(subscript)) survey.unseen = true
  if (subscript !== '') survey.expressions.push({ text: subscript, nodes: [] })
  noteSet(at < 0 ? value : value.slice(0, at), survey)
}

/** A number can hold commands when a variable in it, or a substitution, may be something else than a number. */
function canHoldCommands({ text, nodes }: Expression, survey: Survey, nested: boolean): boolean {
  const scripts = nodes.flatMap(listSubstitutions)
  if (scripts.some((script) => !isPrintingNumbers(script, survey))) return true
  const own = scripts.reduce((rest, { text: each }) => rest.replace(each, ' '), text)
  if (POSITIONAL.test(own)) return true
  const names = (own.match(NAMES_IN_ARITHMETIC) ?? []).map((name) => name.replace(/^\$?\{?/, ''))
  if (names.length === 0) return false
  const isKnown = (name: string): boolean =>
    !survey.others.has(name) && !FILLED.has(name) && (survey.numbers.has(name) || !nested)
  return survey.quoted || !names.every(isKnown)
}

interface Substitution {
  readonly text: string
  readonly script: SyntaxNode | undefined
}

function listSubstitutions(node: SyntaxNode): Substitution[] {
  if (node.type === 'CommandExpansion' || node.type === 'ArithmeticCommandExpansion') return [node]
  const found: Substitution[] = []
  forEachChild(node, (child) => void found.push(...listSubstitutions(child)))
  return found
}

function isNumeric({ value, parts = [] }: WordNode, survey: Survey): boolean {
  if (parts.length === 0) return /^-?\d*$/.test(value)
  return parts.every((part): boolean => {
    if (part.type === 'Literal' || part.type === 'SingleQuoted') return /^-?\d*$/.test(part.value)
    if (part.type === 'BraceExpansion') return /^\{\d+\.\.\d+(?:\.\.\d+)?\}$/.test(part.text)
    if (part.type === 'ParameterExpansion') return part.prefix === '#'
    if (part.type === 'SimpleExpansion') return /^\$[#?$!]$/.test(part.text)
    if (part.type === 'CommandExpansion') return isPrintingNumbers(part, survey)
    if (part.type === 'DoubleQuoted') return isNumeric({ ...EMPTY, parts: part.parts }, survey)
    return part.type === 'ArithmeticExpansion'
  })
}

const EMPTY: WordNode = { type: 'Word', text: '', value: '', pos: 0, end: 0 }

/** True if the last command of a substitution prints numbers; a function may have taken its name. */
function isPrintingNumbers({ script }: Substitution, { functions }: Survey): boolean {
  if (script?.type !== 'Script' || script.commands.length !== 1 || functions) return false
  const [statement] = script.commands
  const command = statement?.command.type === 'Pipeline' ? statement.command.commands.at(-1) : statement?.command
  if (command?.type !== 'Command' || !command.name || !PRINTS_NUMBERS.has(command.name.value)) return false
  const isPlainArgument = (each: Command['args'][number]): boolean =>
    each.type === 'Word' && isPlainWord(each) && /^[-+%\w.]+$/.test(each.value)
  const operands = command.args.filter(({ text }) => !/^[-+]/.test(text))
  return command.args.every(isPlainArgument) && (command.name.value !== 'wc' || operands.length === 0)
}

function toExpression(word: WordNode): Expression {
  return { text: word.value, nodes: [word] }
}

function toWrittenExpression(node: SyntaxNode): Expression {
  const words: string[] = []
  const gatherNodes = (each: SyntaxNode): void => {
    if (each.type === 'ArithmeticWord') words.push(each.value)
    forEachChild(each, gatherNodes)
  }
  gatherNodes(node)
  return { text: words.join(' '), nodes: [node] }
}

/** The shell makes nothing else of it. */
export function isPlainWord({ parts = [] }: Pick<WordNode, 'parts'>): boolean {
  return parts.every(
    (part) =>
      part.type === 'Literal' ||
      part.type === 'SingleQuoted' ||
      part.type === 'AnsiCQuoted' ||
      (part.type === 'DoubleQuoted' && part.parts.every(({ type }) => type === 'Literal')),
  )
}
