import { win32 } from 'node:path'
import {
  findBeside,
  findCommandInterpreter,
  findGitBash,
  findPowerShell,
  findProgram,
  type IsFile,
} from './programs.ts'

/** Program to start: as on other systems, `/bin/sh -c TEXT` stands for a text that a shell reads. */
export interface ProgramRequest {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

/** Command line for Windows. */
export interface WindowsLine {
  /** A full path. */
  readonly file: string
  readonly args: readonly string[]
  /** The arguments are the command line as it is; otherwise each is quoted for the program. */
  readonly verbatim: boolean
}

/** Facts about the machine; tests have another one. */
export interface Machine {
  readonly gitBash: string | null
  readonly env?: NodeJS.ProcessEnv
  readonly isFile?: IsFile
}

/** The longest command line that `cmd` reads. */
const MAX_CMD_CHARS = 8191
/** Signs of a text that is written for a POSIX shell: `cmd` would run something else, and a guard would be open. */
const FOR_POSIX_SHELL: readonly (readonly [RegExp, string])[] = [
  [/\$\{?(?:CLAUDE_\w+|HOME|PWD)\b/, 'a variable written as $NAME'],
  [/\.sh(?![\w.-])/, 'a .sh file'],
  [/\/dev\/(?:null|stdin|stdout|stderr)\b/, 'a file below /dev'],
  [/(?:^|\s)~\//, 'a path that starts with ~/'],
  [/[\r\n]/, 'several lines'],
]
/** The same outside of double quotes. */
const FOR_POSIX_SHELL_UNQUOTED: readonly (readonly [RegExp, string])[] = [
  [/(?:^|[\s=])'[^']*'(?=[\s;|&]|$)/, 'words in single quotes'],
  [/;(?:\s|$)/, 'commands that are parted by a semicolon'],
  [/\$\(|`/, 'a command whose output is put into another'],
]
const GET_GIT_BASH = 'install Git for Windows, or name its bash.exe in CLAUDE_CODE_GIT_BASH_PATH'

/** Makes the command line of something that is started on Windows. Throws an Error whose message is a sentence, or ENOENT, when it cannot be. */
export function makeWindowsLine(asked: ProgramRequest, machine: Machine = { gitBash: findGitBash() }): WindowsLine {
  const { file, args } = asked
  const [flag, text] = args
  if (file === '/bin/sh' && flag === '-c' && text !== undefined && args.length === 2)
    return makeShellLine(text, asked, machine)
  if (/^bash(?:\.exe)?$/i.test(file)) return quoteForMsys(requireGitBash(machine), args)
  if (/^(?:pwsh|powershell)(?:\.exe)?$/i.test(file))
    return { file: findPowerShell(asked, machine.isFile), args, verbatim: false }
  const found = findProgram(file, asked, machine.isFile)
  if (found !== null) return makeProgramLine(found, asked, machine)
  const beside = findBesideBash(file, machine)
  if (beside === null) throw Object.assign(new Error(`spawn ${file} ENOENT`), { code: 'ENOENT' })
  return quoteForMsys(beside, args)
}

/**
 * The programs of Git Bash read single quotes, `*` and `@` in a command line that comes from Windows. Between double quotes
 * they do not, and Node sets these only around words with a space.
 */
function quoteForMsys(file: string, args: readonly string[]): WindowsLine {
  const quoted = args.map((one) => `"${one.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`)
  return { file, args: quoted, verbatim: true }
}

/** Chooses the shell that reads the commands of hooks here, with the reason why it cannot read this one; null when it can. */
export function chooseShell(
  text: string,
  at: Pick<ProgramRequest, 'cwd' | 'env'>,
): { readonly shell: 'bash' | 'cmd'; readonly fault: string | null } {
  const gitBash = findGitBash()
  return { shell: gitBash === null ? 'cmd' : 'bash', fault: findShellFault(text, at, gitBash) }
}

function findShellFault(
  text: string,
  { cwd, env }: Pick<ProgramRequest, 'cwd' | 'env'>,
  gitBash: string | null,
): string | null {
  if (gitBash !== null) return null
  const read = removePowerShell(text.replaceAll(PLUGIN_ROOT, ''))
  const unquoted = read.replaceAll(/"[^"]*"/g, '""')
  const found =
    FOR_POSIX_SHELL.find(([pattern]) => pattern.test(read)) ??
    FOR_POSIX_SHELL_UNQUOTED.find(([pattern]) => pattern.test(unquoted))
  const sign = found?.[1]
  if (sign !== undefined) return `the command needs Git Bash, since it has ${sign}: ${GET_GIT_BASH}`
  if (env.CLAUDE_CODE_SHELL_PREFIX) return `CLAUDE_CODE_SHELL_PREFIX needs Git Bash: ${GET_GIT_BASH}`
  if (cwd.startsWith('\\\\') && !cwd.startsWith('\\\\?\\'))
    return `cmd cannot work in the network folder ${cwd}: ${GET_GIT_BASH}`
  if (text.length > MAX_CMD_CHARS - 100)
    return `the command is too long for cmd, which reads ${MAX_CMD_CHARS} characters: ${GET_GIT_BASH}`
  return null
}

/** PowerShell, too, has names with a dollar and words in single quotes: what it is given is not looked at. */
function removePowerShell(text: string): string {
  return text.replace(/\b(?:powershell|pwsh)(?:\.exe)?\b.*/is, '')
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings write it
const PLUGIN_ROOT = '${CLAUDE_PLUGIN_ROOT}'
/** A folder of any other name could become a part of the command. */
const HARMLESS_FOLDER = /^[\w.\\/ @+=:,~-]*$/

function makeShellLine(text: string, asked: ProgramRequest, { gitBash, env }: Machine): WindowsLine {
  const fault = findShellFault(text, asked, gitBash)
  if (fault !== null) throw new Error(fault)
  const root = asked.env.CLAUDE_PLUGIN_ROOT
  const isHarmless = root !== undefined && HARMLESS_FOLDER.test(root)
  if (gitBash !== null) {
    const read = isHarmless ? text.replaceAll(PLUGIN_ROOT, () => root.replaceAll('\\', '/')) : text // else bash reads a variable
    return quoteForMsys(gitBash, ['-c', read])
  }
  if (root !== undefined && !isHarmless && text.includes(PLUGIN_ROOT))
    throw new Error(
      `cmd cannot be given the folder of the plugin, since there is more than letters in ${root}: ${GET_GIT_BASH}`,
    )
  const read = isHarmless ? text.replaceAll(PLUGIN_ROOT, () => root) : text
  return { file: findCommandInterpreter(env), args: ['/d', '/s', '/c', `"${read}"`], verbatim: true }
}

/** `sh`, `cat` and others come with Git Bash, which does not put them on the search path. */
function findBesideBash(name: string, { gitBash, isFile }: Machine): string | null {
  return gitBash === null || /[\\/:]/.test(name) ? null : findBeside(gitBash, name, isFile)
}

/** Windows starts `.exe` and `.com` itself; batch files and scripts need the program that reads them. */
function makeProgramLine(file: string, { args, ...search }: ProgramRequest, machine: Machine): WindowsLine {
  switch (win32.extname(file).toLowerCase()) {
    case '.bat':
    case '.cmd':
      return makeBatchLine(file, args, machine)
    case '.ps1': {
      const flags = ['-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File', file]
      return { file: findPowerShell(search, machine.isFile), args: [...flags, ...args], verbatim: false }
    }
    case '.sh':
      return quoteForMsys(requireGitBash(machine), [file, ...args])
    default:
      return { file, args, verbatim: false }
  }
}

/** Character that ends a quoted word in a batch file, or is replaced inside of it: no way of writing it holds for every batch file. */
const NOT_IN_BATCH = /["%\r\n]/

/**
 * A batch file reads its arguments as text twice. Between quotes nothing has a meaning but what is refused here, so no
 * argument can become a command.
 */
function makeBatchLine(file: string, args: readonly string[], { env }: Machine): WindowsLine {
  const odd = [file, ...args].find((one) => NOT_IN_BATCH.test(one))
  if (odd !== undefined)
    throw new Error(
      `a batch file cannot be given ${JSON.stringify(odd)}: it has a quote, a percent sign or a line break in it`,
    )
  const words = [file, ...args].map((one) => `"${one.replace(/\\+$/, '$&$&')}"`)
  const line = `"${words.join(' ')}"`
  if (line.length > MAX_CMD_CHARS - 100)
    throw new Error(`the arguments are too long for a batch file, which gets ${MAX_CMD_CHARS} characters`)
  return { file: findCommandInterpreter(env), args: ['/d', '/s', '/c', line], verbatim: true }
}

function requireGitBash({ gitBash }: Machine): string {
  if (gitBash === null) throw new Error(`there is no Git Bash: ${GET_GIT_BASH}`)
  return gitBash
}
