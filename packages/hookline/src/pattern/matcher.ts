import { compileExpression, type InputTest } from './expression.ts'
import { type BadPattern, compileRegex, isBadPattern, type Regex } from './regex.ts'

/** How a matcher is understood (PROTOCOL.md, section 5). */
export type Matcher =
  | { readonly kind: 'all' }
  | { readonly kind: 'names'; readonly names: ReadonlySet<string> }
  /** `literal` stands in every text it hits. */
  | { readonly kind: 'regex'; readonly test: Regex; readonly literal: string }
  | { readonly kind: 'expression'; readonly test: InputTest }

/** The only field whose matchers may be expressions. */
export const TOOL_NAME = 'tool_name'

const ONLY_NAMES = /^[A-Za-z0-9_\-|]+$/
const LOOKS_LIKE_EXPRESSION = /==|!=| matches |&&|\|\||^!/

/** The matcher of a group that has none. */
export const ALL: Matcher = { kind: 'all' }

/** Compiles what is written as a matcher of an event that is matched on `matchOn`. */
export async function compileMatcher(text: string, matchOn: string): Promise<Matcher | BadPattern> {
  if (text === '' || text === '*') return ALL
  if (ONLY_NAMES.test(text)) return { kind: 'names', names: new Set(text.split('|').filter((name) => name !== '')) }
  if (LOOKS_LIKE_EXPRESSION.test(text)) {
    if (matchOn !== TOOL_NAME) return { problem: 'is an expression, and only tool events take expressions', offset: 0 }
    const test = await compileExpression(text)
    return typeof test === 'function' ? { kind: 'expression', test } : test
  }
  const test = await compileRegex(text)
  return isBadPattern(test) ? test : { kind: 'regex', test, literal: literalOf(text) }
}

/** A list of names as some clients write it, with commas and spaces; null for what is none. */
export function listedNames(text: string): Matcher | null {
  if (!/^[A-Za-z0-9_\-|, ]+$/.test(text)) return null
  const names = text.split(/[|,]/).map((name) => name.trim())
  return { kind: 'names', names: new Set(names.filter((name) => name !== '')) }
}

/** Whether a list of names has an empty one, as in `Edit||Write`. */
export function hasEmptyName(text: string): boolean {
  return ONLY_NAMES.test(text) && text.split('|').includes('')
}

/** The plain text a pattern starts with, as far as no alternative or quantifier can take it away; perhaps nothing. */
function literalOf(pattern: string): string {
  if (pattern.includes('|')) return ''
  const [, plain = '', next = ''] = /^\^?([\w ]*)(.?)/s.exec(pattern) ?? []
  return '*?{+'.includes(next) && next !== '' ? plain.slice(0, -1) : plain
}
