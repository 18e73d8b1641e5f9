import { basename } from 'node:path'
import { CODE_VARIABLES, COMMAND_VARIABLES, OPTION_VARIABLES } from '../programs/code-carriers.ts'
import { INTERPRETERS, type Interpreter, OPAQUE, type Opaque } from '../programs/code-programs.ts'
import {
  GIT_RUNS,
  GIT_SETTINGS,
  LAUNCHERS,
  SHELLS,
  STARTS_NO_WORDS,
  TAKES_PROGRAM,
  TAKES_WORDS,
  TEXT_LETTERS,
  TEXT_OPTIONS,
  WITH_SUBCOMMANDS,
  WRAPPERS,
  type Wrapper,
} from '../programs/command-table.ts'
import { shareRow } from '../programs/share-row.ts'
import { findOwn } from '../text/table.ts'
import { isHarmlessAwk, isHarmlessSed } from './filter-programs.ts'
import { isHandingProgram, isUsualPath } from './handed-programs.ts'
import { isRunningMadeFiles, isWritingStartFile } from './made-files.ts'
import { joinWords, parseShellCommands, type ShellCommand, type Word } from './shell-commands.ts'

/** A command that a script may come to run. */
export interface ReachedCommand {
  readonly words: readonly Word[]
  /** False: these words may as well be arguments. */
  readonly certain: boolean
  /** A well-known program is only asked what it can do. */
  readonly onlyHelps?: boolean
}

/** Commands that a script may come to run, also by way of other commands. */
export interface ReachedCommands {
  readonly commands: readonly ReachedCommand[]
  /** True if something is run that the text does not show. */
  readonly more: boolean
}

const FIND_RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir'])

/** Scripts in scripts are followed this far. */
const MAX_COMMAND_DEPTH = 6

/** Arguments beyond these are not looked into. */
const MAX_ARGUMENTS = 200

/** Way to a command. */
interface Way {
  readonly depth: number
  /** True for a guess that these words are a command at all: what they run in turn is looked at, no further guess is made. */
  readonly guessed: boolean
  /** True for words that are any words of another command: they count where they show code, not where they could read some. */
  readonly needsProof?: boolean
  /** True if something is written to its stdin. */
  readonly fed?: boolean
  /** The text that it is, where the script shows it. */
  readonly input?: string | null
}

/** Every command that a script may come to run, as far as its text tells. */
export function findReachedCommands(script: string, way: Way = { depth: 0, guessed: false }): ReachedCommands {
  if (way.depth > MAX_COMMAND_DEPTH) return UNSEEN
  const { commands, whole, evaluates, writes } = parseShellCommands(script, {
    nested: way.depth > 0,
    fed: way.fed === true,
  })
  const found = commands.map((command) => reachFromCommand(command, way))
  const isLater = isRunningMadeFiles(commands, writes) || isWritingStartFile(commands, writes)
  return mergeReached([{ commands: [], more: !whole || evaluates || isLater }, ...found])
}

function reachFromCommand({ assignments, words, fed, input }: ShellCommand, way: Way): ReachedCommands {
  const withAssignments: ReachedCommands =
    assignments.length === 0 || words.length === 0 ? NO_COMMANDS : makeCertain([...assignments, ...words])
  const settings = [...assignments, ...words.slice(1)].map((word) => reachInSetting(word, way))
  const exported = EXPORTS.has(words[0]?.value ?? '') ? words.filter(isAssignment) : []
  const handed = words.length === 0 ? [] : [...assignments, ...exported].map((word) => reachInVariable(word, way))
  const setsPath = READS_NAMES.has(words[0]?.value ?? '') && words.some(({ value }) => value === 'PATH')
  const followed = followCommand(words, { ...way, fed, input })
  return mergeReached([withAssignments, followed, ...settings, ...handed, setsPath ? UNSEEN : NO_COMMANDS])
}

const EXPORTS = new Set(['export', 'declare', 'typeset'])

/** Builtins that give a value to a variable by its name. */
const READS_NAMES = new Set(['read', 'printf', 'mapfile', 'readarray', 'getopts'])

/** Any variable may be run by the program that is given it, as `make` runs `$(CC)`. */
function reachInVariable(word: Word, way: Way): ReachedCommands {
  if (way.guessed) return NO_COMMANDS
  const value = word.value.replace(/^[^=]*=/, '')
  return guessScript({ ...word, value }, { depth: way.depth + 1, guessed: true })
}

/** A program by its path, which is none of the system's. */
const PATH_OF_PROGRAM = /^(?!(?:\/usr(?:\/local)?|\/opt\/homebrew)?\/s?bin\/)[^\s=]*\//

/** A variable that programs take a command or code from. */
function reachInSetting({ value, literal }: Word, way: Way): ReachedCommands {
  const [, name, text = ''] = /^(\w+(?:%%|\(\))?)(?:\[.*?\])?\+?=(.*)$/s.exec(value) ?? []
  if (name === undefined || text === '') return NO_COMMANDS
  if (name === 'PATH') return isUsualPath(text) ? NO_COMMANDS : UNSEEN
  if (CODE_VARIABLES.test(name)) return UNSEEN
  const harmless = findOwn(OPTION_VARIABLES, name)
  if (harmless) return literal && harmless.test(text) ? NO_COMMANDS : UNSEEN
  if (!COMMAND_VARIABLES.test(name)) return NO_COMMANDS
  if (PATH_OF_PROGRAM.test(text) && !/^npm_config_(?!script_shell)/i.test(name)) return UNSEEN
  return literal && !/[$`]/.test(text)
    ? makeUncertain(reachInScript({ value: text, literal }, enterNestedCommand(way)))
    : UNSEEN
}

/** A command by itself, by its name without the folder, and what it runs in turn. */
function followCommand(words: readonly Word[], way: Way): ReachedCommands {
  const [name, ...rest] = words
  if (!name) return NO_COMMANDS
  if (way.depth > MAX_COMMAND_DEPTH) return UNSEEN
  const plainName = { ...name, value: basename(name.value) }
  const bare = [plainName, ...rest]
  const readings = plainName.value === name.value ? [words] : [words, bare]
  const onlyHelps = isAskingForHelp(words)
  const self = readings.map(
    (reading): ReachedCommands => ({ commands: [{ words: reading, certain: true, onlyHelps }], more: false }),
  )
  if (onlyHelps) return mergeReached(self)
  const isHanded = !way.guessed && isHandingProgram(plainName.value, rest)
  return mergeReached([
    ...self,
    reachInner(plainName.value, rest, enterNestedCommand(way)),
    isHanded ? UNSEEN : NO_COMMANDS,
  ])
}

/** `rm --help`, `git push --help`: programs whose help is known to do nothing else. */
function isAskingForHelp(words: readonly Word[]): boolean {
  const [name, ...rest] = words
  if (!name || !words.every(isLiteral) || !/^(?:--help|--version)$/.test(rest.at(-1)?.value ?? '')) return false
  const program = name.value.replace(/^(?:\/usr(?:\/local)?)?\/s?bin\//, '')
  const isKnown = [TAKES_WORDS, WITH_SUBCOMMANDS, STARTS_NO_WORDS, SHELLS].some((names) => names.has(program))
  const hasRow = [WRAPPERS, OPAQUE, INTERPRETERS].some((rows) => Object.hasOwn(rows, program))
  const verbs = rest.slice(0, -1)
  return (isKnown || hasRow) && verbs.length <= (WITH_SUBCOMMANDS.has(program) ? 1 : 0) && !verbs.some(isOption)
}

function reachInner(name: string, rest: readonly Word[], way: Way): ReachedCommands {
  if (rest.length > MAX_ARGUMENTS) return mergeReached([reachInner(name, rest.slice(0, MAX_ARGUMENTS), way), UNSEEN])
  if (SHELLS.has(name)) return reachInShell(name, rest, way)
  const special = findOwn(SPECIAL, name)
  if (special) return special(rest, way)
  const wrapper = findOwn(WRAPPERS, name)
  if (wrapper) return reachInWrapper(wrapper, rest, way)
  const code = reachInCodeProgram(name, rest, way)
  const launched = reachInLauncher(name, rest, way)
  if (code ?? launched) return mergeReached([code ?? NO_COMMANDS, launched ?? NO_COMMANDS])
  if (/^ld(?:-linux|-musl|\.so)/.test(name)) return reachInWrapper({}, rest, way)
  return TAKES_WORDS.has(name) ? reachInOptions(name, rest, way) : guessReached(name, rest, way)
}

/** A program that runs code of another language; null when it is none, or is given none. */
function reachInCodeProgram(name: string, rest: readonly Word[], way: Way): ReachedCommands | null {
  const opaque = findOwn(OPAQUE, name)
  if (opaque && isOpaque(opaque, rest, way)) return UNSEEN
  const language = findOwn(INTERPRETERS, name) ?? findOwn(INTERPRETERS, nameLanguage(name))
  return language ? mergeReached([reachInInterpreter(language, rest, way), ...reachFromAnyWord(rest, way)]) : null
}

/** `python3.12`, `lua5.4`, `node:20-alpine` and `python.exe` by the name of their language. */
function nameLanguage(name: string): string {
  return name.replace(/^.*#|[:@].*$|\.exe$/gs, '').replace(/-?(?<![\d.])[\d.]+$/, '')
}

/** A subcommand is looked for among these first words. */
const MAX_LEADING_WORDS = 8

/** A subcommand that starts the command behind it; null when the program has none, or is given another. */
function reachInLauncher(name: string, rest: readonly Word[], way: Way): ReachedCommands | null {
  const verbs = findOwn(LAUNCHERS, name)
  if (!verbs) return null
  for (let from = 0; from < Math.min(rest.length, MAX_LEADING_WORDS); from++) {
    for (const length of [2, 1]) {
      const verb = rest.slice(from, from + length)
      const wrapper = verb.length === length ? findOwn(verbs, joinWords(verb)) : undefined
      if (wrapper) return reachInWrapper(wrapper, rest.slice(from + length), way)
    }
    // An option may have taken the word behind it, which is no subcommand then.
    const isBehindOption = isOption(rest[from - 1] ?? rest[from] ?? READ)
    if (!isOption(rest[from] ?? READ) && !isBehindOption) return null
  }
  return null
}

/** `coverage run` runs what Python would. */
const COVERED_PYTHON: Interpreter = { ...INTERPRETERS.python, valued: '--source --omit --include --rcfile' }

/** Programs that read their arguments in a way of their own. */
const SPECIAL: Readonly<Record<string, (rest: readonly Word[], way: Way) => ReachedCommands>> = {
  eval: (rest, way) => {
    const script = rest[0]?.value === '--' ? rest.slice(1) : rest
    return reachInScript({ value: joinWords(script), literal: script.every(isLiteral) }, way)
  },
  trap: (rest, way) =>
    reachInScript(
      rest.find((word) => !isOption(word)),
      way,
    ),
  find: (rest, way) =>
    mergeReached([
      ...rest.map((word, at) => reachInFind(word, rest.slice(at + 1), way)),
      rest.every(isLiteral) ? NO_COMMANDS : { commands: listEnds(rest).filter(hasName), more: false },
    ]),
  env: (rest, way) => mergeReached([reachInSplit(rest, way), reachInWrapper(WRAPPERS.env ?? {}, rest, way)]),
  command: (rest, way) => (/^-p?[vV]/.test(rest[0]?.value ?? '') ? NO_COMMANDS : reachInWrapper({}, rest, way)),
  coverage: (rest, way) =>
    rest[0]?.value === 'run' ? reachInInterpreter(COVERED_PYTHON, rest.slice(1), way) : NO_COMMANDS,
  jobs: (rest, way) => (rest[0]?.value.startsWith('-x') ? followCommand(rest.slice(1), way) : NO_COMMANDS),
  ...shareRow('awk gawk mawk nawk original-awk goawk', reachInAwk),
  ...shareRow('sed gsed', reachInSed),
  git: reachInGit,
  alias: reachInAliases,
  fzf: reachInFzf,
}

/** `-c` takes a script; without it a file is run, or whatever comes in. */
function reachInShell(name: string, rest: readonly Word[], way: Way): ReachedCommands {
  if (/^(?:--version|--help|-n .+)$/.test(joinWords(rest)) && rest.every(isLiteral) && rest.length < 3)
    return NO_COMMANDS
  let at = 0
  let takesScript = false
  for (let word = rest[at]; word && /^[-+]./.test(word.value); word = rest[at]) {
    at += 1
    if (!word.literal && way.needsProof) return NO_COMMANDS
    if (!word.literal) return mergeReached([UNSEEN, ...rest.map((each) => makeUncertain(reachInScript(each, way)))])
    if (word.value === '--') break
    if (/^-(?!-).*c|^--command$/.test(word.value)) takesScript = true
    const [, attached] = /^--(?:init-)?command=(.*)$/s.exec(word.value) ?? []
    if (attached !== undefined) return mergeReached([reachInScript({ value: attached, literal: true }, way), UNSEEN])
    if (/^--(?:rcfile|init-file|init-command)|^-C$/.test(word.value)) return UNSEEN
    if (/^[-+](?!-).*[oO]/.test(word.value)) at += 1
  }
  // A file of shell commands holds what rules name, unlike a program in another language.
  if (!takesScript) return way.needsProof && !way.fed ? NO_COMMANDS : UNSEEN
  const script = reachInScript(rest[at], { ...way, needsProof: false })
  if (/^(?:ba|da|a|rba|k|mk|ya|po)?sh$/.test(name)) return script
  // Other shells read their options, and their scripts, in other ways.
  return mergeReached([script, UNSEEN, ...rest.map((each) => makeUncertain(reachInScript(each, way)))])
}

/** True for the name of one file that is there already: what it holds is a program like any other, unless a shell reads it. */
function isPlainFile({ value, literal }: Word): boolean {
  return literal && value !== '' && !/^[-+]|^\.{1,2}$|\/$|^\/dev\/|^\/proc\/|^\w{2,}:/.test(value)
}

/** True for a word that names files and no option, whatever a wildcard in it finds. */
function isFileName({ value, literal }: Word): boolean {
  return literal || /^[\w./][\w./*?@-]*$/.test(value)
}

/** A file that an interpreter runs, as the command that it is by itself. */
function runFile(file: Word, given: readonly Word[]): ReachedCommands {
  const names = [file.value, basename(file.value), ...(file.value.includes('/') ? [] : [`./${file.value}`])]
  const commands = [...new Set(names)].map((value) => ({
    words: [{ ...file, value }, ...given],
    certain: true,
    onlyHelps: false,
  }))
  return { commands, more: false }
}

function reachInScript(script: Word | undefined, way: Way): ReachedCommands {
  if (!script) return NO_COMMANDS
  return script.literal
    ? findReachedCommands(script.value, way)
    : mergeReached([findReachedCommands(script.value, way), UNSEEN])
}

function reachInFind({ value }: Word, rest: readonly Word[], way: Way): ReachedCommands {
  if (!FIND_RUNS.has(value)) return NO_COMMANDS
  const end = rest.findIndex((word) => word.value === ';' || word.value === '+')
  return end < 0 ? UNSEEN : followCommand(rest.slice(0, end).map(removePlaceholder), way)
}

/** With `xargs -I%` it is `%` that becomes whatever comes in. */
function replacePlaceholder(word: Word, rest: readonly Word[]): Word {
  const placeholders = listOptionValues(rest, ['-I', '-i', '-J', '--replace']).map(({ value }) => value)
  const isReplaced = placeholders.some((each) => each !== '' && word.value.includes(each))
  return isReplaced ? { ...word, literal: false } : removePlaceholder(word)
}

/** `{}` becomes whatever is found. */
function removePlaceholder(word: Word): Word {
  return word.value.includes('{}') ? { ...word, literal: false } : word
}

/** `env -S` takes its words out of one text. */
function reachInSplit(rest: readonly Word[], way: Way): ReachedCommands {
  for (const [at, word] of rest.entries()) {
    const [, attached] = /^(?:-[a-zA-Z]*S|--split-string=?)(.*)$/s.exec(word.value) ?? []
    if (attached === undefined) continue
    const text = attached === '' ? rest[at + 1] : { ...word, value: attached }
    if (!text) return UNSEEN
    const after = rest.slice(attached === '' ? at + 2 : at + 1).map(({ value }) => quoteSingle(value))
    const script = reachInScript({ ...text, value: ['env', text.value, ...after].join(' ') }, way)
    return /[\\$]/.test(text.value) ? mergeReached([script, UNSEEN]) : script
  }
  return NO_COMMANDS
}

function quoteSingle(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`
}

/** The command behind the options is certain; whatever follows may be one too, or a script in one word. */
function reachInWrapper(wrapper: Wrapper, rest: readonly Word[], way: Way): ReachedCommands {
  const {
    valued = '',
    scripts = '',
    isScriptFirst = false,
    operands = [0],
    startsShell = false,
    takesInput = false,
    ownProgram = false,
  } = wrapper
  const takesNext = [...valued.split(' '), ...scripts.split(' ')]
  const at = countOptions(rest, takesNext)
  const commands = operands.map((count) => rest.slice(at + count))
  const texts = scripts === '' ? [] : listOptionValues(isScriptFirst ? rest.slice(0, at) : rest, scripts.split(' '))
  const isValue = (index: number): boolean =>
    ownProgram && index > 0 && isTakingValue(rest[index - 1]?.value ?? '', takesNext)
  const [program, ...given] = commands[0] ?? []
  const shown = new Set(program === undefined ? [] : removeProse(basename(program.value), given))
  const isProse = (word: Word): boolean => given.includes(word) && !shown.has(word)
  const isEmpty = commands.every(({ length }) => length === 0)
  const hides =
    rest.slice(0, at).some(({ value, literal }, index) => (!literal || /\s/.test(value)) && !isValue(index)) ||
    (isEmpty && (ownProgram ? way.fed === true : rest.length > 0 || startsShell)) ||
    (takesInput && commands.some(isMadeOfInput)) ||
    (startsShell && texts.length === 0 && scripts !== '' && !rest.some(({ value }) => /^-u|^--user/.test(value)))
  return mergeReached([
    ...commands.map((command) =>
      followCommand(
        takesInput && command.length > 0
          ? [...command.map((word) => replacePlaceholder(word, rest.slice(0, at))), READ]
          : command,
        way,
      ),
    ),
    ...texts.map((text) => reachInScript(text, way)),
    {
      commands: listEnds(
        rest.flatMap((word, index) => {
          if (word === READ || isProse(word)) return []
          return [isValue(index) ? { ...word, literal: true } : word]
        }),
      ),
      more: hides,
    },
    ...rest
      .filter((word, index) => isScriptLike(word) && (word.literal || !isValue(index)) && !isProse(word))
      .map((word) => reachInAnyWord(removeBang(word), way)),
    ...reachFromAnyWord(rest, way),
  ])
}

/** A word that may be a script: one that is put together when it runs is not seen, prose says nothing. */
function reachInAnyWord(word: Word, way: Way): ReachedCommands {
  return word.literal ? guessScript(word, way) : makeUncertain(reachInScript(word, way))
}

/** An alias that begins with `!` is a script. */
function removeBang(word: Word): Word {
  return { ...word, value: word.value.replace(/^!/, '') }
}

/** A word that is read from elsewhere. */
const READ: Word = { value: '', literal: false }

/** True if an option takes the next word: by its name, or by the last letter of several in one. */
function isTakingValue(option: string, valued: readonly string[]): boolean {
  if (valued.includes(option)) return true
  return /^-[A-Za-z]{2,}$/.test(option) && valued.includes(`-${option.at(-1)}`) && !valued.includes(option.slice(0, 2))
}

/** The values of some options: the next word, or what is attached. */
function listOptionValues(rest: readonly Word[], options: readonly string[]): Word[] {
  return rest.flatMap((word, at) => {
    const { value } = word
    const next = rest[at + 1]
    if (options.includes(value) || isTakingValue(value, options)) return next ? [next] : []
    const option = options.find((each) => value.startsWith(each.startsWith('--') ? `${each}=` : each))
    if (option === undefined) return []
    return [{ ...word, value: value.slice(option.startsWith('--') ? option.length + 1 : option.length) }]
  })
}

/** True if a command that gets arguments from elsewhere is whatever they say: what runs a program is not, once it is given one. */
function isMadeOfInput([name, ...rest]: readonly Word[]): boolean {
  const plainName = basename(name?.value ?? '')
  if (Object.hasOwn(INTERPRETERS, nameLanguage(plainName))) return false // looked at with what comes in as its last word
  const wrapper = findOwn(WRAPPERS, plainName)
  if (wrapper === undefined || wrapper.takesInput) return canRunAnything(name)
  const { valued = '', scripts = '', operands = [0] } = wrapper
  if (scripts !== '' && listOptionValues(rest, scripts.split(' ')).length > 0) return true
  const at = countOptions(rest, valued.split(' '))
  return operands.some((count) => rest.length <= at + count || isMadeOfInput(rest.slice(at + count)))
}

/** Counts the words before the first that is neither an option, nor the value of one, nor a variable. */
function countOptions(rest: readonly Word[], valued: readonly string[]): number {
  let at = 0
  for (let word = rest[at]; word && (isOption(word) || isAssignment(word)); word = rest[at]) {
    at += isTakingValue(word.value, valued) ? 2 : 1
    if (word.value === '--') break
  }
  return at
}

/** True if a command is whatever its arguments, which come from elsewhere, make of it. */
function canRunAnything(name: Word | undefined): boolean {
  if (!name) return false
  const plainName = basename(name.value)
  return (
    SHELLS.has(plainName) ||
    Object.hasOwn(WRAPPERS, plainName) ||
    Object.hasOwn(INTERPRETERS, plainName.replace(/(?<![\d.])[\d.]+$/, '')) ||
    plainName === 'eval' ||
    name.value.includes('{}')
  )
}

/** Reads the words of a program of another language, whose code is not read, wherever it comes from; a file is a program like any other. */
function reachInInterpreter(language: Interpreter, rest: readonly Word[], way: Way): ReachedCommands {
  const { code = '', codeLike, valued = '', loads = '', attached = '', idle, modules, verbs = '', runs } = language
  const codeOptions = code.split(' ')
  const takesNext = [...valued.split(' '), ...loads.split(' ')]
  let isIdle = false
  let at = 0
  for (
    let word = rest[at];
    word && (word.value === runs || (/^[-+/]./.test(word.value) && !isPath(word)));
    word = rest[at]
  ) {
    const { value } = word
    const next = rest[at + 1]
    if (/^--?(?:version|help|V|v|h)$/.test(value)) return NO_COMMANDS
    if (modules && MODULE_OPTION.test(value)) {
      const attachedName = value.replace(MODULE_OPTION, '')
      const module = attachedName === '' ? next : { ...word, value: attachedName }
      return module && (!module.literal || modules.test(module.value)) ? UNSEEN : NO_COMMANDS
    }
    const given = findOption(value, { code: codeOptions, valued: takesNext, attached })
    if (given === 'code' || codeLike?.test(value))
      return way.needsProof && !next && !/[=:]/.test(value) ? NO_COMMANDS : UNSEEN
    if (codeLike && loads.split(' ').includes(value) && next && codeLike.test(next.value)) return UNSEEN
    if (isLoadingCode(word, next, loads.split(' '))) return UNSEEN
    isIdle ||= idle?.test(value) === true
    at += given === 'valued' ? 2 : 1
  }
  const file = rest[at]
  if (file && verbs.split(' ').includes(file.value))
    return way.needsProof && rest.length < at + 2 ? NO_COMMANDS : UNSEEN
  if (file && idle?.test(file.value)) return NO_COMMANDS
  if (!file) return isIdle || (way.needsProof && !way.fed) ? NO_COMMANDS : UNSEEN
  if (/^-$|^\/dev\/|^\/proc\//.test(file.value)) return way.needsProof && !way.fed ? NO_COMMANDS : UNSEEN
  if (language.operandIsCode && file.value.startsWith('(')) return UNSEEN
  if (way.needsProof) return NO_COMMANDS
  if (rest.slice(at + 1).some((word, index) => isCodeOption(word, rest[at + 2 + index]))) return UNSEEN
  if (isIdle && isFileName(file)) return NO_COMMANDS
  return isPlainFile(file) ? runFile(file, rest.slice(at + 1)) : UNSEEN
}

/** `-m` of Python, behind letters that take nothing with them: in `-Ximporttime` there is no `-m`. */
const MODULE_OPTION = /^-[bBdEiIOPqsSuvx]*m/

/** `/c` is an option of Windows, `/home` is not. */
function isPath({ value }: Word): boolean {
  return /^\/..|^\/$/.test(value)
}

interface OptionLetters {
  readonly code: readonly string[]
  readonly valued: readonly string[]
  readonly attached: string
}

/** Reads an option, or a bundle of letters one by one: whether it brings code, takes the next word, or neither. */
function findOption(value: string, { code, valued, attached }: OptionLetters): 'code' | 'valued' | null {
  if (code.includes(value) || code.some((each) => each.startsWith('--') && value.startsWith(`${each}=`))) return 'code'
  if (valued.includes(value)) return 'valued'
  if (!/^-[^-]/.test(value)) return null
  for (const [at, letter] of [...value.slice(1)].entries()) {
    if (code.includes(`-${letter}`)) return 'code'
    const isLast = at === value.length - 2
    if (valued.includes(`-${letter}`)) return isLast ? 'valued' : null
    if (attached.includes(letter)) return null
  }
  return null
}

/** True if an option loads something that is no plain name: an address that holds code, or what cannot be known. */
function isLoadingCode(word: Word, next: Word | undefined, loads: readonly string[]): boolean {
  const option = loads.find((each) => each !== '' && (word.value === each || word.value.startsWith(`${each}=`)))
  const loaded = word.value === option ? next : word
  if (option === undefined || !loaded) return false
  const name = loaded.value.replace(option, '').replace(/^=/, '')
  return !loaded.literal || /^(?:data|https?|blob):|^\/dev\/|^\/proc\//.test(name)
}

/** True if the words of such a program say that it runs something. */
function isOpaque(row: Opaque, rest: readonly Word[], way: Way): boolean {
  const { says, proves, builtin, reads, idle } = row
  const { needsProof, fed } = way
  const isAny = says.test('')
  if (reads && fed && !isReadingPlainly(row, way) && !rest.some(({ value }) => idle?.test(value))) return true
  if (needsProof && builtin) return false
  if (needsProof && (isAny || proves)) return fed === true || rest.some(({ value }) => proves?.test(value))
  return (rest.length === 0 ? [{ value: '' }] : rest).some(({ value }) => says.test(value))
}

/** True if all that comes to a program are lines which the script shows, and none of them runs anything. */
function isReadingPlainly({ says, isReadByLine }: Opaque, { input }: Way): boolean {
  if (!isReadByLine || input == null) return false
  return !input.split('\n').some((line) => says.test(line))
}

/** Programs that can be told from their arguments to run code, wherever among the words of another program they stand. */
function reachFromAnyWord(words: readonly Word[], way: Way): ReachedCommands[] {
  if (way.needsProof) return []
  return words.map((word, at) => {
    if (!word.literal) return NO_COMMANDS
    const [, option, value = word.value] = /^(--[\w-]+)=(.*)$/s.exec(word.value) ?? []
    const name = basename(value)
    const rest = words.slice(at + 1)
    if (REPLACES_PROGRAM.test(option ?? words[at - 1]?.value ?? '')) {
      const program = { ...word, value }
      return canRunAnything(program) || value.startsWith('[')
        ? UNSEEN
        : { commands: listEnds([program, ...rest]).slice(0, 2), more: false }
    }
    const proof = { ...enterNestedCommand(way), guessed: true, needsProof: true }
    const isStarted = words[at - 1]?.value === '--' // as in `kubectl exec pod -- bash f`
    if (SHELLS.has(name))
      return makeUncertain(reachInShell(name, rest, isStarted ? { ...proof, needsProof: false } : proof))
    if (Object.hasOwn(FILTERS, name))
      return rest.some(isProgramLike) ? (findOwn(FILTERS, name)?.(rest) ?? NO_COMMANDS) : NO_COMMANDS
    if (name === 'git') return makeUncertain(reachInGit(rest, proof))
    const behindColon = name.slice(name.lastIndexOf(':') + 1) // `hatch run env:python`
    return mergeReached([name, behindColon].map((each) => reachInCodeProgram(each, rest, proof) ?? NO_COMMANDS))
  })
}

/** Options that name the program which reads the other words. */
const REPLACES_PROGRAM = /^--(?:entrypoint|command|shell|interpreter)$/

function isProgramLike({ value }: Word): boolean {
  return /[^\w./-]/.test(value)
}

/** awk and sed are used for looking at text; only a few of their words run something. */
function reachInAwk(rest: readonly Word[]): ReachedCommands {
  return isHarmlessAwk(rest) ? NO_COMMANDS : UNSEEN
}

function reachInSed(rest: readonly Word[]): ReachedCommands {
  return isHarmlessSed(rest) ? NO_COMMANDS : UNSEEN
}

const FILTERS: Readonly<Record<string, (rest: readonly Word[]) => ReachedCommands>> = {
  ...shareRow('awk gawk mawk nawk original-awk goawk', reachInAwk),
  ...shareRow('sed gsed', reachInSed),
}

/** A word of which nothing is known, as a script has it. */
const ANY_WORD = '"$ANY"'

/** An alias is a script with more words behind it, which may be fed. One in place of a program that is known changes what that is. */
function reachInAliases(rest: readonly Word[], way: Way): ReachedCommands {
  return mergeReached(
    rest.map((word) => {
      const [, name, text] = /^([^=]+)=(.*)$/s.exec(word.value) ?? []
      if (name === undefined || text === undefined) return word.literal || isOption(word) ? NO_COMMANDS : UNSEEN
      const isOwn = text.trimStart().split(/\s/, 1)[0] === name
      if (!word.literal || !/^[\w.-]+$/.test(name) || (isKnownProgram(name) && !isOwn)) return UNSEEN
      const scripts = [text, `${text} ${ANY_WORD}`]
      const fed = { ...way, fed: true, input: null }
      return mergeReached(scripts.map((value) => reachInScript({ value, literal: true }, fed)))
    }),
  )
}

function isKnownProgram(name: string): boolean {
  const names = [TAKES_WORDS, WITH_SUBCOMMANDS, STARTS_NO_WORDS, SHELLS]
  const rows = [WRAPPERS, INTERPRETERS, LAUNCHERS, SPECIAL, TAKES_PROGRAM]
  return names.some((each) => each.has(name)) || rows.some((each) => Object.hasOwn(each, name))
}

/** A preview is a script, in which placeholders are words in quotes; what keys do may be one too. */
function reachInFzf(rest: readonly Word[], way: Way): ReachedCommands {
  const listValues = (option: string): Word[] => listOptionValues(rest, [option])
  const previews = listValues('--preview').map((word) => {
    const value = word.value.replaceAll(PLACEHOLDER, `$1${ANY_WORD}`)
    return /\{[^\s{}]*\}/.test(value) ? UNSEEN : makeUncertain(reachInScript({ ...word, value }, way))
  })
  const isBinding = listValues('--bind').some(({ value, literal }) => !literal || !PLAIN_KEYS.test(value))
  const isRunning = rest.some(({ value }) => /^--(?:listen|with-shell)|\b(?:execute|become|reload)\b/.test(value))
  return mergeReached([...previews, isBinding || isRunning ? UNSEEN : NO_COMMANDS])
}

/** A placeholder that is a word of its own: fzf puts quotes around it, which others would end. */
const PLACEHOLDER = /(^|\s)\{\+?(?:-?\d*(?:\.\.(?:-?\d+)?)?|q|n)\}(?=\s|$)/g
/** Keys with actions that are given nothing. */
const PLAIN_KEYS = /^[\w-]+:[a-z-]+(?:\+[a-z-]+)*(?:,[\w-]+:[a-z-]+(?:\+[a-z-]+)*)*$/

/** git runs what its settings and some of its subcommands say. */
function reachInGit(rest: readonly Word[], way: Way): ReachedCommands {
  const settings = rest.flatMap(({ value }, at) => {
    if (rest[at - 1]?.value === '-c' || rest[at - 1]?.value === '--config') return [value]
    const [, attached] = /^(?:-c|--config(?:-env)?=)(.+)$/s.exec(value) ?? []
    return attached === undefined ? [] : [attached]
  })
  const isSet = rest.some(({ value }) => value === 'config')
  const named = isSet ? rest.map(({ value }) => value) : settings
  const inSettings = named.filter((each) => GIT_SETTINGS.test(each)).map((each) => reachInGitSetting(each, rest, way))
  const runs = rest.some(({ value }) => GIT_RUNS.test(value))
  const elsewhere =
    /(?:^|=)ext::|^--(?:exec-path|upload-pack|receive-pack|exec|extcmd|open-files-in-pager|template|unsafe-paths|config-env|sendmail-cmd|smtp-server|[a-z]+-callback)|^-O./
  const isUnknown = rest.some(({ value, literal }, at) => {
    return rest[at - 1]?.value === '-c' && !literal && !/^[\w.-]+=/.test(value)
  })
  const hides =
    isUnknown || rest.some(({ value }) => elsewhere.test(value) || (value === '-u' && rest[0]?.value === 'clone'))
  return mergeReached([
    ...inSettings,
    runs ? guessReached('', rest, way) : NO_COMMANDS,
    hides && !runs ? UNSEEN : NO_COMMANDS,
  ])
}

/** A pager or an editor may be looked at; an alias, a helper or an included file not. */
function reachInGitSetting(setting: string, rest: readonly Word[], way: Way): ReachedCommands {
  if (!/^(?:core\.|sequence\.)(?:pager|editor)/i.test(setting) || !rest.every(isLiteral)) return UNSEEN
  const [, text] = /^[^=]*=(.*)$/s.exec(setting) ?? []
  const after = rest.slice(rest.findIndex(({ value }) => value === setting) + 1)
  const values = text === undefined ? after.map(({ value }) => value) : [text]
  if (values.some((value) => PATH_OF_PROGRAM.test(value))) return UNSEEN
  return mergeReached(values.map((value) => makeUncertain(reachInScript({ value, literal: true }, way))))
}

/** Options of programs that take words as words, and yet a program here and there. */
function reachInOptions(name: string, rest: readonly Word[], way: Way): ReachedCommands {
  const options = findOwn(TAKES_PROGRAM, name) ?? ''
  if (options === '') return NO_COMMANDS
  return mergeReached(
    listOptionValues(rest, options.split(' ')).map((value) => makeUncertain(reachInScript(value, way))),
  )
}

/** A program that is not known may run what it is given, as a command, as a script or as the value of an option. */
function guessReached(name: string, rest: readonly Word[], way: Way): ReachedCommands {
  if (way.guessed) return NO_COMMANDS
  const leading = /^run(?:-script)?$/.test(rest[0]?.value ?? '') ? 2 : 1
  const from = WITH_SUBCOMMANDS.has(name) ? leading : 0
  const words = removeProse(name, rest).slice(from)
  const guess = { ...way, guessed: true }
  const startsNone = STARTS_NO_WORDS.has(name)
  const attached = removeProse(name, rest).flatMap(listAttached)
  const scripts = [...words, ...(startsNone ? attached : [])].filter(isScriptLike)
  const texts = [...scripts, ...(startsNone ? [] : attached)].map((word) => guessScript(word, guess))
  const ends = startsNone ? [] : listEnds(words).filter(hasName)
  const isKnown = Object.hasOwn(OPAQUE, name) || startsNone
  const code =
    (!isKnown && words.some((word, at) => isCodeOption(word, words[at + 1]))) ||
    (way.fed === true && isRemoteShell(name, rest))
  return mergeReached([{ commands: ends, more: code }, ...texts, ...reachFromAnyWord(removeProse(name, rest), way)])
}

/** Subcommands whose words are searched for, by program. */
const SEARCHES: Readonly<Record<string, string>> = shareRow('gh glab brew npm pip apt cargo docker helm', 'search')

/** Words without the values of options that take prose, and without what is searched for. */
function removeProse(name: string, words: readonly Word[]): Word[] {
  if (words[0] !== undefined && words[0].value === findOwn(SEARCHES, name)) return []
  const letters = findOwn(TEXT_LETTERS, name)?.split(' ') ?? []
  const isTakingProse = (value: string): boolean => TEXT_OPTIONS.test(value) || letters.includes(value)
  return words.filter(({ value }, at) => {
    const before = words[at - 1]?.value ?? ''
    return (
      !isTakingProse(before) &&
      !isTakingProse(value.replace(/=.*$/s, '=').slice(0, -1)) &&
      !letters.some((each) => value.startsWith(each) && isScriptLike({ value, literal: true }))
    )
  })
}

const SSH_VALUED = '-o -p -i -l -F -J -L -R -D -b -c -e -E -I -m -O -Q -S -W -w -B'.split(' ')

/** True if a shell elsewhere reads its commands from stdin. */
function isRemoteShell(name: string, rest: readonly Word[]): boolean {
  if (!/^(?:ssh|slogin|rsh|mosh|autossh)$/.test(name)) return false
  const operands = rest.filter((word, at) => !isOption(word) && !SSH_VALUED.includes(rest[at - 1]?.value ?? ''))
  return operands.length < 2
}

/** Options and subcommands that many programs take code by, and values that look like code. */
const CODE_OPTION =
  /^-{1,2}(?:c|e|eval|exec|execute|command|cmd|code|run|script|js|expr)$|^(?:[\w:-]+[:-])?(?:eval|rpc)$/
const CODE_LIKE = /[\w\])]\s*\([^)]*\)|;|=>|`|\$\(/

function isCodeOption({ value }: Word, next: Word | undefined): boolean {
  const [, option = value, attached] = /^(--?[\w-]+)=(.*)$/s.exec(value) ?? []
  if (!CODE_OPTION.test(option)) return false
  return CODE_LIKE.test(attached ?? next?.value ?? '')
}

/** Prose is no script: what cannot be read as one says nothing. */
function guessScript(word: Word, way: Way): ReachedCommands {
  const { commands, more } = findReachedCommands(word.value, way)
  return makeUncertain({
    commands: commands.filter(hasName),
    more: more && parseShellCommands(word.value).whole && commands.some(({ words: [name] }) => canRunAnything(name)),
  })
}

/** A guess without a name for the command would be about everything. */
function hasName({ words: [name] }: ReachedCommand): boolean {
  return name?.literal === true
}

/** Separators behind which a command may stand in the first part of a word, as in `EXEC:rm`, `exec=rm` and `x:execute(rm`. */
const SEPARATOR = /[=:,!|(+@]/g
const MAX_SEPARATORS = 8

/** Lists what stands behind a separator or the letter of an option, and a list with commas as words. */
function listAttached(word: Word): Word[] {
  const { value } = word
  const [first = ''] = /^\S*/.exec(value) ?? []
  const behind = [...first.matchAll(SEPARATOR)].slice(0, MAX_SEPARATORS).map(({ index }) => value.slice(index + 1))
  const assigned = [...value.matchAll(/=/g)].slice(0, MAX_SEPARATORS).map(({ index }) => value.slice(index + 1))
  const listed = value.includes(',') && !/\s/.test(value) ? [value.replaceAll(',', ' ')] : []
  const letter = /^-[A-Za-z]./.test(value) ? [value.slice(2)] : []
  return [...new Set([...behind, ...assigned, ...listed, ...letter])].map((text) => ({ ...word, value: text }))
}

const NO_COMMANDS: ReachedCommands = { commands: [], more: false }
const UNSEEN: ReachedCommands = { commands: [], more: true }

function makeCertain(words: readonly Word[]): ReachedCommands {
  return { commands: [{ words, certain: true }], more: false }
}

/** Every end of the words, which may be a command, by its name with and without a folder. */
function listEnds(words: readonly Word[]): ReachedCommand[] {
  return words.flatMap((word, start) => {
    const bare = { ...word, value: basename(word.value) }
    return [word, bare].map((name) => ({ words: [name, ...words.slice(start + 1)], certain: false }))
  })
}

function makeUncertain({ commands, more }: ReachedCommands): ReachedCommands {
  return { commands: commands.map(({ words }) => ({ words, certain: false })), more }
}

function mergeReached(reached: readonly ReachedCommands[]): ReachedCommands {
  return { commands: reached.flatMap(({ commands }) => commands), more: reached.some(({ more }) => more) }
}

function enterNestedCommand(way: Way): Way {
  return { ...way, depth: way.depth + 1 }
}

function isLiteral({ literal }: Word): boolean {
  return literal
}

function isOption({ value }: Word): boolean {
  return value.startsWith('-')
}

function isAssignment({ value }: Word): boolean {
  return /^\w+\+?=/.test(value)
}

function isScriptLike({ value }: Word): boolean {
  return /[\s;|&$`]/.test(value)
}
