import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { ReadingProblem } from './problem.ts'
import {
  listRepeatedKeys,
  makeListNode,
  makeObjectNode,
  makePlaceFinder,
  type Place,
  type RepeatedKey,
  type SourceField,
  type SourceNode,
} from './source.ts'

/** Value that a text has as JSON: its tree, or why it is none. */
export type JsonSource =
  | {
      readonly root: SourceNode
      /** Keys that stand twice in one object, wherever that is. */
      readonly repeated: readonly RepeatedKey[]
      /** Deviations that the tolerant reading let pass. */
      readonly remarks: readonly ReadingProblem[]
    }
  | { readonly fault: Place & { message: string } }

/** The most problems that are reported of one file. */
const MAX_LENIENCIES = 100

const BYTE_ORDER_MARK = '\uFEFF'
const MARKED: ReadingProblem = {
  rule: 'V-HK-26',
  line: 1,
  column: 1,
  message: 'The file starts with a byte order mark, which is not JSON.',
}

/** Reads what is not JSON as JSON with comments and trailing commas, as far as it is that. */
export function parseTolerantly(text: string): JsonSource {
  const place = makePlaceFinder(text)
  const hasMark = text.startsWith(BYTE_ORDER_MARK)
  const errors: ParseError[] = []
  const tree = parseTree(hasMark ? ` ${text.slice(1)}` : text, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error) return { fault: { ...place(error.offset), message: `is not JSON: ${describeParseError(error)}` } }
  if (!tree) return { fault: { line: 1, column: 1, message: 'is not JSON: it is empty' } }
  const remarks: ReadingProblem[] = [...(hasMark ? [MARKED] : []), ...findLeniencies(text)]
  const root = toSource(tree, place)
  return { root, repeated: listRepeatedKeys(root), remarks }
}

/** Finds where the text uses what only the tolerant reading allows. */
function findLeniencies(text: string): ReadingProblem[] {
  const errors: ParseError[] = []
  parseTree(text.replace(BYTE_ORDER_MARK, ' '), errors, { allowTrailingComma: false, disallowComments: true })
  const place = makePlaceFinder(text)
  const offsets = new Set<number>()
  const first = errors.filter(({ offset }) => !offsets.has(offset) && offsets.add(offset)).slice(0, MAX_LENIENCIES)
  return first.map((error) => {
    const what = printParseErrorCode(error.error) === 'InvalidCommentToken' ? 'A comment' : 'A trailing comma'
    return {
      ...place(error.offset),
      rule: 'V-HK-26',
      message: `${what} is not JSON: it is tolerated here, but Claude Code runs no hook of such a file.`,
    }
  })
}

function describeParseError({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
}

/** The tree with places. */
function toSource(node: Node, place: (offset: number) => Place): SourceNode {
  const at = place(node.offset)
  if (node.type === 'array')
    return makeListNode(
      at,
      (node.children ?? []).map((child) => toSource(child, place)),
    )
  if (node.type !== 'object') return { ...at, value: node.value }
  const fields = new Map<string, SourceField>()
  const repeated: RepeatedKey[] = []
  for (const { children: [key, value] = [] } of node.children ?? []) {
    if (!key || !value) continue
    const name = String(key.value)
    const earlier = fields.get(name)?.node
    if (earlier) repeated.push({ ...place(key.offset), key: name, earlier })
    fields.set(name, { key: place(key.offset), node: toSource(value, place) })
  }
  return makeObjectNode(at, fields, repeated)
}
