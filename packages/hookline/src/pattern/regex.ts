/** A compiled pattern: linear in time whatever it says, unanchored, case-sensitive. */
export type Regex = (subject: string) => boolean

/** A pattern that could not be compiled, and where it goes wrong. */
export interface BadPattern {
  readonly problem: string
  /** Offset of the fault in the pattern, where it is known. */
  readonly offset: number
  /** It is a pattern all the same, for clients whose patterns may take any time. */
  readonly isPatternElsewhere?: true
}

/** Longer patterns are refused: compiling them takes time that no hook is worth. */
export const LONGEST_PATTERN = 4096

/** Compiles a regular expression of the RE2 syntax. What it takes is loaded when the first one is met. */
export async function compileRegex(pattern: string): Promise<Regex | BadPattern> {
  if (pattern.length > LONGEST_PATTERN) return tooLong()
  const { compiled } = await import('./compiled.ts')
  try {
    return compiled(pattern)
  } catch (error) {
    return explainFault(pattern, error instanceof Error ? error.message : String(error))
  }
}

/** The same for a pattern that may begin with look-ahead, as in `^(?!mcp__)`: each part is a pattern of its own. */
export async function compileWithLookAhead(pattern: string): Promise<Regex | BadPattern> {
  const parts = pattern.length > LONGEST_PATTERN ? null : lookAheadParts(pattern)
  if (parts === null) return compileRegex(pattern)
  const asked = await compileRegex(`^(?:${parts.rest})`)
  if (isBadPattern(asked)) return compileRegex(pattern)
  const ahead: { readonly test: Regex; readonly wanted: boolean }[] = []
  for (const { text, wanted } of parts.ahead) {
    const test = await compileRegex(`^(?:${text})`)
    if (isBadPattern(test)) return compileRegex(pattern)
    ahead.push({ test, wanted })
  }
  return (subject) => asked(subject) && ahead.every(({ test, wanted }) => test(subject) === wanted)
}

/** What a pattern is made of as far as its groups and alternatives go: an escape, a class, a bracket, a bar, or anything else. */
const PIECE = /\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|[()|]|[^\\[()|]+/gy

/** The look-ahead that a pattern for the start of a text begins with, and the rest of it; null when it is none such. */
function lookAheadParts(
  pattern: string,
): { readonly ahead: { readonly text: string; readonly wanted: boolean }[]; readonly rest: string } | null {
  const ahead: { text: string; wanted: boolean }[] = []
  let rest = pattern.startsWith('^') ? pattern.slice(1) : ''
  for (let kind = /^\(\?([=!])/.exec(rest)?.[1]; kind !== undefined; kind = /^\(\?([=!])/.exec(rest)?.[1]) {
    const end = endOfGroup(rest)
    if (end === null) return null
    ahead.push({ text: rest.slice(3, end), wanted: kind === '=' })
    rest = rest.slice(end + 1)
    if (/^[*+?{]/.test(rest)) return null
  }
  return ahead.length === 0 || hasAlternatives(rest) ? null : { ahead, rest }
}

/** Where the group that a text begins with is closed; null: nowhere. */
function endOfGroup(text: string): number | null {
  let depth = 0
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    if (piece === '(') depth++
    if (piece === ')' && --depth === 0) return index
  }
  return null
}

/** Whether a bar stands outside of all groups: then the look-ahead is of the first alternative alone. */
function hasAlternatives(text: string): boolean {
  let depth = 0
  for (const [piece] of text.matchAll(PIECE)) {
    if (piece === '|' && depth === 0) return true
    if (piece === '(') depth++
    if (piece === ')') depth--
  }
  return false
}

/** What is said of a pattern that is too long. */
export function tooLong(): BadPattern {
  return { problem: `is longer than ${LONGEST_PATTERN} characters`, offset: LONGEST_PATTERN }
}

/** Whether compiling failed. */
export function isBadPattern(compiled: Regex | BadPattern): compiled is BadPattern {
  return typeof compiled !== 'function'
}

function explainFault(pattern: string, message: string): BadPattern {
  const lookAround = pattern.search(/\(\?<?[=!]/)
  if (lookAround >= 0)
    return { problem: 'uses look-around, which RE2 does not have', offset: lookAround, isPatternElsewhere: true }
  const backReference = pattern.search(/\\[1-9]/)
  if (backReference >= 0)
    return {
      problem: 'uses a back-reference, which RE2 does not have',
      offset: backReference,
      isPatternElsewhere: true,
    }
  const quoted = /`(.*)`\s*$/s.exec(message)?.[1] ?? ''
  return {
    problem: `is not a valid regular expression: ${message.replace(/^error parsing regexp: /, '')}`,
    offset: Math.max(0, pattern.indexOf(quoted)),
  }
}
