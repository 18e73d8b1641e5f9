import { type KnownVariables, type ShellWord, type SimpleCommand, simpleCommands } from './shell-text.ts'

/** A program that a command is certain to start, and the script that it is given to run. */
export interface Invocation {
  /** Null for a script that the shell reads itself. */
  readonly program: ShellWord | null
  readonly script: ShellWord | null
}

/** What a shell does itself. */
const BUILTINS = new Set(
  `. : alias bg break builtin continue declare echo exit export false fg getopts jobs kill let local logout printf
  popd pwd read readonly return set shift shopt source suspend times trap true typeset ulimit umask unalias unset
  wait`.split(/\s+/),
)

/** After these nothing is certain any more: what follows may not run, or runs somewhere else. */
const UNCERTAIN = new Set(
  `! [ [[ { } case cd command coproc do done elif else esac eval fi for function hash if in pushd select test then time
  type until which while`.split(/\s+/),
)

/** Programs that run the program named behind them. */
const PASSING_ON = new Set(['exec', 'nohup', 'env'])

const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/

/** The programs that a shell text is certain to start. A program whose absence the text provides for is none of them. */
export function invocations(text: string, known: KnownVariables): Invocation[] {
  const found: Invocation[] = []
  for (const { words } of withoutFallback(simpleCommands(text, known))) {
    const start = words.findIndex(({ raw }) => !ASSIGNMENT.test(raw) && !PASSING_ON.has(raw))
    const [program, ...operands] = start < 0 ? [] : words.slice(start)
    const setsPath = words.slice(0, Math.max(0, start)).some(({ raw }) => raw.startsWith('PATH='))
    if (setsPath || (program && UNCERTAIN.has(program.raw))) break
    if (program) found.push(...invocationOf(program, operands))
  }
  return found
}

/** The program that is started with these arguments, and no shell between. */
export function directInvocation(line: readonly string[]): Invocation[] {
  const words = line.map((value): ShellWord => ({ value, raw: value, offset: 0, variables: [] }))
  const [program, ...operands] = words
  return program ? [{ program, script: scriptAmong(program, operands) }] : []
}

/** The commands up to the first list that has a `||` in it. */
function withoutFallback(commands: readonly SimpleCommand[]): readonly SimpleCommand[] {
  const fallback = commands.findIndex(({ operator }) => operator === '||')
  if (fallback < 0) return commands
  const before = commands.slice(0, fallback)
  return before.slice(0, before.findLastIndex(({ operator }) => /^(?:[;&]|\r?\n)$/.test(operator ?? '')) + 1)
}

function invocationOf(program: ShellWord, operands: SimpleCommand['words']): Invocation[] {
  if (program.raw === '.' || program.raw === 'source') {
    const script = operands[0]?.value?.includes('/') ? operands[0] : null
    return script ? [{ program: null, script }] : []
  }
  if (BUILTINS.has(program.raw) || program.raw.startsWith('-')) return []
  return [{ program, script: scriptAmong(program, operands) }]
}

/** Programs that run a script, and the options of theirs that take no operand. */
const INTERPRETERS: readonly (readonly [program: RegExp, options: RegExp])[] = [
  [/^(?:ba|da|z|k)?sh$/, /^-[eux]+$|^--(?:posix|norc|noprofile)?$/],
  [/^node$/, /^--(?:no-warnings|no-deprecation|enable-source-maps|experimental-strip-types|[\w-]+=.*)$/],
  [/^python[\d.]*$/, /^-[BEISOsu]+$/],
  [/^(?:ruby|perl)$/, /^-w$/],
  [/^(?:tsx|bun|php)$/, /^$/],
]

/** The file that an interpreter is given; null when there is none or its options are not understood. */
function scriptAmong({ value }: ShellWord, operands: SimpleCommand['words']): ShellWord | null {
  const name = value?.split('/').at(-1) ?? ''
  const [, options] = INTERPRETERS.find(([program]) => program.test(name)) ?? []
  const script = options && operands.find((word) => word.value === null || !options.test(word.value))
  if (!script?.value || script.value.startsWith('-')) return null
  const isFile = /\.\w+$/.test(script.value) || (/sh$|^python/.test(name) && script.value.includes('/'))
  return isFile ? script : null
}
