/** The YAML reader, which is loaded when first needed. */
export type Yaml = typeof import('yaml')

/** No hand-written file nests deeper. */
const DEEPEST = 64
const MOST_DASHES = 4

/**
 * Whether a text must not be given to the YAML reader, which calls itself for every level: a full stack can end the
 * process. Its lexer does not: it takes one token after the other. Explicit keys (`? `) are never taken.
 */
export function isNestedTooDeeply({ Lexer }: Pick<Yaml, 'Lexer'>, text: string): boolean {
  const indents: number[] = []
  let depth = 0
  let dashes = 0
  let startsLine = true
  for (const token of new Lexer().lex(text)) {
    if (token === '?') return true
    if (token === '[' || token === '{') depth++
    if (token === ']' || token === '}') depth--
    if (token === '-') dashes++
    if (startsLine && /^ +$/.test(token)) {
      while ((indents.at(-1) ?? -1) >= token.length) indents.pop()
      indents.push(token.length)
    }
    startsLine = token.endsWith('\n')
    if (startsLine) dashes = 0
    if (depth > DEEPEST || indents.length > DEEPEST || dashes > MOST_DASHES) return true
  }
  return false
}
