import fc from 'fast-check'

type Literal = string | number | boolean

/** An expression as a tree, with the blanks and parentheses it is written with. */
export type Expression =
  | {
      readonly is: 'compare'
      readonly path: readonly string[]
      readonly operator: '==' | '!='
      readonly literal: Literal
    }
  | { readonly is: 'matches'; readonly path: readonly string[]; readonly pattern: string }
  | { readonly is: 'not'; readonly inner: Expression; readonly wrapped: boolean }
  | { readonly is: '&&'; readonly left: Expression; readonly right: Expression; readonly blank: string }
  | { readonly is: '||'; readonly left: Expression; readonly right: Expression; readonly blank: string }

// Each field is sometimes missing, and its values are of every type.
const FIELDS = ['a', 'b', 'command', '__proto__', 'constructor', '0', 'x-y']
const TEXTS = ['', 'a', 'Bash', 'rm -rf /', 'say "hi"', 'C:\\dir', '\\"', 'true', '1', 'ü\u2028🎣', '&& tool', 'null']
/** Patterns that mean the same in RE2 and in JavaScript. */
const PATTERNS = ['', '^$', 'a', '^Ba', 'rm\\s+-rf', '"', '\\\\[a-z]', '[a-z]+$', '(?:1|true)', '\\d']

const literal = fc.oneof(fc.constantFrom(...TEXTS), fc.constantFrom(0, -1, 1, 1.5, 1e21, 1e-7), fc.boolean())
const path = fc.oneof(
  fc.constant(['tool']),
  fc.array(fc.constantFrom(...FIELDS), { maxLength: 3 }).map((fields) => ['tool_input', ...fields]),
)
const comparison: fc.Arbitrary<Expression> = fc.oneof(
  fc.record({
    is: fc.constant('compare' as const),
    path,
    operator: fc.constantFrom('==' as const, '!=' as const),
    literal,
  }),
  fc.record({ is: fc.constant('matches' as const), path, pattern: fc.constantFrom(...PATTERNS) }),
)

const blank = fc.constantFrom('', ' ', '\n\t')

/** Random expressions. */
export const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    comparison,
    fc.record({ is: fc.constant('not' as const), inner: tie('expression'), wrapped: fc.boolean() }),
    fc.record({ is: fc.constant('&&' as const), left: tie('expression'), right: tie('expression'), blank }),
    fc.record({ is: fc.constant('||' as const), left: tie('expression'), right: tie('expression'), blank }),
  ),
}))

const value: fc.Arbitrary<unknown> = fc.oneof(literal, fc.constantFrom(null, undefined), fc.constant([]))
const { fields } = fc.letrec<{ fields: unknown }>((tie) => ({
  fields: fc.oneof(
    { depthSize: 'small' },
    value,
    fc
      .array(fc.tuple(fc.constantFrom(...FIELDS), tie('fields')), { maxLength: 4 })
      .map((members) => Object.fromEntries(members)),
  ),
}))

/** Inputs of tool events, with and without what an expression asks for. */
export const inputs: fc.Arbitrary<Record<string, unknown>> = fc.record(
  { tool_name: fc.constantFrom(...TEXTS), tool_input: fields },
  { requiredKeys: [] },
)

/** Writes an expression with no more parentheses than it needs, but for those it asks for. */
export function printedExpression(tree: Expression): string {
  switch (tree.is) {
    case 'compare':
      return `${tree.path.join('.')}${tree.operator} ${typeof tree.literal === 'string' ? quoted(tree.literal) : tree.literal}`
    case 'matches':
      return `${tree.path.join('.')} matches ${quoted(tree.pattern)}`
    case 'not':
      return `!${tree.wrapped ? `(${printedExpression(tree.inner)})` : operand(tree.inner, 3)}`
    case '&&':
      return `${operand(tree.left, 2)}${tree.blank}&&${tree.blank}${operand(tree.right, 2)}`
    case '||':
      return `${operand(tree.left, 1)}${tree.blank}||${tree.blank}${operand(tree.right, 1)}`
  }
}

const BINDING = { '||': 1, '&&': 2, not: 3, compare: 3, matches: 3 }

function operand(tree: Expression, binding: number): string {
  return BINDING[tree.is] < binding ? `( ${printedExpression(tree)} )` : printedExpression(tree)
}

/** No text here ends in a backslash: that cannot be written. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '\\"')}"`
}

/** What an expression says of an input: the protocol's words, without a thought of speed. */
export function evaluate(tree: Expression, input: Record<string, unknown>): boolean {
  if (tree.is === 'not') return !evaluate(tree.inner, input)
  if (tree.is === '&&') return evaluate(tree.left, input) && evaluate(tree.right, input)
  if (tree.is === '||') return evaluate(tree.left, input) || evaluate(tree.right, input)
  const found = fieldOf(input, tree.path[0] === 'tool' ? ['tool_name'] : tree.path)
  if (found === undefined) return false
  if (tree.is === 'matches') return typeof found === 'string' && new RegExp(tree.pattern).test(found)
  return tree.operator === '==' ? found === tree.literal : found !== tree.literal
}

function fieldOf(object: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return object
  const members: [string, unknown][] = typeof object === 'object' && object !== null ? Object.entries(object) : []
  const member = members.find(([key]) => key === name)
  return member === undefined ? undefined : fieldOf(member[1], rest)
}
