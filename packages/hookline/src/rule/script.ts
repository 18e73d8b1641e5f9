import type { CommandPattern } from './command-pattern.ts'
import { findReachedCommands } from './reached-commands.ts'
import type { Certainty } from './rule.ts'
import { joinWords, parseShellCommands, type ShellCommand, type Word } from './shell-commands.ts'
import { matchesSteps } from './wildcard.ts'

// Loaded when a command is looked into, with all that it imports: the shell parser is large.

/** True if a pattern that restricts means a script: any command that the script may come to run counts. */
export function matchesScript(pattern: CommandPattern, script: string): Certainty {
  if (isWholeText(pattern, script)) return 'yes'
  const { commands, more } = findReachedCommands(script)
  const mayHelp = !/PATH/.test(script) // another program of that name could be meant
  const found = commands.map(({ words, certain, onlyHelps }) => {
    if (onlyHelps && mayHelp && !isAboutHelp(pattern)) return 'no'
    const certainty = matchesCommand(pattern, words)
    return certainty === 'yes' && !certain ? 'unsure' : certainty
  })
  if (found.includes('yes')) return 'yes'
  return more || found.includes('unsure') ? 'unsure' : 'no'
}

/** The first patterns that together cover a script: one that is its whole text, or one for each command. Null: they do not. */
export function findCoveringPatterns(
  patterns: readonly CommandPattern[],
  script: string,
): readonly CommandPattern[] | null {
  const whole = patterns.find((pattern) => isWholeText(pattern, script))
  if (whole) return [whole]
  const { commands, plain } = parseShellCommands(script)
  if (!plain || commands.length === 0) return null
  const covers = commands.map((command) => patterns.find((pattern) => isCommandCovered(pattern, command)))
  return covers.every((pattern) => pattern !== undefined) ? covers : null
}

/** A rule that is about help itself. */
function isAboutHelp(pattern: CommandPattern): boolean {
  return pattern.kind !== 'wildcard' && /--(?:help|version)/.test(pattern.text)
}

function isWholeText(pattern: CommandPattern, script: string): boolean {
  return pattern.kind === 'exact' && pattern.text === script.trim()
}

/** Variables that change nothing but how a command talks. */
const HARMLESS = /^(?:NODE_ENV|CI|NO_COLOR|FORCE_COLOR|TERM|TZ|LANG|LC_[A-Z]+|RUST_BACKTRACE)=/

/** True if a pattern surely covers a command: every word that it names is there as it is. */
export function isCommandCovered(pattern: CommandPattern, { assignments, words }: ShellCommand): boolean {
  const all = [...assignments.filter(({ value, literal }) => !literal || !HARMLESS.test(value)), ...words]
  if (pattern.kind === 'wildcard')
    return all.every(({ literal }) => literal) && matchesSteps(pattern.steps, [...joinWords(all)])
  const expected = listPatternWords(pattern)
  if (pattern.kind === 'exact' && all.length !== expected.length) return false
  return expected.every((word, index) => all[index]?.literal === true && all[index].value === word)
}

/** True if a pattern means a command that consists of these words. */
function matchesCommand(pattern: CommandPattern, words: readonly Word[]): Certainty {
  const [name] = words
  if (!name) return 'no'
  if (!name.literal && !isAssignment(name)) return 'unsure'
  if (pattern.kind === 'wildcard') return matchesText(pattern, words)
  const expected = listPatternWords(pattern)
  const differs = expected.findIndex((word, index) => words[index]?.value !== word || !words[index].literal)
  if (differs < 0) return pattern.kind === 'prefix' ? 'yes' : compareLength(expected, words)
  if (differs === 0) return 'no'
  if (words.slice(0, differs + 1).some(({ literal }) => !literal)) return 'unsure'
  return canMatchReordered(expected.slice(differs), words.slice(differs)) ? 'unsure' : 'no'
}

function matchesText({ steps, name }: CommandPattern & { kind: 'wildcard' }, words: readonly Word[]): Certainty {
  if (matchesSteps(steps, [...joinWords(words)])) return 'yes'
  if (name !== null && words[0]?.value !== name) return 'no'
  return words.every(({ literal }) => literal) ? 'no' : 'unsure'
}

/** An exact rule names all words; a variable beyond them may be empty. */
function compareLength(expected: readonly string[], words: readonly Word[]): Certainty {
  if (words.length === expected.length) return 'yes'
  return words.slice(expected.length).every(({ literal }) => !literal) ? 'unsure' : 'no'
}

/** True if the words may say the same with options in another order, place or spelling, as `git -C x push` and `rm -r -f` do. */
function canMatchReordered(expected: readonly string[], words: readonly Word[]): boolean {
  const [first] = words
  if (!isOption(expected[0] ?? '') && !(first && isOption(first.value))) return false
  if (!expected.filter(isOption).every((option) => words.some((word) => !word.literal || isOptionMet(option, words))))
    return false
  let left = expected.filter((word) => !isOption(word))
  for (const { value, literal } of words) if (!literal || value === left[0]) left = left.slice(1)
  return left.length === 0
}

/** True if options say what one does: the same, a long one cut short or with a value, or the same letters otherwise put together. */
function isOptionMet(option: string, words: readonly Word[]): boolean {
  const options = words.map(({ value }) => value).filter(isOption)
  const isLong = option.startsWith('--')
  const names = options.map((value) => value.replace(/=.*$/s, ''))
  if (names.some((name) => name === option || (isLong && /^--\w/.test(name) && option.startsWith(name)))) return true
  const letters = isLong ? [option.charAt(2)] : [...option.slice(1)]
  return letters.every((letter) => names.some((name) => hasLetter(name, letter, { isLong })))
}

/** `-f` may be short for `--force`, and the other way round. */
function hasLetter(name: string, letter: string, { isLong }: { readonly isLong: boolean }): boolean {
  const small = letter.toLowerCase()
  if (name.startsWith('--')) return !isLong && name.charAt(2).toLowerCase() === small
  return name.toLowerCase().includes(small)
}

function isOption(value: string): boolean {
  return value.startsWith('-') && value !== '-' && value !== '--'
}

function isAssignment({ value }: Word): boolean {
  return /^\w+\+?=/.test(value)
}

type PatternOfWords = Exclude<CommandPattern, { kind: 'wildcard' }>

/** The words of patterns that were looked at: a rule is held against many commands. */
const WORDS_OF_PATTERNS = new WeakMap<PatternOfWords, readonly string[]>()

function listPatternWords(pattern: PatternOfWords): readonly string[] {
  const known = WORDS_OF_PATTERNS.get(pattern)
  if (known) return known
  const words = splitRuleWords(pattern.text)
  WORDS_OF_PATTERNS.set(pattern, words)
  return words
}

/** The words of a rule, with quotes read as the shell reads them where that is possible. */
function splitRuleWords(text: string): string[] {
  const { commands, plain } = parseShellCommands(text)
  const [command] = commands
  const words = command ? [...command.assignments, ...command.words] : []
  if (plain && commands.length === 1 && words.every(({ literal }) => literal)) return words.map(({ value }) => value)
  return text.trim().split(/\s+/)
}
