import { type Document, isMap, isNode, isScalar, isSeq, Lexer, parseDocument, visit } from 'yaml'
import {
  makeListNode,
  makeObjectNode,
  type Place,
  type RepeatedKey,
  type SourceField,
  type SourceNode,
} from './source.ts'

/** YAML as it was read, or why it was not. */
export type YamlSource =
  | { readonly root: SourceNode }
  | { readonly fault: { readonly offset: number; readonly message: string } }

/** No component has that many hooks, and reading them takes its time. */
const MAX_YAML_CHARS = 64 * 1024

/** Reads YAML of bounded length and depth, with places. */
export function parseYaml(text: string, at: (offset: number) => Place): YamlSource {
  const makeYamlFault = (offset: number, message: string) => ({ fault: { offset, message } })
  if (text.length > MAX_YAML_CHARS) return makeYamlFault(0, `they are longer than ${MAX_YAML_CHARS} characters`)
  if (isNestedTooDeeply(text)) return makeYamlFault(0, 'they are nested too deeply, or use the "?" of YAML')
  const document = parseDocument(text, { version: '1.2', merge: false, uniqueKeys: false, prettyErrors: false })
  const [error] = document.errors
  if (error) return makeYamlFault(error.pos[0], `not YAML: ${error.message}`)
  const alias = findAlias(document)
  if (alias !== undefined) return makeYamlFault(alias, 'they use a YAML alias, which is not followed here')

  const toSource = (node: unknown): SourceNode => {
    const here = at((isNode(node) && node.range?.[0]) || 0)
    if (isSeq(node)) return makeListNode(here, node.items.map(toSource))
    if (!isMap(node)) return { ...here, value: isScalar(node) ? node.value : null }
    const fields = new Map<string, SourceField>()
    const repeated: RepeatedKey[] = []
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : ''
      const place = at((isNode(key) && key.range?.[0]) || 0)
      const earlier = fields.get(name)?.node
      if (earlier) repeated.push({ ...place, key: name, earlier })
      fields.set(name, { key: place, node: toSource(value) })
    }
    return makeObjectNode(here, fields, repeated)
  }
  return { root: toSource(document.contents) }
}

/** Offset of the first alias; following them would let a small file grow without bound. */
function findAlias(document: Document): number | undefined {
  let offset: number | undefined
  visit(document, {
    Alias(_key, node) {
      offset = node.range?.[0] ?? 0
      return visit.BREAK
    },
  })
  return offset
}

/** No hand-written file nests deeper. */
const MAX_YAML_DEPTH = 64
const MAX_DASHES = 4

/**
 * True if a text must not be given to the YAML reader, which calls itself for every level: a full stack can end the
 * process. Its lexer does not: it takes one token after the other. Explicit keys (`? `) are never taken.
 */
export function isNestedTooDeeply(text: string): boolean {
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
    if (depth > MAX_YAML_DEPTH || indents.length > MAX_YAML_DEPTH || dashes > MAX_DASHES) return true
  }
  return false
}
