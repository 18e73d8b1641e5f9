import { basename } from 'node:path'
import {
  CODE_VARIABLES,
  COMMAND_VARIABLES,
  GIT_RUNS,
  GIT_SETTINGS,
  INTERPRETERS,
  MAKES_FILES,
  OPAQUE,
  OPTION_VARIABLES,
  RUN_FROM,
  SHELLS,
  TAKES_PROGRAM,
  TAKES_WORDS,
  WITH_SUBCOMMANDS,
  WRAPPERS,
  type Wrapper,
} from './command-table.ts'
import { isHarmlessAwk, isHarmlessSed } from './filter-programs.ts'
import { type ShellCommand, takeApart, textOfWords, type Word } from './shell-commands.ts'

/** A command that a script may come to run. */
export interface ReachedCommand {
  readonly words: readonly Word[]
  /** False: these words may as well be arguments. */
  readonly certain: boolean
}

/** What a script may come to run, also by way of other commands. */
export interface Reached {
  readonly commands: readonly ReachedCommand[]
  /** Something is run that the text does not show. */
  readonly more: boolean
}

const FIND_RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir'])

/** Scripts in scripts are followed this far. */
const DEEPEST = 6

/** Arguments beyond these are not looked into. */
const MOST_ARGUMENTS = 200

/** How a command was come by. */
interface Way {
  readonly depth: number
  /** It is a guess that these words are a command at all: what they run in turn is looked at, no further guess is made. */
  readonly guessed: boolean
}

/** Every command that a script may come to run, as far as its text tells. */
export function reachedCommands(script: string, way: Way = { depth: 0, guessed: false }): Reached {
  if (way.depth > DEEPEST) return UNSEEN
  const { commands, whole, evaluates, writes } = takeApart(script, { nested: way.depth > 0 })
  const found = commands.map((command) => reachedFrom(command, way))
  return together([{ commands: [], more: !whole || evaluates || runsWhatItMakes(commands, writes) }, ...found])
}

function reachedFrom({ assignments, words }: ShellCommand, way: Way): Reached {
  const withAssignments: Reached =
    assignments.length === 0 || words.length === 0 ? NOTHING : certainly([...assignments, ...words])
  const settings = [...assignments, ...words.slice(1)].map((word) => insideSetting(word, way))
  return together([withAssignments, follow(words, way), ...settings])
}

/** A variable that programs take a command or code from. */
function insideSetting({ value, literal }: Word, way: Way): Reached {
  const [, name, text = ''] = /^(\w+)(?:\[.*?\])?\+?=(.*)$/s.exec(value) ?? []
  if (name === undefined || text === '') return NOTHING
  if (CODE_VARIABLES.test(name)) return UNSEEN
  const harmless = Object.hasOwn(OPTION_VARIABLES, name) ? OPTION_VARIABLES[name] : undefined
  if (harmless) return literal && harmless.test(text) ? NOTHING : UNSEEN
  if (!COMMAND_VARIABLES.test(name)) return NOTHING
  return literal && !/[$`]/.test(text) ? perhaps(insideScript({ value: text, literal }, deeper(way))) : UNSEEN
}

/** A command by itself, by its name without the folder, and what it runs in turn. */
function follow(words: readonly Word[], way: Way): Reached {
  const [name, ...rest] = words
  if (!name) return NOTHING
  if (way.depth > DEEPEST) return UNSEEN
  const plainName = { ...name, value: basename(name.value) }
  const bare = [plainName, ...rest]
  const self = plainName.value === name.value ? [certainly(words)] : [certainly(words), certainly(bare)]
  return together([...self, inner(plainName.value, rest, deeper(way))])
}

function inner(name: string, rest: readonly Word[], way: Way): Reached {
  if (rest.length > MOST_ARGUMENTS) return together([inner(name, rest.slice(0, MOST_ARGUMENTS), way), UNSEEN])
  if (SHELLS.has(name)) return insideShell(name, rest, way)
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined
  if (special) return special(rest, way)
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined
  if (wrapper) return insideWrapper(wrapper, rest, way)
  const opaque = Object.hasOwn(OPAQUE, name) ? OPAQUE[name] : undefined
  if (opaque && (rest.length === 0 ? [{ value: '' }] : rest).some(({ value }) => opaque.test(value))) return UNSEEN
  const language = name.replace(/[\d.]+$/, '')
  if (Object.hasOwn(INTERPRETERS, language)) return insideInterpreter(language, rest)
  if (/^ld(?:-linux|-musl|\.so)/.test(name)) return insideWrapper({}, rest, way)
  return TAKES_WORDS.has(name) ? insideOptions(name, rest, way) : guesses(name, rest, way)
}

/** Programs that read their arguments in a way of their own. */
const SPECIAL: Readonly<Record<string, (rest: readonly Word[], way: Way) => Reached>> = {
  eval: (rest, way) => {
    const script = rest[0]?.value === '--' ? rest.slice(1) : rest
    return insideScript({ value: textOfWords(script), literal: script.every(isLiteral) }, way)
  },
  trap: (rest, way) =>
    insideScript(
      rest.find((word) => !isOption(word)),
      way,
    ),
  find: (rest, way) =>
    together([
      ...rest.map((word, at) => insideFind(word, rest.slice(at + 1), way)),
      rest.every(isLiteral) ? NOTHING : { commands: endsOf(rest).filter(hasName), more: false },
    ]),
  env: (rest, way) => together([insideSplit(rest, way), insideWrapper(WRAPPERS.env ?? {}, rest, way)]),
  command: (rest, way) =>
    /^-p?[vV]/.test(rest[0]?.value ?? '') ? certainly(rest.slice(1)) : insideWrapper({}, rest, way),
  jobs: (rest, way) => (rest[0]?.value.startsWith('-x') ? follow(rest.slice(1), way) : NOTHING),
  awk: insideAwk,
  gawk: insideAwk,
  mawk: insideAwk,
  nawk: insideAwk,
  'original-awk': insideAwk,
  goawk: insideAwk,
  sed: insideSed,
  gsed: insideSed,
  git: insideGit,
}

/** `-c` takes a script; without it a file is run, or whatever comes in. */
function insideShell(name: string, rest: readonly Word[], way: Way): Reached {
  if (/^(?:--version|--help|-n .+)$/.test(textOfWords(rest)) && rest.every(isLiteral) && rest.length < 3) return NOTHING
  let at = 0
  let takesScript = false
  for (let word = rest[at]; word && /^[-+]./.test(word.value); word = rest[at]) {
    at += 1
    if (!word.literal) return together([UNSEEN, ...rest.map((each) => perhaps(insideScript(each, way)))])
    if (word.value === '--') break
    if (/^-(?!-).*c|^--command$/.test(word.value)) takesScript = true
    const [, attached] = /^--(?:init-)?command=(.*)$/s.exec(word.value) ?? []
    if (attached !== undefined) return together([insideScript({ value: attached, literal: true }, way), UNSEEN])
    if (/^--(?:rcfile|init-file|init-command)|^-C$/.test(word.value)) return UNSEEN
    if (/^[-+](?!-).*[oO]/.test(word.value)) at += 1
  }
  if (!takesScript) return UNSEEN
  const script = insideScript(rest[at], way)
  if (/^(?:ba|da|a|rba|k|mk|ya|po)?sh$/.test(name)) return script
  // Other shells read their options, and their scripts, in other ways.
  return together([script, UNSEEN, ...rest.map((each) => perhaps(insideScript(each, way)))])
}

function insideScript(script: Word | undefined, way: Way): Reached {
  if (!script) return NOTHING
  return script.literal ? reachedCommands(script.value, way) : together([reachedCommands(script.value, way), UNSEEN])
}

function insideFind({ value }: Word, rest: readonly Word[], way: Way): Reached {
  if (!FIND_RUNS.has(value)) return NOTHING
  const end = rest.findIndex((word) => word.value === ';' || word.value === '+')
  return end < 0 ? UNSEEN : follow(rest.slice(0, end).map(withoutPlaceholder), way)
}

/** With `xargs -I%` it is `%` that becomes whatever comes in. */
function replaced(word: Word, rest: readonly Word[]): Word {
  const placeholders = optionValues(rest, ['-I', '-i', '-J', '--replace']).map(({ value }) => value)
  const isReplaced = placeholders.some((each) => each !== '' && word.value.includes(each))
  return isReplaced ? { ...word, literal: false } : withoutPlaceholder(word)
}

/** `{}` becomes whatever is found. */
function withoutPlaceholder(word: Word): Word {
  return word.value.includes('{}') ? { ...word, literal: false } : word
}

/** `env -S` takes its words out of one text. */
function insideSplit(rest: readonly Word[], way: Way): Reached {
  for (const [at, word] of rest.entries()) {
    const [, attached] = /^(?:-[a-zA-Z]*S|--split-string=?)(.*)$/s.exec(word.value) ?? []
    if (attached === undefined) continue
    const text = attached === '' ? rest[at + 1] : { ...word, value: attached }
    if (!text) return UNSEEN
    const after = rest.slice(attached === '' ? at + 2 : at + 1).map(({ value }) => quoted(value))
    const script = insideScript({ ...text, value: ['env', text.value, ...after].join(' ') }, way)
    return /[\\$]/.test(text.value) ? together([script, UNSEEN]) : script
  }
  return NOTHING
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`
}

/** The command behind the options is certain; whatever follows may be one too, or a script in one word. */
function insideWrapper(wrapper: Wrapper, rest: readonly Word[], way: Way): Reached {
  const { valued = '', scripts = '', operands = [0], startsShell = false, takesInput = false } = wrapper
  const takesNext = [...valued.split(' '), ...scripts.split(' ')]
  let at = 0
  for (let word = rest[at]; word && (isOption(word) || isAssignment(word)); word = rest[at]) {
    at += takesValue(word.value, takesNext) ? 2 : 1
    if (word.value === '--') break
  }
  const commands = operands.map((count) => rest.slice(at + count))
  const texts = scripts === '' ? [] : optionValues(rest, scripts.split(' '))
  const hides =
    rest.slice(0, at).some(({ value, literal }) => !literal || /\s/.test(value)) ||
    (commands.every(({ length }) => length === 0) && (rest.length > 0 || startsShell)) ||
    (takesInput && commands.some(([name]) => runsAnything(name))) ||
    (startsShell && texts.length === 0 && scripts !== '' && !rest.some(({ value }) => /^-u|^--user/.test(value)))
  return together([
    ...commands.map((command) =>
      follow(takesInput && command.length > 0 ? [...command.map((word) => replaced(word, rest)), READ] : command, way),
    ),
    ...texts.map((text) => insideScript(text, way)),
    { commands: endsOf(rest), more: hides },
    ...rest.filter(isScriptLike).map((word) => perhaps(insideScript(word, way))),
  ])
}

/** A word that is read from elsewhere. */
const READ: Word = { value: '', literal: false }

/** Whether an option takes the next word: by its name, or by the last letter of several in one. */
function takesValue(option: string, valued: readonly string[]): boolean {
  if (valued.includes(option)) return true
  return /^-[A-Za-z]{2,}$/.test(option) && valued.includes(`-${option.at(-1)}`) && !valued.includes(option.slice(0, 2))
}

/** The values of some options: the next word, or what is attached. */
function optionValues(rest: readonly Word[], options: readonly string[]): Word[] {
  return rest.flatMap((word, at) => {
    const { value } = word
    const next = rest[at + 1]
    if (options.includes(value) || takesValue(value, options)) return next ? [next] : []
    const option = options.find((each) => value.startsWith(each.startsWith('--') ? `${each}=` : each))
    if (option === undefined) return []
    return [{ ...word, value: value.slice(option.startsWith('--') ? option.length + 1 : option.length) }]
  })
}

/** Whether a command is whatever its arguments, which come from elsewhere, make of it. */
function runsAnything(name: Word | undefined): boolean {
  if (!name) return false
  const plainName = basename(name.value)
  return (
    SHELLS.has(plainName) ||
    Object.hasOwn(WRAPPERS, plainName) ||
    Object.hasOwn(INTERPRETERS, plainName.replace(/[\d.]+$/, '')) ||
    plainName === 'eval' ||
    name.value.includes('{}')
  )
}

/** Modules of Python that run the text they are given. */
const RUNS_TEXT = /^(?:timeit|code|pdb|asyncio|runpy|IPython)$/

/** Text of another language is not read, wherever it comes from; a file is a program like any other. */
function insideInterpreter(language: string, rest: readonly Word[]): Reached {
  const { text = /^$/, valued = '' } = INTERPRETERS[language] ?? {}
  let at = 0
  for (let word = rest[at]; word && /^-./.test(word.value); word = rest[at]) {
    if (/^--?(?:version|help|V|v|h)$/.test(word.value)) return NOTHING
    if (word.value === '-m') return RUNS_TEXT.test(rest[at + 1]?.value ?? '') ? UNSEEN : NOTHING
    if (text.test(word.value)) return UNSEEN
    at += valued.split(' ').includes(word.value) ? 2 : 1
  }
  const file = rest[at]
  return !file?.literal || /^-$|^\/dev\/|^\/proc\//.test(file.value) ? UNSEEN : NOTHING
}

/** awk and sed are used for looking at text; only a few of their words run something. */
function insideAwk(rest: readonly Word[]): Reached {
  return isHarmlessAwk(rest) ? NOTHING : UNSEEN
}

function insideSed(rest: readonly Word[]): Reached {
  return isHarmlessSed(rest) ? NOTHING : UNSEEN
}

/** git runs what its settings and some of its subcommands say. */
function insideGit(rest: readonly Word[], way: Way): Reached {
  const settings = rest.flatMap(({ value }, at) => {
    if (rest[at - 1]?.value === '-c' || rest[at - 1]?.value === '--config') return [value]
    const [, attached] = /^(?:-c|--config(?:-env)?=)(.+)$/s.exec(value) ?? []
    return attached === undefined ? [] : [attached]
  })
  const isSet = rest.some(({ value }) => value === 'config')
  const named = isSet ? rest.map(({ value }) => value) : settings
  const inSettings = named.filter((each) => GIT_SETTINGS.test(each)).map((each) => insideGitSetting(each, rest, way))
  const runs = rest.some(({ value }) => GIT_RUNS.test(value))
  const elsewhere =
    /^ext::|^--(?:exec-path|upload-pack|receive-pack|exec|extcmd|open-files-in-pager|template|config-env|sendmail-cmd|smtp-server)|^-O./
  const hides = rest.some(({ value }) => elsewhere.test(value) || (value === '-u' && rest[0]?.value === 'clone'))
  return together([...inSettings, runs ? guesses('', rest, way) : NOTHING, hides && !runs ? UNSEEN : NOTHING])
}

/** A pager or an editor may be looked at; an alias, a helper or an included file not. */
function insideGitSetting(setting: string, rest: readonly Word[], way: Way): Reached {
  if (!/^(?:core\.|sequence\.)(?:pager|editor)/i.test(setting) || !rest.every(isLiteral)) return UNSEEN
  const [, text] = /^[^=]*=(.*)$/s.exec(setting) ?? []
  const after = rest.slice(rest.findIndex(({ value }) => value === setting) + 1)
  const values = text === undefined ? after.map(({ value }) => value) : [text]
  return together(values.map((value) => perhaps(insideScript({ value, literal: true }, way))))
}

/** Options of programs that take words as words, and yet a program here and there. */
function insideOptions(name: string, rest: readonly Word[], way: Way): Reached {
  const options = Object.hasOwn(TAKES_PROGRAM, name) ? (TAKES_PROGRAM[name] ?? '') : ''
  if (options === '') return NOTHING
  return together(optionValues(rest, options.split(' ')).map((value) => perhaps(insideScript(value, way))))
}

/** A program that is not known may run what it is given, as a command, as a script or as the value of an option. */
function guesses(name: string, rest: readonly Word[], way: Way): Reached {
  if (way.guessed) return NOTHING
  const from = WITH_SUBCOMMANDS.has(name) ? 1 : 0
  const words = rest.slice(from)
  const guess = { ...way, guessed: true }
  const texts = [...words.filter(isScriptLike), ...rest.flatMap(attachedTo)].map((word) => guessScript(word, guess))
  return together([{ commands: endsOf(words).filter(hasName), more: false }, ...texts])
}

/** Prose is no script: what cannot be read as one says nothing. */
function guessScript(word: Word, way: Way): Reached {
  const { commands, more } = reachedCommands(word.value, way)
  return perhaps({
    commands: commands.filter(hasName),
    more: more && takeApart(word.value).whole && commands.some(({ words: [name] }) => runsAnything(name)),
  })
}

/** A guess without a name for the command would be about everything. */
function hasName({ words: [name] }: ReachedCommand): boolean {
  return name?.literal === true
}

/** What stands behind `=` or the letter of an option. */
function attachedTo(word: Word): Word[] {
  const { value } = word
  const behind = [...value.matchAll(/=/g)].map(({ index }) => value.slice(index + 1))
  return [...behind, ...(/^-[A-Za-z]./.test(value) ? [value.slice(2)] : [])].map((text) => ({ ...word, value: text }))
}

/** Whether a file is run that the script itself may have made. */
function runsWhatItMakes(commands: readonly ShellCommand[], writes: readonly Word[]): boolean {
  const makers = commands.filter(({ words: [name] }) => name && MAKES_FILES.has(basename(name.value)))
  if (makers.length === 0 && writes.length === 0) return false
  const made = [...writes, ...makers.flatMap(({ words }) => words.slice(1))]
  if (writes.some(({ value }) => RUN_FROM.test(value)) && commands.length > 1) return true
  const names = new Set(made.map(({ value }) => basename(value)))
  const isMade = (file: Word): boolean => names.has(basename(file.value)) || made.some(({ literal }) => !literal)
  return commands.some(
    ({ assignments, words }) =>
      [...assignments, ...words].some(({ value }) => /^PATH\+?=/.test(value)) || filesRun(words).some(isMade),
  )
}

/** The files that a command runs: one that is named by a path, or the first that an interpreter is given. */
function filesRun([name, ...rest]: readonly Word[]): Word[] {
  if (!name) return []
  const isProgram = name.value.includes('/') && !/^(?:\/usr(?:\/local)?)?\/s?bin\//.test(name.value)
  const language = basename(name.value).replace(/[\d.]+$/, '')
  const script = Object.hasOwn(INTERPRETERS, language) ? rest.find((word) => !isOption(word)) : undefined
  const wrapped = Object.hasOwn(WRAPPERS, language) ? rest.filter(({ value }) => value.includes('/')) : []
  return [...(isProgram ? [name] : []), ...(script ? [script] : []), ...wrapped]
}

const NOTHING: Reached = { commands: [], more: false }
const UNSEEN: Reached = { commands: [], more: true }

function certainly(words: readonly Word[]): Reached {
  return { commands: [{ words, certain: true }], more: false }
}

/** Every end of the words, which may be a command, by its name with and without a folder. */
function endsOf(words: readonly Word[]): ReachedCommand[] {
  return words.flatMap((word, start) => {
    const bare = { ...word, value: basename(word.value) }
    return [word, bare].map((name) => ({ words: [name, ...words.slice(start + 1)], certain: false }))
  })
}

function perhaps({ commands, more }: Reached): Reached {
  return { commands: commands.map(({ words }) => ({ words, certain: false })), more }
}

function together(reached: readonly Reached[]): Reached {
  return { commands: reached.flatMap(({ commands }) => commands), more: reached.some(({ more }) => more) }
}

function deeper(way: Way): Way {
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
