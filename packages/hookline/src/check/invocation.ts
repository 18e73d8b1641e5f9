import { type Assignment, type Command, forEachChild, type ParsedScript, type Statement, type SyntaxNode } from 'unbash'
import { type KnownVariables, parseShell, readShellWord, type ShellWord, toShellWords, walk } from './shell-words.ts'

/** A program that a command is certain to start, and the script that it is given to run. */
export interface Invocation {
  /** Null for a script that the shell reads itself. */
  readonly program: ShellWord | null
  readonly script: ShellWord | null
  /** True if the script, or the program where there is none, is given arguments. */
  readonly isGivenArguments: boolean
}

/** Commands that a shell does itself. */
const BUILTINS = new Set(
  `: alias bg break builtin continue declare echo exit export false fg getopts jobs kill let local logout printf
  popd pwd read readonly return set shift shopt suspend times trap true typeset ulimit umask unalias unset
  wait`.split(/\s+/),
)

/** After these nothing is certain any more: what follows may not run, or runs somewhere else. */
const UNCERTAIN = new Set('. [ cd command eval hash pushd source test type which'.split(' '))

/** Programs that run the program named behind them. */
const PASSING_ON = new Set(['exec', 'nohup', 'env'])

const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/

/** The programs that a shell text is certain to start. A program whose absence the text provides for is none of them. */
export function listInvocations(text: string, known: KnownVariables): Invocation[] {
  const found: Invocation[] = []
  for (const command of listCertainCommands(parseShell(text)?.commands ?? [])) {
    const words = [command.name, ...command.args]
      .filter((node) => node !== undefined)
      .flatMap((node) => (node.type === 'Word' ? toShellWords(node, known) : [toAssignmentWord(node)]))
    const start = words.findIndex(({ raw }) => !ASSIGNMENT.test(raw) && !PASSING_ON.has(raw))
    const [program, ...operands] = start < 0 ? [] : words.slice(start)
    if (program) found.push(...makeInvocations(program, operands))
    if (program && UNCERTAIN.has(program.raw)) break
  }
  return found
}

/**
 * The simple commands that run one after the other, up to the first construct that only a shell can follow, the first
 * substitution, the first list with a `||` in it, and the first new value of PATH.
 */
function listCertainCommands(statements: readonly Statement[]): Command[] {
  const commands: Command[] = []
  for (const node of statements.flatMap(({ command }) => listInTurn(command))) {
    if (node.type !== 'Command' || isSettingPath(node)) break
    commands.push(node)
    if (hasSubstitution(node)) break
  }
  return commands
}

/** The parts of a list or a pipeline; itself when nothing about them is certain. */
function listInTurn(node: Statement['command']): Statement['command'][] {
  if (node.type === 'AndOr' && !node.operators.includes('||')) return node.commands.flatMap(listInTurn)
  if (node.type === 'Pipeline' && node.prefixes.length === 0) return [...node.commands]
  return [node]
}

function isSettingPath({ prefix, args }: Command): boolean {
  return [...prefix, ...args].some((each) => 'text' in each && each.text.startsWith('PATH='))
}

function hasSubstitution(node: SyntaxNode): boolean {
  if (node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') return true
  let found = false
  forEachChild(node, (child) => {
    found ||= hasSubstitution(child)
  })
  return found
}

function toAssignmentWord({ text, pos }: Assignment): ShellWord {
  return { value: null, raw: text, offset: pos, variables: [] }
}

/** The program that is started with these arguments, and no shell between. */
export function readDirectInvocation(line: readonly string[]): Invocation[] {
  const [program, ...operands] = toDirectWords(line)
  return program ? [makeInvocation(program, operands)] : []
}

function makeInvocation(program: ShellWord, operands: readonly ShellWord[]): Invocation {
  const script = findScriptAmong(program, operands)
  return { program, script, isGivenArguments: operands.at(-1) !== (script ?? undefined) }
}

/** Words that no shell reads. */
export function toDirectWords(line: readonly string[]): ShellWord[] {
  return line.map((value) => ({ value, raw: value, offset: 0, variables: [] }))
}

function makeInvocations(program: ShellWord, operands: readonly ShellWord[]): Invocation[] {
  if (program.raw === '.' || program.raw === 'source') {
    const script = operands[0]?.value?.includes('/') ? operands[0] : null
    return script ? [{ program: null, script, isGivenArguments: operands.length > 1 }] : []
  }
  if (BUILTINS.has(program.raw) || UNCERTAIN.has(program.raw) || program.raw.startsWith('-')) return []
  return [makeInvocation(program, operands)]
}

/** A program without the folder that it is in. */
export function nameProgram(program: string | null): string {
  return program?.split('/').at(-1) ?? ''
}

/** The names of shells. */
export const SHELL = /^(?:ba|da|z|k)?sh$/

/** Programs that run a script, and the options of theirs that take no operand. */
const INTERPRETERS: readonly (readonly [program: RegExp, options: RegExp])[] = [
  [SHELL, /^-[eux]+$|^--(?:posix|norc|noprofile)?$/],
  [/^node$/, /^--(?:no-warnings|no-deprecation|enable-source-maps|experimental-strip-types|[\w-]+=.*)$/],
  [/^python[\d.]*$/, /^-[BEISOsu]+$/],
  [/^(?:ruby|perl)$/, /^-w$/],
  [/^(?:tsx|bun|php)$/, /^$/],
]

/** The words of a shell text that name a script from the current folder, however deep they are nested; none after a `cd`. */
export function findRelativeScripts(script: ParsedScript): ShellWord[] {
  const commands: Command[] = []
  walk(script, (node) => {
    if (node.type === 'Command') commands.push(node)
  })
  if (commands.some(({ name }) => name?.text === 'cd' || name?.text === 'pushd')) return []
  return commands.flatMap(({ name, args }) => {
    const words = [name, ...args].filter((node) => node?.type === 'Word').map((node) => readShellWord(node, {}))
    const [program, ...operands] = words.slice(words.findIndex(({ raw }) => !PASSING_ON.has(raw)))
    return program ? findRelativeAmong(program, operands) : []
  })
}

/** The words among a program and its operands that name a script from the current folder. */
export function findRelativeAmong(program: ShellWord, operands: readonly ShellWord[]): ShellWord[] {
  const script = findScriptAmong(program, operands)
  const runsOthers = !LOOKS_AT_TEXT.test(nameProgram(program.value))
  return [program, ...operands].filter((word) => {
    if (word.value === null || ELSEWHERE.test(word.value) || isDrivePath(word.value)) return false
    if (word === program) return word.value.includes('/')
    return word === script || (runsOthers && SCRIPT_OF_PROJECT.test(word.value))
  })
}

/** Programs that take such a path for a pattern or for a text, and run nothing. */
const LOOKS_AT_TEXT = /^(?:\[|test|echo|printf|[efr]?grep|rg|sed|awk|jq|git|find)$/

/** Script that a runner is given which is not known here: `uv run .claude/hooks/x.py`. */
const SCRIPT_OF_PROJECT = /^(?:\.\/)?\.claude\/.*\.\w+$/

/** True for a path of Windows with its drive, which is absolute. */
export const isDrivePath = (path: string): boolean => /^[A-Za-z]:[\\/]/.test(path)

/** A path that begins at a place of its own: the root, a home, or what a template is still to be filled in with. */
const ELSEWHERE = /^(?:[/~<%@$]|\{\{|__\w+__)/

/** The file that an interpreter is given; null when there is none or its options are not understood. */
function findScriptAmong({ value }: ShellWord, operands: readonly ShellWord[]): ShellWord | null {
  const name = nameProgram(value)
  const [, options] = INTERPRETERS.find(([program]) => program.test(name)) ?? []
  const script = options && operands.find((word) => word.value === null || !options.test(word.value))
  if (!script?.value || script.value.startsWith('-')) return null
  const isFile =
    script.isSplit || /\.\w+$/.test(script.value) || (/sh$|^python/.test(name) && script.value.includes('/'))
  return isFile ? script : null
}
