import { basename, extname } from 'node:path'
import { MAKES_FILES, RUN_FROM, START_FILE } from '../programs/code-carriers.ts'
import { READS_FILES } from '../programs/command-table.ts'
import type { ShellCommand, Word } from './shell-commands.ts'

/** Commands whose last word is what they make; the words before it are there already. */
const MAKES_LAST = new Set(['cp', 'mv', 'ln', 'install', 'scp', 'rsync'])

/** True if a script runs a file that it may have made itself: what is in it is not seen. */
export function isRunningMadeFiles(commands: readonly ShellCommand[], writes: readonly Word[]): boolean {
  const made = [...writes, ...commands.flatMap(findMadeFiles)]
  if (made.length === 0) return false
  if (commands.some(isChangingPath)) return true
  const settings = made.filter(({ value }) => RUN_FROM.test(value))
  if (
    settings.some(({ value }) =>
      commands.some(({ words: [name] }) => name && isReadingSettings(basename(name.value), value)),
    )
  )
    return true
  const names = new Set(made.flatMap(({ value }) => listRunNames(value)))
  const isUnclear = made.some(({ literal }) => !literal)
  return commands.some((command) => isRunningMadeFile(command, names, isUnclear))
}

/** Programs that run nothing of the files they are given, and yet these. */
const SETTINGS_OF: readonly (readonly [program: RegExp, file: RegExp])[] = [
  [/^git$|^gh$/, /\.git|\.husky|\.githooks|pre-commit/],
  [/^docker$|^podman$/, /Dockerfile|compose\.ya?ml$/],
  [/^pip3?$/, /\.py$|\.toml$/],
  [/^psql$|^sqlite3$|^mysql$|^less$|^more$/, /rc$|lesskey$/],
]

/** True if a program may run what stands in a file that programs are set up by. */
function isReadingSettings(program: string, file: string): boolean {
  if (!READS_FILES.has(program)) return true
  return SETTINGS_OF.some(([name, files]) => name.test(program) && files.test(file))
}

/** Files that a command makes: for a copy the last word and what it is called there. */
function findMadeFiles({ words: [name, ...rest] }: ShellCommand): Word[] {
  const program = basename(name?.value ?? '')
  if (!MAKES_FILES.has(program)) return []
  const operands = rest.filter(({ value }) => !value.startsWith('-'))
  const target = operands.at(-1)
  const isFolder = !target?.literal || operands.length !== 2 || /(?:^|\/)\.{0,2}$/.test(target.value)
  if (!MAKES_LAST.has(program) || isFolder) return rest
  return [target]
}

/** Programs whose words may be files that they write, where nothing else says which is one. */
const WRITES_ANY = new Set(['tee', 'dd', 'truncate', 'patch', 'curl', 'wget', 'tar', 'bsdtar', 'unzip', 'cpio'])

/** True if a script writes a file that programs run from by themselves, later and unasked. */
export function isWritingStartFile(commands: readonly ShellCommand[], writes: readonly Word[]): boolean {
  const written = [...writes, ...commands.flatMap(findWrittenFiles)]
  return written.some(({ value }) => START_FILE.test(value.replace(/^-{0,2}[\w-]*=/, '')))
}

/** Files that a command writes, as far as its words tell. */
function findWrittenFiles(command: ShellCommand): readonly Word[] {
  const [name, ...rest] = command.words
  const program = basename(name?.value ?? '')
  const isSaid = (pattern: RegExp): boolean => rest.some(({ value }) => pattern.test(value))
  if (MAKES_LAST.has(program)) return findMadeFiles(command)
  if (/^g?sed$/.test(program)) return isSaid(/^-[a-zA-Z]*i|^--in-place/) ? rest : []
  if (program === 'git') return isSaid(/^(?:apply|am)$/) ? rest : []
  if (program === 'find') return isSaid(/^-f(?:print|ls)/) ? rest : []
  if (/^(?:bsd)?tar$/.test(program) && isSaid(/^-?[a-zA-Z]*[ctr](?![a-z-]{4})|^--(?:create|list|append)/)) return []
  return WRITES_ANY.has(program) ? rest : []
}

function isChangingPath({ assignments, words }: ShellCommand): boolean {
  return [...assignments, ...words].some(({ value }) => /^PATH\+?=/.test(value))
}

/** Files that programs are named after without their end, as in `python -m x` and `node x`. */
const CODE_FILE_ENDING = /^\.(?:py|[cm]?[jt]sx?|rb|pl|pm|lua|php|sh|R|jl|exs?|class|jar)$/

/** The names by which a file may be run. */
function listRunNames(path: string): string[] {
  const name = basename(path)
  const end = extname(name)
  return (CODE_FILE_ENDING.test(end) ? [name, basename(name, end)] : [name]).filter((each) => each !== '')
}

/** True if a command runs, or hands to a program that may run it, one of the files. */
function isRunningMadeFile(
  { words, assignments }: ShellCommand,
  names: ReadonlySet<string>,
  isUnclear: boolean,
): boolean {
  const [name, ...rest] = words
  if (!name) return false
  const isProgram = name.value.includes('/') && !/^(?:\/usr(?:\/local)?)?\/s?bin\//.test(name.value)
  if (isProgram && (isUnclear || names.has(basename(name.value)))) return true
  if (READS_FILES.has(basename(name.value))) return false
  return [...assignments, ...rest].some(({ value }) => {
    const parts = [...value.split(/[=,:]/), value.replace(/^-\w/, '')]
    return parts.some((part) => names.has(basename(part)))
  })
}
