import { type ShellCommand, takeApart, type Word } from './shell-commands.ts'
import { ANY, exactly, fits, type Step } from './wildcard.ts'

/** Whether something is so, or cannot be known before it is run. */
export type Certainty = 'yes' | 'unsure' | 'no'

/** What `Bash(…)` names: commands that start with these words, one text, or a text with `*` in it. `\*` is a star itself. */
export type CommandPattern =
  | { readonly kind: 'prefix'; readonly words: readonly string[] }
  | { readonly kind: 'exact'; readonly text: string; readonly words: readonly string[] }
  | { readonly kind: 'wildcard'; readonly steps: readonly Step<string>[]; readonly name: string | null }

const TOKENS = /\\[\\*]|./gsu

/** Variables that change nothing but how a command talks. */
const HARMLESS = /^(?:NODE_ENV|CI|NO_COLOR|FORCE_COLOR|TERM|TZ|LANG|LC_[A-Z]+|RUST_BACKTRACE)=/

/** Reads what stands in the parentheses of `Bash(…)`. */
export function parseCommandPattern(text: string): CommandPattern {
  const start = text.replace(/(?::| )\*$/, '')
  if (start !== text && !hasStar(start)) return { kind: 'prefix', words: wordsOf(unescaped(start)) }
  if (!hasStar(text)) return { kind: 'exact', text: unescaped(text).trim(), words: wordsOf(unescaped(text)) }
  const [first = ''] = text.trim().split(/\s/)
  return {
    kind: 'wildcard',
    steps: tokensOf(text.trim()).map((token): Step<string> => (token === '*' ? ANY : exactly(unescaped(token)))),
    name: hasStar(first) ? null : unescaped(first),
  }
}

/** A text as a pattern that means nothing but it. */
export function escapedCommand(text: string): string {
  return text.replace(/[\\*]/g, '\\$&')
}

/** Whether a pattern surely covers a command: every word that it names is there as it is. */
export function coversCommand(pattern: CommandPattern, { assignments, words }: ShellCommand): boolean {
  const all = [...assignments.filter(({ value, literal }) => !literal || !HARMLESS.test(value)), ...words]
  if (pattern.kind === 'wildcard') return all.every(({ literal }) => literal) && fits(pattern.steps, [...joined(all)])
  if (pattern.kind === 'exact' && all.length !== pattern.words.length) return false
  return pattern.words.every((word, index) => all[index]?.literal === true && all[index].value === word)
}

/** Whether a pattern means a command that consists of these words. */
export function touchesCommand(pattern: CommandPattern, words: readonly Word[]): Certainty {
  const [name] = words
  if (!name) return 'no'
  if (!name.literal) return 'unsure'
  if (pattern.kind === 'wildcard') return touchesText(pattern, words)
  const differs = pattern.words.findIndex((word, index) => words[index]?.value !== word || !words[index].literal)
  if (differs < 0) return pattern.kind === 'prefix' ? 'yes' : sameLength(pattern.words, words)
  if (differs === 0) return 'no'
  if (words.slice(0, differs + 1).some(({ literal }) => !literal)) return 'unsure'
  return hasOtherOptions(pattern.words.slice(differs), words.slice(differs)) ? 'unsure' : 'no'
}

function touchesText({ steps, name }: CommandPattern & { kind: 'wildcard' }, words: readonly Word[]): Certainty {
  if (fits(steps, [...joined(words)])) return 'yes'
  if (name !== null && words[0]?.value !== name) return 'no'
  return words.every(({ literal }) => literal) ? 'no' : 'unsure'
}

/** An exact rule names all words; a variable beyond them may be empty. */
function sameLength(expected: readonly string[], words: readonly Word[]): Certainty {
  if (words.length === expected.length) return 'yes'
  return words.slice(expected.length).every(({ literal }) => !literal) ? 'unsure' : 'no'
}

/** Whether the words may say the same with options in another order or place, as `git -C x push` and `rm -r -f` do. */
function hasOtherOptions(expected: readonly string[], words: readonly Word[]): boolean {
  const isOption = ({ value }: Word): boolean => value.startsWith('-')
  if (expected[0]?.startsWith('-')) return words.some(isOption)
  const [first] = words
  if (!first || !isOption(first)) return false
  let left = expected
  for (const { value, literal } of words) if (!literal || value === left[0]) left = left.slice(1)
  return left.length === 0
}

function joined(words: readonly Word[]): string {
  return words.map(({ value }) => value).join(' ')
}

/** The words of a rule, with quotes read as the shell reads them where that is possible. */
function wordsOf(text: string): string[] {
  const { commands, plain } = takeApart(text)
  const [command] = commands
  const words = command ? [...command.assignments, ...command.words] : []
  if (plain && commands.length === 1 && words.every(({ literal }) => literal)) return words.map(({ value }) => value)
  return text.trim().split(/\s+/)
}

function hasStar(text: string): boolean {
  return tokensOf(text).includes('*')
}

function unescaped(text: string): string {
  return tokensOf(text)
    .map((token) => token.replace(/^\\(?=.)/s, ''))
    .join('')
}

function tokensOf(text: string): string[] {
  return text.match(TOKENS) ?? []
}
