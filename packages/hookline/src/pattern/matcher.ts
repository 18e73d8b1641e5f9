import type { EventRow } from '../protocol/event-row.ts'
import type { MatcherRules, NameList } from '../protocol/rules.ts'
import { compileExpression, type InputTest } from './expression.ts'
import { type BadPattern, compileRegex, compileWithLookAround, isBadPattern, type Regex } from './regex.ts'

/** Compiled form of a matcher. */
export type Matcher =
  | { readonly kind: 'all' }
  | { readonly kind: 'names'; readonly names: ReadonlySet<string> }
  /** `literal` stands in every text it hits. */
  | { readonly kind: 'regex'; readonly test: Regex; readonly literal: string }
  | { readonly kind: 'expression'; readonly test: InputTest }
  /** Matcher that matches where one of these does: two protocols read it otherwise, and no one chose between them. */
  | { readonly kind: 'either'; readonly of: readonly SimpleMatcher[] }

/** A matcher that is read in one way. */
export type SimpleMatcher = Exclude<Matcher, { readonly kind: 'either' }>

/** The only field whose matchers may be expressions. */
export const TOOL_NAME = 'tool_name'

/** Notations of lists of exact names: what they are made of, and what stands between two names. */
const NAME_LISTS: Readonly<Record<NameList, { readonly only: RegExp; readonly between: RegExp }>> = {
  bars: { only: /^[A-Za-z0-9_\-|]+$/, between: /\|/ },
  'bars-and-commas': { only: /^[A-Za-z0-9_\-|, ]+$/, between: /(?<! ) *[|,] */ },
  'bars-without-hyphens': { only: /^[A-Za-z0-9_|]+$/, between: /\|/ },
}

const LOOKS_LIKE_EXPRESSION = /==|!=| matches |&&|\|\||^!/

/** True if a matcher is written as an expression, whatever the protocol makes of it. */
export function isLikeExpression(text: string): boolean {
  return LOOKS_LIKE_EXPRESSION.test(text)
}

/** Compilers of patterns, by the look-ahead that they may have. */
const PATTERNS: Readonly<Record<MatcherRules['lookAround'], (text: string) => Promise<Regex | BadPattern>>> = {
  bounded: compileWithLookAround,
  none: compileRegex,
}

/** Row that says how the matchers of an event are written. */
type MatchedRow = Pick<EventRow, 'matchOn' | 'matcherNames' | 'rules' | 'readings'>

/** The matcher of a group that has none. */
export const ALL: SimpleMatcher = { kind: 'all' }

/** Compiles what is written as a matcher of an event. */
export async function compileMatcher(text: string, row: MatchedRow): Promise<Matcher | BadPattern> {
  if (row.readings === undefined) return compileSimple(text, row)
  const [lead, other] = row.readings
  const [own, second] = [await compileSimple(text, lead.row), await compileSimple(text, other.row)]
  if (isBad(own)) return isBad(second) ? own : second
  return isBad(second) ? own : joinMatchers(own, second)
}

const isBad = (compiled: SimpleMatcher | BadPattern): compiled is BadPattern => 'problem' in compiled

/** A matcher that accepts what either of two does. */
function joinMatchers(own: SimpleMatcher, other: SimpleMatcher): Matcher {
  if (own.kind === 'all' || other.kind === 'all') return ALL
  if (own.kind === 'names' && other.kind === 'names')
    return { kind: 'names', names: new Set([...own.names, ...other.names]) }
  const isSame = own.kind === 'regex' && other.kind === 'regex' // of one text, by engines that take the same
  return isSame ? own : { kind: 'either', of: [own, other] }
}

/** The matchers that one consists of. */
export function listSimpleMatchers(matcher: Matcher): readonly SimpleMatcher[] {
  return matcher.kind === 'either' ? matcher.of : [matcher]
}

/** True if a matcher accepts an event with this input. */
export function isAccepting(
  matcher: Matcher,
  { matchOn, rules }: MatchedRow,
  input: Readonly<Record<string, unknown>>,
): boolean {
  const value = String(input[matchOn ?? ''])
  const { aliases, alsoShownAs } = rules.matchers
  const shown = alsoShownAs[matchOn ?? '']?.[value]?.value ?? value
  const names = [value, ...(aliases[matchOn ?? '']?.[value] ?? []), shown]
  return listSimpleMatchers(matcher).some((simple) => {
    if (simple.kind === 'names') return names.some((name) => simple.names.has(name))
    if (simple.kind === 'regex') return names.some((name) => simple.test(name))
    return simple.kind === 'all' || simple.test(input)
  })
}

async function compileSimple(text: string, row: MatchedRow): Promise<SimpleMatcher | BadPattern> {
  if (text === '' || text === '*') return ALL
  const names = splitNames(text, findNameList(row))
  if (names !== null) return makeNameMatcher(names)
  if (row.rules.matchers.expressions === 'read' && isLikeExpression(text)) {
    if (row.matchOn !== TOOL_NAME)
      return { problem: 'is an expression, and only tool events take expressions', offset: 0 }
    const test = await compileExpression(text)
    return typeof test === 'function' ? { kind: 'expression', test } : test
  }
  const test = await PATTERNS[row.rules.matchers.lookAround](text)
  return isBadPattern(test) ? test : { kind: 'regex', test, literal: readLiteral(text) }
}

/** A list of names as some clients write it, with commas and spaces; null for what is none. */
export function parseListedNames(text: string): Matcher | null {
  const names = splitNames(text, 'bars-and-commas')
  return names && makeNameMatcher(names)
}

function makeNameMatcher(listed: readonly string[]): SimpleMatcher {
  const names = new Set(listed)
  names.delete('')
  return { kind: 'names', names }
}

/** True if a list of names has an empty one, as in `Edit||Write`. */
export function hasEmptyName(text: string, row: MatchedRow): boolean {
  return splitNames(text, findNameList(row))?.includes('') ?? false
}

/** True if a matcher of an event is a list of exact names. */
export function isNameList(text: string, row: MatchedRow): boolean {
  return splitNames(text, findNameList(row)) !== null
}

function findNameList({ matcherNames, rules }: MatchedRow): NameList {
  return matcherNames ?? rules.matchers.names
}

/** The names of a list, empty ones included; null for what is none. */
function splitNames(text: string, list: NameList): string[] | null {
  const { only, between } = NAME_LISTS[list]
  return only.test(text) ? text.trim().split(between) : null
}

/** The plain text a pattern starts with, as far as no alternative or quantifier can take it away; perhaps nothing. */
function readLiteral(pattern: string): string {
  if (pattern.includes('|')) return ''
  const [, plain = '', next = ''] = /^\^?([\w ]*)(.?)/s.exec(pattern) ?? []
  return '*?{+'.includes(next) && next !== '' ? plain.slice(0, -1) : plain
}
