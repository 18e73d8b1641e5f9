import { ANY, exactly, type Step } from './wildcard.ts'

/** What `Bash(…)` names: commands that start with a text, one text, or a text with `*` in it. `\*` is a star itself. */
export type CommandPattern =
  | { readonly kind: 'prefix'; readonly text: string }
  | { readonly kind: 'exact'; readonly text: string }
  /** `name` is the program; null when it has a star itself. */
  | { readonly kind: 'wildcard'; readonly steps: readonly Step<string>[]; readonly name: string | null }

const TOKENS = /\\[\\*]|./gsu

/** Reads what stands in the parentheses of `Bash(…)`. */
export function parseCommandPattern(text: string): CommandPattern {
  const start = text.replace(/(?::| )\*$/, '')
  if (start !== text && !hasStar(start)) return { kind: 'prefix', text: unescaped(start) }
  if (!hasStar(text)) return { kind: 'exact', text: unescaped(text).trim() }
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
