import { closeSync, openSync, readSync, realpathSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { statOrUndefined } from '../../files/read.ts'
import type { ProcessSpec } from '../launched.ts'

/** The interpreters that can wait at their beginning. */
export type InterpreterName = 'node' | 'python'

/** A process that is plainly an interpreter with a file. */
export interface PlainCommand {
  readonly interpreter: InterpreterName
  /** Path of the interpreter. */
  readonly program: string
  /** The file that it runs. */
  readonly script: string
  /** The script names its interpreter in its first line. */
  readonly byFirstLine: boolean
}

/** Names of programs of each, and of their files once links are followed: a version manager's is not. */
const INTERPRETER_NAMES: Readonly<Record<InterpreterName, { readonly said: RegExp; readonly real: RegExp }>> = {
  node: { said: /^node(?:js)?$/, real: /^node(?:js)?(?:-?\d+)?$/ },
  python: { said: /^python3?(?:\.\d+)?$/, real: /^python3?(?:\.\d+)?$/ },
}
/** A first line without options for the interpreter. */
const FIRST_LINE = /^#! ?(?:\/usr\/bin\/env (?<found>[\w.]+)|(?<path>\/[\w./+-]+))\n/
const ELF = '\x7fELF'
/** Text that means the same to a shell and to us, and needs no quotes. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/
const SHELL_VARIABLE = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/

/** Says of a process that it is plainly `node FILE …` or `python3 FILE …`, also by the first line of FILE; else null. */
export function readPlainCommand({ file, args, cwd, env }: ProcessSpec): PlainCommand | null {
  const [flag, text] = args
  const isShell = file === '/bin/sh' && flag === '-c' && args.length === 2 && text !== undefined
  const words = isShell ? readPlainWords(text, env) : [file, ...args]
  const [first, second] = words ?? []
  if (first === undefined || first === '') return null
  const interpreter = findInterpreter(basename(first))
  if (interpreter === null) return readByFirstLine(first, cwd, env)
  if (second === undefined || second === '' || second.startsWith('-')) return null
  const program = first.includes('/') ? resolve(cwd, first) : findOnPath(first, cwd, env)
  const script = resolve(cwd, second)
  return program !== null && isFile(script) ? { interpreter, program, script, byFirstLine: false } : null
}

/** True if the file of an interpreter is that program itself, and not something else that starts it. */
export function isInterpreter({ interpreter, program }: PlainCommand): boolean {
  try {
    const path = realpathSync(program)
    return INTERPRETER_NAMES[interpreter].real.test(basename(path)) && readBeginning(path) === ELF
  } catch {
    return false // the file is gone, or cannot be read
  }
}

function readByFirstLine(word: string, cwd: string, env: NodeJS.ProcessEnv): PlainCommand | null {
  if (!word.includes('/')) return null
  const script = resolve(cwd, word)
  if (!isFile(script, 0o111)) return null
  const { found, path } = FIRST_LINE.exec(readBeginning(script, 128))?.groups ?? {}
  const interpreter = findInterpreter(basename(found ?? path ?? ''))
  const program = found === undefined ? path : findOnPath(found, cwd, env)
  if (interpreter === null || program === undefined || program === null) return null
  return { interpreter, program, script, byFirstLine: true }
}

function findInterpreter(name: string): InterpreterName | null {
  for (const one of ['node', 'python'] as const) if (INTERPRETER_NAMES[one].said.test(name)) return one
  return null
}

/** Finds a program as the system does. */
function findOnPath(name: string, cwd: string, { PATH = '' }: NodeJS.ProcessEnv): string | null {
  for (const folder of PATH.split(':')) {
    const path = resolve(cwd, folder, name)
    if (isFile(path, 0o111)) return path
  }
  return null
}

function isFile(path: string, bits = 0): boolean {
  const stats = statOrUndefined(path)
  return stats?.isFile() === true && (bits === 0 || (stats.mode & bits) !== 0)
}

function readBeginning(path: string, length = ELF.length): string {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, 'r')
    const bytes = Buffer.alloc(length)
    return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, length, 0))
  } catch {
    return '' // the file cannot be read
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/**
 * The words of a command as any shell reads it; null for one that is more than a program with plain arguments: operators,
 * assignments, patterns, substitutions, escapes, or variables whose values a shell would split.
 */
export function readPlainWords(text: string, env: NodeJS.ProcessEnv): string[] | null {
  const words: string[] = []
  let word: string | undefined
  let at = 0
  const add = (part: string): void => {
    word = (word ?? '') + part
  }
  const readVariable = (): string | undefined => {
    const [whole = '', bare, braced] = SHELL_VARIABLE.exec(text.slice(at)) ?? []
    at += whole.length
    return whole === '' ? undefined : env[bare ?? braced ?? '']
  }
  while (at < text.length) {
    const char = text[at] ?? ''
    if (char === ' ' || char === '\t') {
      if (word !== undefined) words.push(word)
      word = undefined
      at++
    } else if (char === "'") {
      const end = text.indexOf("'", at + 1)
      if (end < 0) return null
      add(text.slice(at + 1, end))
      at = end + 1
    } else if (char === '"') {
      add('')
      for (at++; text[at] !== '"'; ) {
        const inner = text[at]
        if (inner === undefined || inner === '`' || inner === '\\') return null
        const value = inner === '$' ? readVariable() : inner
        if (value === undefined) return null
        if (inner !== '$') at++
        add(value)
      }
      at++
    } else if (char === '$') {
      const value = readVariable()
      if (value === undefined || !PLAIN_WORD.test(value)) return null
      add(value)
    } else if (char === '~' && word === undefined && /^~(?:\/|$|[ \t])/.test(text.slice(at, at + 2)) && env.HOME) {
      add(env.HOME)
      at++
    } else if (PLAIN_WORD.test(char)) {
      add(char)
      at++
    } else return null
  }
  if (word !== undefined) words.push(word)
  return words[0]?.includes('=') ? null : words
}
