import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { type Enclosure, readText } from '../files/read.ts'
import { readVariable } from './variables.ts'

/** The shell's exit codes for a program that cannot be started; the last is that of `cmd`. */
const NOT_STARTED: ReadonlySet<number> = new Set([126, 127, 9009])

/** Patterns by which shells and `env` name what they could not start. */
const COMPLAINTS = [
  /: (?:line )?\d+: (?<program>.+?): (?:command )?not found\s*$/m,
  /: (?:line )?\d+: (?<program>.+?): (?:No such file or directory|Permission denied|cannot execute|Is a directory|bad interpreter)/m,
  /^\S*\bsh: (?<program>[^:\n]+): (?:No such file or directory|command not found|Permission denied|Is a directory|cannot execute)/m,
  /env: [‘'](?<program>.+?)[’']: (?:No such file or directory|Permission denied)/s,
  /^'(?<program>.+?)' is not recognized as an internal or external command/m,
]
const IS_WINDOWS = process.platform === 'win32'

/** Exit codes by which a shell says that it could not read its text at all, or start what stands there. */
const NOT_RUN: ReadonlySet<number> = new Set([2, ...NOT_STARTED])

/**
 * The words of the shell that reads a command, by its own name: the scripts that it starts, and the shells inside of them, begin
 * their lines with theirs.
 */
const OWN_WORDS =
  /^(?:(?:\/usr)?\/bin\/(?:ba|da)?sh: (?:-c: )?(?:(?:line )?\d+: )?(?<words>.*(?:not found|No such file or directory|Permission denied|cannot execute\b.*|Is a directory|bad interpreter|Exec format error|[Ss]yntax error\b.*|unexpected EOF\b.*|[Cc]an(?:no|')t open .*))|(?<cmd>'.+?' is not recognized as an internal or external command))/m

/** Place in which a program was looked for. */
interface LaunchSearch {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Folder that the file must lie in to be opened; null: nothing. */
  readonly inside?: Enclosure | null
}

/** The words of programs that do nothing but start another one. */
const PASSED_ON =
  /^(?<by>env|ionice|nice|nohup|setsid|stdbuf|timeout): .*: (?:No such file or directory|Permission denied)\s*$/m

/**
 * Words by which the shell that reads a command, or a program in it that only starts another one, said that nothing could be
 * started; null: it was, or there are no such words. A script that is started and ends with 126 or 127 by itself says it in its
 * own name.
 */
export function findShellRefusal(command: string, { code, stderr }: { code: number; stderr: string }): string | null {
  if (!NOT_RUN.has(code)) return null
  const own = OWN_WORDS.exec(stderr)?.groups
  const [words, by] = PASSED_ON.exec(stderr) ?? []
  const isInCommand = by !== undefined && command.split(/[^\w.-]+/).includes(by)
  return own?.words ?? own?.cmd ?? (isInCommand && code !== 2 ? (words ?? null) : null)
}

/** Reason why a shell did not start what it was asked to, as far as its own words and a look at the file tell. */
export async function explainShellFailure(code: number, stderr: string, seen: LaunchSearch): Promise<string | null> {
  if (!NOT_STARTED.has(code)) return null
  const program = COMPLAINTS.map((complaint) => complaint.exec(stderr)?.groups?.program).find(Boolean)
  return program === undefined ? null : explainProgramFailure(program, seen)
}

/** Reason why a program does not start. */
export async function explainProgramFailure(
  program: string,
  { cwd, env, inside = null }: LaunchSearch,
): Promise<string | null> {
  const [, interpreter] = /^(.*)(?:\r|\\r)$/s.exec(program) ?? []
  if (interpreter) return `a script's first line ends in CRLF, so ${interpreter} is not found: save it with LF`
  if (!(IS_WINDOWS ? /[\\/]/ : /\//).test(program))
    return (await isOnPath(program, env)) ? null : describeNotOnPath(program)
  const path = isAbsolute(program) ? program : resolve(cwd, program)
  const stats = await stat(path).catch(() => null) // not there
  if (!stats) return `${program} does not exist, seen from ${cwd}`
  if (stats.isDirectory()) return `${program} is a folder`
  if (!stats.isFile()) return `${program} is not a regular file`
  if (!(await isExecutable(path))) return `${program} is not executable: chmod +x it`
  const content = await readText(path, { inside })
  if (content.read !== 'text') return null
  return findShebangFault(program, content.text.split('\n', 1)[0] ?? '', env)
}

const describeNotOnPath = (program: string): string => `there is no program ${program} on PATH`

/** True if a program is found by its name. On Windows, Git Bash has some of its own besides. */
async function isOnPath(program: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  if (IS_WINDOWS) {
    const { findInShell } = await import('./windows/programs.ts')
    return findInShell(program, env) !== null
  }
  const folders = (readVariable(env, 'PATH') ?? '').split(delimiter)
  return (await Promise.all(folders.map((folder) => isExecutable(join(folder, program))))).includes(true)
}

/** Scripts that a shell cannot read, by their names. */
const OTHER_LANGUAGE = /\.(?:py|[cm]?[jt]s|rb|pl|php)$/

async function findShebangFault(program: string, line: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  if (line.startsWith('\ufeff#!'))
    return `${program} has a byte order mark before #!, so its interpreter is not found: save it without`
  if (!line.startsWith('#!')) return OTHER_LANGUAGE.test(program) ? `${program} has no #! line, so sh reads it` : null
  if (line.endsWith('\r')) return `${program} has CRLF line endings, so its interpreter is not found: save it with LF`
  const [interpreter = '', ...words] = line.slice(2).trim().split(/\s+/)
  if (!IS_WINDOWS && !(await isExecutable(interpreter)))
    return `the interpreter ${interpreter} of ${program} does not exist`
  const looked = interpreter.endsWith('/env') ? words.find((word) => !/^-|=/.test(word)) : undefined
  if (looked === undefined || (await isOnPath(looked, env))) return null
  return `the interpreter ${looked} of ${program} is not on PATH`
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
