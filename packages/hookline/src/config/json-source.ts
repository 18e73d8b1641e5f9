import {
  listRepeatedKeys,
  makeListNode,
  makeObjectNode,
  makePlaceFinder,
  type RepeatedKey,
  type SourceField,
  type SourceNode,
} from './source.ts'
import type { JsonSource } from './tolerant-json.ts'

/** Reads JSON with places; comments, trailing commas and a byte order mark are tolerated and remarked on. */
export async function parseJsonSource(text: string): Promise<JsonSource> {
  try {
    if (!isStrict(text)) {
      const { parseTolerantly } = await import('./tolerant-json.ts')
      return parseTolerantly(text)
    }
    const root = parseToNodes(text)
    return { root, repeated: listRepeatedKeys(root), remarks: [] }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error // the parser calls itself for every level, and a deep text exhausts the stack
    return { fault: { line: 1, column: 1, message: 'is nested too deeply' } }
  }
}

function isStrict(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false // the text may still be more than JSON
  }
}

/** Strings, brackets and what stands between the separators: all that a text is made of that is JSON. */
const JSON_TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]|[^\s,:{}[\]"]+/g

/** The tree of a text that is JSON for sure. Most settings are, and word by word is several times quicker than letter by letter. */
function parseToNodes(text: string): SourceNode {
  const place = makePlaceFinder(text)
  const words = text.matchAll(JSON_TOKENS)
  const readNextWord = (): RegExpExecArray => {
    const { value: word } = words.next()
    if (word === undefined) throw new TypeError('JSON.parse took a text that ends too soon')
    return word
  }
  const toNode = ({ 0: word, index }: RegExpExecArray): SourceNode => {
    const at = place(index)
    if (word === '[') {
      const items: SourceNode[] = []
      for (let item = readNextWord(); item[0] !== ']'; item = readNextWord()) items.push(toNode(item))
      return makeListNode(at, items)
    }
    if (word !== '{') return { ...at, value: JSON.parse(word) }
    const fields = new Map<string, SourceField>()
    const repeated: RepeatedKey[] = []
    for (let key = readNextWord(); key[0] !== '}'; key = readNextWord()) {
      const name: string = JSON.parse(key[0])
      const earlier = fields.get(name)?.node
      if (earlier) repeated.push({ ...place(key.index), key: name, earlier })
      fields.set(name, { key: place(key.index), node: toNode(readNextWord()) })
    }
    return makeObjectNode(at, fields, repeated)
  }
  return toNode(readNextWord())
}
