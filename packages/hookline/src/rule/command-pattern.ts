import { ANY, makeExactTest, matchesSteps, type WildcardStep } from './wildcard.ts'

/** Command that `Bash(…)` names: commands that start with a text, one text, or a text with `*` in it. `\*` is a star itself. */
export type CommandPattern =
  | { readonly kind: 'prefix'; readonly text: string }
  | { readonly kind: 'exact'; readonly text: string }
  /** `name` is the program; null when it has a star itself. */
  | { readonly kind: 'wildcard'; readonly steps: readonly WildcardStep<string>[]; readonly name: string | null }

const TOKENS = /\\[\\*]|./gsu

/** Reads what stands in the parentheses of `Bash(…)`. */
export function parseCommandPattern(text: string): CommandPattern {
  const start = text.replace(/(?::| )\*$/, '')
  if (start !== text && !hasStar(start)) return { kind: 'prefix', text: unescapePattern(start) }
  if (!hasStar(text)) return { kind: 'exact', text: unescapePattern(text).trim() }
  const [first = ''] = text.trim().split(/\s/)
  return {
    kind: 'wildcard',
    steps: splitTokens(text.trim()).map(
      (token): WildcardStep<string> => (token === '*' ? ANY : makeExactTest(unescapePattern(token))),
    ),
    name: hasStar(first) ? null : unescapePattern(first),
  }
}

/** A text as a pattern that means nothing but it. */
export function escapeCommand(text: string): string {
  return text.replace(/[\\*]/g, '\\$&')
}

function hasStar(text: string): boolean {
  return splitTokens(text).includes('*')
}

function unescapePattern(text: string): string {
  return splitTokens(text)
    .map((token) => token.replace(/^\\(?=.)/s, ''))
    .join('')
}

function splitTokens(text: string): string[] {
  return text.match(TOKENS) ?? []
}

/** True if a pattern means a command as it is written. */
export function matchesCommandText(pattern: CommandPattern, text: string): boolean {
  switch (pattern.kind) {
    case 'prefix':
      return text === pattern.text || text.startsWith(`${pattern.text} `)
    case 'exact':
      return text === pattern.text
    case 'wildcard':
      return matchesSteps(pattern.steps, [...text]) || matchesSteps(pattern.steps, [...text, ' ']) // ` *` at its end also means nothing more
  }
}
