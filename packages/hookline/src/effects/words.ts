import { type ArithmeticExpression, type ParsedScript, parse, type Word, type WordPart } from 'unbash'
import { type Context, copyShell, MAX_DEPTH, noteUnseen, spend, TooMuch } from './context.ts'
import { compileGlob } from './places.ts'
import {
  type Content,
  carry,
  EMPTY_CONTENT,
  join,
  mergeCarried,
  readWord,
  toKnownWord,
  toUnknownWord,
  UNKNOWN_CONTENT,
  type Value,
} from './value.ts'

/** Fields that one word may become. */
const MAX_FIELDS = 200

/** Characters of all words that one pair of braces makes. */
const MAX_BRACE_CHARS = 1_000_000

/** Characters of a value in which a pattern with stars is looked for: it is tried at each of them. */
const MAX_SEARCHED_CHARS = 8192

/** Runs the script of a substitution; handed in, since that needs words again. */
export type RunParsed = (context: Context, script: ParsedScript, input: Content) => Content

/** Variables that a shell always has, and that are never empty. */
const NEVER_EMPTY =
  /^(?:[$?!#0-]|RANDOM|SECONDS|EPOCHSECONDS|UID|EUID|PPID|HOSTNAME|BASHPID|LINENO|BASH|BASH_VERSION|OSTYPE|HOSTTYPE|SHLVL)$/

/** Names of variables that hold secrets. */
const SECRET_VARIABLE =
  /(?:^|_)(?:SECRET|SECRETS|TOKEN|PASSWORD|PASSWD|PASS|PWD|APIKEY|CREDENTIALS?|PRIVATE|AUTH|PAT)(?:_|$)|API_?KEY|ACCESS_KEY|SECRET_KEY|_KEY$|DATABASE_URL$|CONNECTION_STRING$|_DSN$/

/** True for a variable whose name says that it holds a secret. */
export function isSecretVariable(name: string): boolean {
  return name !== 'PWD' && name !== 'OLDPWD' && SECRET_VARIABLE.test(name) && !/^(?:SSH_AUTH_SOCK|PUBLIC_)/.test(name)
}

/** The words that a shell makes of one. */
export function expandWord(context: Context, word: Word, run: RunParsed): readonly Value[] {
  spend(context)
  if (!word.parts) return [toKnownWord(expandOperand(context, word.text, word.value))]
  if (word.parts.some(({ type }) => type === 'BraceExpansion')) spend(context, 40 + (word.text.length >> 2))
  const unbraced = expandBraces(word, word.parts)
  if (unbraced) return unbraced.flatMap((each) => expandWord(context, each, run)).slice(0, MAX_FIELDS)
  const fields = new Fields(readSeparators(context))
  const first = word.parts[0]
  word.parts.forEach((part, at) => {
    const tilde = at === 0 && first?.type === 'Literal' && part.type === 'Literal'
    expandPart(context, part, fields, { run, quoted: false, tilde })
  })
  return fields.end()
}

/** The word as one value, as in an assignment or a redirection. */
export function expandJoined(context: Context, word: Word, run: RunParsed): Value {
  spend(context)
  if (!word.parts) return toKnownWord(expandTildes(context, word.text, word.value))
  return expandParts(context, word.parts, run, true)
}

/** Parts of a here-document or of a quoted text as one value. */
export function expandParts(context: Context, parts: readonly WordPart[], run: RunParsed, tilde = false): Value {
  spend(context, parts.length >> 2)
  const fields = new Fields()
  parts.forEach((part, at) => {
    const isStart = tilde && at === 0 && part.type === 'Literal'
    if (part.type === 'Glob') fields.add({ pieces: [{ is: 'glob', text: part.text }], carries: new Set() })
    else expandPart(context, part, fields, { run, quoted: true, tilde: isStart })
  })
  return join(fields.end({ keepEmpty: true }), ' ')
}

interface PartOptions {
  readonly run: RunParsed
  readonly quoted: boolean
  readonly tilde: boolean
}

const BLANKS = /[ \t\n]+/

/** Signs at which an expansion without quotes is split, as IFS of the shell says. */
function readSeparators({ shell }: Context): RegExp {
  const set = shell.variables.get('IFS')
  const signs = set ? readWord(set) : null
  if (signs === null || signs === ' \t\n') return BLANKS
  return signs === '' ? /(?!)/ : new RegExp(`[${signs.replaceAll(/[\\\]^-]/g, '\\$&')}]+`)
}

/** Words in the making: text is added to the last one, and blanks begin another. */
class Fields {
  readonly #separators: RegExp
  readonly #done: Value[] = []
  #open: Value[] = []
  #started = false

  constructor(separators: RegExp = BLANKS) {
    this.#separators = separators
  }

  add(value: Value): void {
    this.#open.push(value)
    this.#started = true
  }

  /** Adds nothing that still makes a word, as `""` does. */
  addEmpty(): void {
    this.#started = true
  }

  split(): void {
    if (this.#started && this.#done.length < MAX_FIELDS) this.#done.push(join(this.#open))
    this.#open = []
    this.#started = false
  }

  /** Adds the text of an expansion without quotes, which is split at blanks and whose wildcards count. */
  addUnquoted(value: Value): void {
    for (const piece of value.pieces) {
      if (piece.is !== 'text') {
        this.add({ pieces: [piece], carries: value.carries })
        continue
      }
      piece.text.split(this.#separators).forEach((text, at) => {
        if (at > 0) this.split()
        if (text !== '')
          this.add({ pieces: [{ is: /[*?[]/.test(text) ? 'glob' : 'text', text }], carries: value.carries })
      })
    }
  }

  end({ keepEmpty = false } = {}): readonly Value[] {
    if (keepEmpty) this.#started = true
    this.split()
    return this.#done
  }
}

function expandPart(context: Context, part: WordPart, fields: Fields, options: PartOptions): void {
  const { quoted, run } = options
  switch (part.type) {
    case 'Literal':
      fields.add(toKnownWord(options.tilde ? expandTildes(context, part.text, part.value) : part.value))
      return
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      fields.addEmpty()
      fields.add(toKnownWord(part.value))
      return
    case 'DoubleQuoted':
    case 'LocaleString':
      if (part.parts.length === 1 && part.parts[0] && addList(context, part.parts[0], fields)) return
      fields.addEmpty()
      for (const child of part.parts) expandPart(context, child, fields, { run, quoted: true, tilde: false })
      return
    case 'Glob':
      runNested(context, part.parts, run)
      fields.add({
        pieces: [{ is: context.shell.noGlobs ? 'text' : 'glob', text: part.text }],
        carries: new Set(),
      })
      return
    case 'ExtendedGlob':
      runNested(context, part.parts, run)
      fields.add({ pieces: [{ is: 'glob', text: '*' }], carries: new Set() })
      return
    case 'BraceExpansion':
      runNested(context, part.parts, run)
      fields.add(toKnownWord(part.text))
      return
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      if (!quoted && addList(context, part, fields)) return
      addExpansion(fields, readParameter(context, part, run), quoted)
      return
    case 'CommandExpansion':
      addSubstitution(fields, runSubstitution(context, part.script, run), {
        quoted,
        otherwise: guessFolder(context, part.text),
      })
      return
    case 'ArithmeticExpansion':
      runNested(context, part.expression, run)
      fields.add(evaluateArithmetic(context, part.expression))
      return
    case 'ProcessSubstitution':
      fields.add(openSubstitution(context, part, run))
      return
  }
}

function addExpansion(fields: Fields, value: Value, quoted: boolean): void {
  if (quoted) fields.add(value)
  else fields.addUnquoted(value)
}

/** Ways in which programs and their code name the home of the user. */
const NAMES_HOME =
  /\bHOME\b(?!["'}\])]*[/\w])|home_?dir\b|expanduser|Path\.home\(|Dir\.home|getpw(?:uid|nam)|getent passwd|userInfo\(|USERPROFILE|\bxdg-user-dir\b/

/** The folder that a substitution may print, where its text names the home and its output is not known. */
function guessFolder({ reading }: Context, text: string): string | undefined {
  return NAMES_HOME.test(text) ? reading.world.home : undefined
}

function addSubstitution(
  fields: Fields,
  content: Content,
  { quoted, otherwise }: { quoted: boolean; otherwise: string | undefined },
): void {
  if (content.lists && !quoted) {
    // Text around it belongs to the first and the last of the words.
    for (const [at, each] of content.lists.entries()) {
      if (at > 0) fields.split()
      fields.add(each)
    }
    return
  }
  const value = toValue(content)
  const isOpen = otherwise !== undefined && content.text === null && content.lists === null
  addExpansion(
    fields,
    isOpen ? { pieces: [{ is: 'unknown', name: '(…)', empty: false, otherwise }], carries: value.carries } : value,
    quoted,
  )
}

/** The content of a substitution as a word. */
function toValue(content: Content): Value {
  if (content.text !== null) return toKnownWord(content.text.replace(/(?<!\n)\n+$/, ''), content.carries)
  const only = content.lists?.length === 1 ? content.lists[0] : null
  if (only) return { pieces: only.pieces, carries: content.carries }
  const { carries, source } = content
  if (source === null) return toUnknownWord('(…)', { carries })
  return { pieces: [{ is: 'unknown', name: '(…)', empty: true, source }], carries }
}

function runSubstitution(context: Context, script: ParsedScript | undefined, run: RunParsed): Content {
  if (context.depth > MAX_DEPTH) {
    noteUnseen(context, 'too-deep', '$(…)', 'run')
    return UNKNOWN_CONTENT
  }
  if (!script) {
    noteUnseen(context, 'not-parsed', '$(…)', 'run')
    return UNKNOWN_CONTENT
  }
  return run({ ...context, shell: copyShell(context.shell), depth: context.depth + 1 }, script, EMPTY_CONTENT)
}

/** Runs the substitutions in a piece of the tree whose own value is not needed: an index, an arithmetic expression, a pattern. */
export function runNested(context: Context, node: unknown, run: RunParsed): void {
  if (typeof node !== 'object' || node === null) return
  spend(context)
  if ('script' in node) {
    // The tree has scripts in its substitutions alone.
    runSubstitution(context, node.script as ParsedScript | undefined, run)
    return
  }
  // Parts of words are made when they are asked for, and are no own field.
  if ('parts' in node) runNested(context, node.parts, run)
  for (const child of Object.values(node)) runNested(context, child, run)
}

function openSubstitution(
  context: Context,
  part: { readonly operator: '<' | '>'; readonly script: ParsedScript | undefined },
  run: RunParsed,
): Value {
  const { files, sinks } = context.reading
  const path = `/dev/fd/${1000 + files.size + sinks.size}`
  const content = runSubstitution(context, part.script, run)
  const { script } = part
  if (part.operator === '<') files.set(path, content)
  else if (script) sinks.set(path, (input) => run({ ...context, shell: copyShell(context.shell) }, script, input))
  return toKnownWord(path, content.carries)
}

/** Adds `$@`, `$*` and whole arrays as one word each. */
function addList(context: Context, part: WordPart, fields: Fields): boolean {
  const values = findList(context, part)
  if (!values) return false
  for (const value of values) {
    fields.add(value)
    fields.split()
  }
  return true
}

function findList({ shell }: Context, part: WordPart): readonly Value[] | null {
  if (part.type === 'SimpleExpansion') return /^\$[@*]$/.test(part.text) ? shell.positional : null
  if (part.type !== 'ParameterExpansion' || part.prefix || part.operation) return null
  if (part.parameter === '@' || part.parameter === '*') return shell.positional
  const index = part.index?.value
  if (index !== '@' && index !== '*') return null
  return shell.arrays.get(part.parameter) ?? null
}

type Parameter = Extract<WordPart, { type: 'SimpleExpansion' | 'ParameterExpansion' }>

function readParameter(context: Context, part: Parameter, run: RunParsed): Value {
  if (part.type === 'SimpleExpansion') return readVariable(context, part.text.slice(1))
  runNested(context, part.index, run)
  const value = readIndexed(context, part)
  if (part.prefix === '#') {
    const text = readWord(value)
    return text === null ? toUnknownWord(`#${part.parameter}`, { empty: false }) : toKnownWord(String(text.length))
  }
  if (part.prefix === '!') {
    const name = readWord(value)
    return name === null ? toUnknownWord(`!${part.parameter}`) : readVariable(context, name)
  }
  if (!part.operation) return value
  return applyOperation(context, part, value, run)
}

function readIndexed(context: Context, part: Extract<Parameter, { type: 'ParameterExpansion' }>): Value {
  const element = part.index ? context.shell.variables.get(`${part.parameter}[${part.index.value}]`) : undefined
  if (element) return element
  const list = context.shell.arrays.get(part.parameter)
  if (!list) return readVariable(context, part.parameter)
  const index = part.index ? Number(part.index.value) : 0
  if (Number.isInteger(index)) return list.at(index) ?? toKnownWord('')
  return join(list, ' ')
}

function applyOperation(
  context: Context,
  part: Extract<Parameter, { type: 'ParameterExpansion' }>,
  value: Value,
  run: RunParsed,
): Value {
  const operation = part.operation
  if (!operation) return value
  if (operation.type === 'Default') return applyDefault(context, part.parameter, value, operation, run)
  const text = readWord(value)
  if (text === null) {
    runNested(context, operation, run)
    // A part that is cut off leaves the unknown rest; its kinds of content stay.
    return operation.type === 'Remove' || operation.type === 'CaseModification'
      ? value
      : toUnknownWord(part.parameter, { carries: value.carries })
  }
  const changed = changeText(context, text, operation, run)
  return changed === null
    ? toUnknownWord(part.parameter, { carries: value.carries })
    : toKnownWord(changed, value.carries)
}

type Operation = NonNullable<Extract<Parameter, { type: 'ParameterExpansion' }>['operation']>

function changeText(context: Context, text: string, operation: Operation, run: RunParsed): string | null {
  switch (operation.type) {
    case 'Remove': {
      const glob = readWord(expandJoined(context, operation.operand, run))
      return glob === null ? null : removeMatch(text, glob, operation.operator)
    }
    case 'Replace': {
      const glob = readWord(expandJoined(context, operation.pattern, run))
      const by = readWord(expandJoined(context, operation.replacement, run))
      if (glob === null || by === null || (glob.includes('*') && text.length > MAX_SEARCHED_CHARS)) return null
      const body = toSearch(glob)
      const start = operation.operator === '/#' ? '^' : ''
      const end = operation.operator === '/%' ? '$' : ''
      return text.replace(new RegExp(start + body + end, operation.operator === '//' ? 'g' : ''), () => by)
    }
    case 'Slice': {
      const offset = Number(readWord(expandJoined(context, operation.offset, run)) ?? Number.NaN)
      const length = operation.length
        ? Number(readWord(expandJoined(context, operation.length, run)) ?? Number.NaN)
        : text.length
      if (Number.isNaN(offset) || Number.isNaN(length)) return null
      const from = offset < 0 ? Math.max(0, text.length + offset) : offset
      return length < 0 ? text.slice(from, length) : text.slice(from, from + length)
    }
    case 'CaseModification': {
      const change = operation.operator.startsWith('^') ? 'toUpperCase' : 'toLowerCase'
      return operation.operator.length === 2 ? text[change]() : text.slice(0, 1)[change]() + text.slice(1)
    }
    case 'Transform':
      return transformText(text, operation.operand.value)
    default:
      return null
  }
}

/** The text behind `${x@Q}` and its relatives; null for those that are run or that tell something else. */
function transformText(text: string, operator: string): string | null {
  if (operator === 'E') return text.includes('\\') ? null : text
  if (operator === 'Q') return `'${text.replaceAll("'", "'\\''")}'`
  if (operator === 'U') return text.toUpperCase()
  if (operator === 'u') return text.slice(0, 1).toUpperCase() + text.slice(1)
  return operator === 'L' ? text.toLowerCase() : null
}

function toSearch(glob: string): string {
  return compileGlob(glob)
    .source.replace(/^\^(?:\(\?!\\\.\))?/, '')
    .replace(/\$$/, '')
    .replaceAll('[^/]', '[^]')
}

function removeMatch(text: string, glob: string, operator: string): string {
  const whole = new RegExp(`^${toSearch(glob)}$`)
  const lengths = Array.from({ length: Math.min(text.length, 1000) + 1 }, (_, length) => length)
  const ordered = operator.length === 2 ? lengths.reverse() : lengths
  for (const length of ordered) {
    if (operator.startsWith('#') && whole.test(text.slice(0, length))) return text.slice(length)
    if (operator.startsWith('%') && whole.test(text.slice(text.length - length)))
      return text.slice(0, text.length - length)
  }
  return text
}

function applyDefault(
  context: Context,
  name: string,
  value: Value,
  { operator, operand }: Extract<Operation, { type: 'Default' }>,
  run: RunParsed,
): Value {
  const text = readWord(value)
  const isSet = text !== null && (text !== '' || !operator.startsWith(':'))
  const kind = operator.at(-1)
  if (kind === '?') {
    if (isSet) return value
    runNested(context, operand, run)
    return toUnknownWord(name, { empty: false, carries: value.carries })
  }
  if (kind === '+') return replaceSet(context, name, value, expandJoined(context, operand, run))
  if (isSet) return value
  const otherwise = expandJoined(context, operand, run)
  if (text === '' || (text === null && value.pieces.length === 0)) return otherwise
  const written = readWord(otherwise)
  const filled: Value =
    written === null
      ? toUnknownWord(name, { carries: mergeCarried([value.carries, otherwise.carries]) })
      : {
          pieces: [{ is: 'unknown', name, empty: false, otherwise: written }],
          carries: mergeCarried([value.carries, otherwise.carries]),
        }
  if (kind === '=') context.shell.variables.set(name, filled)
  return filled
}

/** The value of `${x:+y}`: its text where x has a value, nothing where it has none, either of them where that is not known. */
function replaceSet(context: Context, name: string, value: Value, by: Value): Value {
  const text = readWord(value)
  const isOutside = text === null && !context.shell.variables.has(name)
  if (text === '' || (isOutside && !NEVER_EMPTY.test(name))) return toKnownWord('')
  const written = readWord(by)
  if (text !== null || written === null) return by
  return { pieces: [{ is: 'unknown', name, empty: true, otherwise: written }], carries: by.carries }
}

/** The value of a variable; one that nothing sets may be empty. */
export function readVariable(context: Context, name: string): Value {
  const { shell, reading } = context
  const set = shell.variables.get(name)
  if (set) return set
  const other = shell.references.get(name)
  // A reference to a reference is read as far as the first: circles have no end.
  if (other !== undefined) return readVariable({ ...context, shell: { ...shell, references: new Map() } }, other)
  const list = shell.arrays.get(name)
  if (list) return list[0] ?? toKnownWord('')
  const { world } = reading
  if (/^\d+$/.test(name) && name !== '0') return shell.positional[Number(name) - 1] ?? toKnownWord('')
  if (name === 'HOME') return toKnownWord(world.home)
  if (name === 'PWD') return toKnownWord(shell.folders[0]?.path ?? world.folder)
  if (name === 'OLDPWD') return toKnownWord(shell.before[0]?.path ?? world.folder)
  if (name === 'USER' || name === 'LOGNAME') return toKnownWord(world.user)
  if (name === 'TMPDIR') return toKnownWord(world.temp[0] ?? '/tmp')
  if (name === 'CLAUDE_PROJECT_DIR') return toKnownWord(world.project)
  if (name === 'BASH' || name === 'SHELL') return toKnownWord('/bin/bash')
  if (name === '0') return toKnownWord('bash')
  if (name === 'IFS') return toKnownWord(' \t\n')
  if (name === '#') return toKnownWord(String(shell.positional.length))
  if (name === '@' || name === '*') return join(shell.positional, ' ')
  if (NEVER_EMPTY.test(name)) return toUnknownWord(name, { empty: false })
  return toUnknownWord(name, isSecretVariable(name) ? { carries: carry('secret-variable') } : {})
}

/** A tilde at the beginning of a word, or behind the sign of `of=~/x`, which bash takes for an assignment. */
function expandOperand(context: Context, text: string, value: string): string {
  const name = /^(?:\w+|\[[^\]]*\])=(?=~)/.exec(text)?.[0]
  return name
    ? name + expandTilde(context, text.slice(name.length), value.slice(name.length))
    : expandTilde(context, text, value)
}

function expandTilde({ reading, shell }: Context, text: string, value: string): string {
  if (!text.startsWith('~')) return value
  const [, name = ''] = /^~([^/]*)/.exec(value) ?? []
  const rest = value.slice(name.length + 1)
  if (name === '' || name === reading.world.user) return reading.world.home + rest
  if (name === '+') return (shell.folders[0]?.path ?? '') + rest
  if (name === '-') return (shell.before[0]?.path ?? '') + rest
  if (name === 'root') return `/root${rest}`
  return /^[a-z_][\w-]*$/i.test(name) ? `${cutLastSegment(reading.world.home)}/${name}${rest}` : value
}

function cutLastSegment(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/home'
}

/** Tildes at the beginning and behind colons, as assignments have them. */
function expandTildes(context: Context, text: string, value: string): string {
  if (!text.includes('~')) return value
  if (!text.includes(':') || text.includes('://')) return expandTilde(context, text, value)
  return value
    .split(':')
    .map((part) => expandTilde(context, part, part))
    .join(':')
}

/** The words that the first braces of a word stand for. */
function expandBraces(word: Word, parts: readonly WordPart[]): readonly Word[] | null {
  const at = parts.findIndex(({ type }) => type === 'BraceExpansion')
  const part = parts[at]
  if (!part) return null
  const start = parts.slice(0, at).reduce((length, { text }) => length + text.length, 0)
  const alternatives = listBraces(part.text)
  if (alternatives.length === 0) return null
  if (alternatives.length * word.text.length > MAX_BRACE_CHARS) throw new TooMuch('braces')
  return alternatives.flatMap((each) => {
    const text = word.text.slice(0, start) + each + word.text.slice(start + part.text.length)
    const command = parse(`x ${text}`).commands[0]?.command
    const found = command?.type === 'Command' ? command.suffix[0] : null
    return found?.type === 'Word' ? [found] : []
  })
}

/** The alternatives of `{a,b}` and `{1..3}`. */
function listBraces(text: string): readonly string[] {
  const inner = text.slice(1, -1)
  const range = /^(-?\d+|[a-z])\.\.(-?\d+|[a-z])(?:\.\.-?\d+)?$/i.exec(inner)
  if (range) return listRange(range[1] ?? '', range[2] ?? '')
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const sign of inner) {
    if (sign === '{') depth += 1
    if (sign === '}') depth -= 1
    if (sign === ',' && depth === 0) {
      parts.push(part)
      part = ''
    } else part += sign
  }
  return parts.length === 0 ? [] : [...parts, part].slice(0, MAX_FIELDS)
}

function listRange(from: string, to: string): readonly string[] {
  const numbers = /\d/.test(from) && /\d/.test(to)
  const [start, end] = numbers ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)]
  const count = Math.min(Math.abs(end - start) + 1, MAX_FIELDS)
  const step = end < start ? -1 : 1
  const values = Array.from({ length: count }, (_, at) => start + at * step)
  return values.map((value) => (numbers ? String(value) : String.fromCharCode(value)))
}

function evaluateArithmetic(context: Context, expression: ArithmeticExpression | undefined): Value {
  const number = expression ? calculate(context, expression) : null
  return number === null ? toUnknownWord('((…))', { empty: false }) : toKnownWord(String(number))
}

function calculate(context: Context, node: ArithmeticExpression): number | null {
  if (node.type === 'ArithmeticWord') {
    if (/^\d+$/.test(node.value)) return Number(node.value)
    if (!/^\$?\w+$/.test(node.value)) return null
    const text = readWord(readVariable(context, node.value.replace('$', '')))
    return text !== null && /^-?\d+$/.test(text) ? Number(text) : null
  }
  if (node.type === 'ArithmeticGroup') return calculate(context, node.expression)
  if (node.type !== 'ArithmeticBinary') return null
  const left = calculate(context, node.left)
  const right = calculate(context, node.right)
  if (left === null || right === null) return null
  if (node.operator === '+') return left + right
  if (node.operator === '-') return left - right
  if (node.operator === '*') return left * right
  return null
}
