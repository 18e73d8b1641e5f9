import { statSync } from 'node:fs'
import { win32 } from 'node:path'
import { readVariable } from '../variables.ts'

/** Search for a program. */
export interface ProgramSearch {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
}

/** True if a path is a file. */
export type IsFile = (path: string) => boolean

/** Starts with a drive, or is a network path: nothing of the current folder or drive plays a part in it. */
const FULL = /^(?:[A-Za-z]:[\\/]|\\\\)/
const USUAL_ROOT = 'C:\\Windows'
/** Extensions that `cmd` adds to a name; `.ps1` is for PowerShell, and comes last. */
const USUAL_EXTENSIONS = '.COM;.EXE;.BAT;.CMD'

/** True if a path says all about where it leads. */
function isFullPath(path: string): boolean {
  return FULL.test(path)
}

/**
 * A program of the system, by its full path. Windows looks for a bare name in the current folder first, where a project may
 * have put a program of the same name.
 */
export function findSystemProgram(name: string, env: NodeJS.ProcessEnv = process.env): string {
  const root = readWindowsVariable(env, 'SystemRoot')
  return win32.join(root !== undefined && isFullPath(root) ? root : USUAL_ROOT, 'System32', name)
}

/** The program that reads batch files and commands: what ComSpec names, if it does so by a full path. */
export function findCommandInterpreter(env: NodeJS.ProcessEnv = process.env): string {
  const named = readWindowsVariable(env, 'ComSpec')
  return named !== undefined && isFullPath(named) ? named : findSystemProgram('cmd.exe', env)
}

/**
 * The file of a program: a path is taken from the current folder, a name from the folders of the search path, never from the
 * current folder, which Windows would look into first. Extensions are added as `cmd` does. Null when there is none.
 */
export function findProgram(name: string, { env, cwd }: ProgramSearch, isFile: IsFile = isFileOnDisk): string | null {
  const places = /[\\/:]/.test(name)
    ? [win32.resolve(cwd, name)]
    : listSearchFolders(env).map((at) => win32.join(at, name))
  const extensions = listExtensions(name, env)
  for (const place of places)
    for (const extension of extensions) if (isFile(place + extension)) return place + extension
  return null
}

/** The folders of the search path; those that depend on the current folder are left out. */
function listSearchFolders(env: NodeJS.ProcessEnv): string[] {
  const folders = (readWindowsVariable(env, 'Path') ?? '')
    .split(';')
    .map((folder) => folder.trim().replace(/^"(.*)"$/, '$1'))
  return folders.filter(isFullPath)
}

/** A name that has one of them is tried as it is first. */
function listExtensions(name: string, env: NodeJS.ProcessEnv): string[] {
  const known = (readWindowsVariable(env, 'PATHEXT') || USUAL_EXTENSIONS)
    .split(';')
    .filter((one) => one.startsWith('.'))
  const extensions = [...known.map((one) => one.toLowerCase()), '.ps1']
  const has = extensions.includes(win32.extname(name).toLowerCase())
  return has || win32.extname(name) !== '' ? ['', ...extensions] : [...extensions, '']
}

/** The file of a program as the shell of hooks finds it: Git Bash looks beside itself first. */
export function findInShell(name: string, env: NodeJS.ProcessEnv, isFile: IsFile = isFileOnDisk): string | null {
  const bash = findGitBash(process.env, isFile)
  const beside = bash === null ? null : findBeside(bash, name, isFile)
  return beside ?? findProgram(name, { env, cwd: process.cwd() }, isFile)
}

/** A program that comes with Git Bash; the shells in `bin` also set the search path for what they start. */
export function findBeside(bash: string, name: string, isFile: IsFile = isFileOnDisk): string | null {
  const root = win32.dirname(win32.dirname(bash))
  const file = win32.extname(name).toLowerCase() === '.exe' ? name : `${name}.exe`
  return ['bin', 'usr\\bin', 'mingw64\\bin'].map((folder) => win32.join(root, folder, file)).find(isFile) ?? null
}

/**
 * The bash of Git for Windows: the one that CLAUDE_CODE_GIT_BASH_PATH names, the one beside the `git` of the search path, or
 * the one in a usual place. Null when there is none, and when the variable names no file. A bare `bash` is never looked for:
 * that of the system runs Linux programs in another file system.
 */
export function findGitBash(env: NodeJS.ProcessEnv = process.env, isFile: IsFile = isFileOnDisk): string | null {
  const named = readWindowsVariable(env, 'CLAUDE_CODE_GIT_BASH_PATH')
  if (named) return isFullPath(named) && isFile(named) ? named : null
  const besideGit = listSearchFolders(env)
    .filter((folder) => isFile(win32.join(folder, 'git.exe')))
    .flatMap((folder) => [
      win32.join(folder, '..', 'bin', 'bash.exe'),
      win32.join(folder, '..', '..', 'bin', 'bash.exe'),
    ])
  const installed = [
    [readWindowsVariable(env, 'ProgramFiles'), 'Git'],
    [readWindowsVariable(env, 'ProgramFiles(x86)'), 'Git'],
    [readWindowsVariable(env, 'LocalAppData'), 'Programs\\Git'],
  ].flatMap(([root, folder = '']) => (root && isFullPath(root) ? [win32.join(root, folder, 'bin', 'bash.exe')] : []))
  return [...besideGit, ...installed].find(isFile) ?? null
}

/** The shells that may read the commands of hooks: the second does where the first is missing. */
export function listWindowsShells() {
  return {
    bash: { name: 'Git Bash', path: findGitBash() },
    cmd: { name: 'cmd', path: findCommandInterpreter() },
  }
}

/** PowerShell 7 where it is on the search path, else the one that comes with Windows. */
export function findPowerShell(search: ProgramSearch, isFile: IsFile = isFileOnDisk): string {
  return findProgram('pwsh.exe', search, isFile) ?? findSystemProgram('WindowsPowerShell\\v1.0\\powershell.exe')
}

function readWindowsVariable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return readVariable(env, name, { ignoresCase: true })
}

function isFileOnDisk(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
