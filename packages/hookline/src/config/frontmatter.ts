import { listNode, objectNode, type Place, placesIn, type SourceField, type SourceNode } from './source.ts'

/** The YAML block at the head of a markdown file: its tree, nothing, or why it cannot be read. */
export type Frontmatter =
  | { readonly root: SourceNode }
  | { readonly none: true }
  | { readonly fault: Place & { message: string } }

/** No component says that much about itself, and reading it takes its time. */
const LONGEST_BLOCK = 64 * 1024

const BLOCK = /^\uFEFF?---[ \t]*\r?\n((?:[\s\S]*?\r?\n)?)---[ \t]*(?:\r?\n|$)/

/** Reads the frontmatter of a markdown file, with places in that file. The YAML reader is loaded when first needed. */
export async function parseFrontmatter(markdown: string): Promise<Frontmatter> {
  const block = BLOCK.exec(markdown)
  if (!block) return { none: true }
  if ((block[1] ?? '').length > LONGEST_BLOCK) {
    return { fault: { line: 1, column: 1, message: `is longer than ${LONGEST_BLOCK} characters` } }
  }
  const yaml = await import('yaml')
  const start = markdown.indexOf('\n') + 1
  const place = placesIn(markdown)
  const at = (offset: number): Place => place(start + offset)
  const document = yaml.parseDocument(block[1] ?? '', { version: '1.2', merge: false, uniqueKeys: false })
  const [error] = document.errors
  if (error) return { fault: { ...at(error.pos[0]), message: `is not YAML: ${error.message.split('\n')[0]}` } }

  const alias = findAlias(yaml, document)
  if (alias !== undefined) return { fault: { ...at(alias), message: 'uses a YAML alias, which is not followed here' } }

  const toSource = (node: unknown): SourceNode => {
    const here = at((yaml.isNode(node) && node.range?.[0]) || 0)
    if (yaml.isSeq(node)) return listNode(here, node.items.map(toSource))
    if (!yaml.isMap(node)) return { ...here, value: yaml.isScalar(node) ? node.value : null }
    const fields = new Map<string, SourceField>()
    for (const { key, value } of node.items) {
      const name = yaml.isScalar(key) ? String(key.value) : ''
      fields.set(name, { key: at((yaml.isNode(key) && key.range?.[0]) || 0), node: toSource(value) })
    }
    return objectNode(here, fields)
  }
  return { root: toSource(document.contents) }
}

/** Where the first alias stands; following them would let a small file grow without bound. */
function findAlias(yaml: typeof import('yaml'), document: import('yaml').Document): number | undefined {
  let offset: number | undefined
  yaml.visit(document, {
    Alias(_key, node) {
      offset = node.range?.[0] ?? 0
      return yaml.visit.BREAK
    },
  })
  return offset
}
