import { type Enclosure, parseFrontmatter, readText } from 'hookline/internal'

/** A markdown file with what stands at its head. */
export interface MarkdownFile {
  /** The fields of its frontmatter; none when it has none. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly body: string
  /** Why its hooks cannot be read; null: they can, or there are none. */
  readonly fault: string | null
}

const LARGEST_FILE = 1024 * 1024

/** Reads a markdown file; a text is why it cannot be read. Never throws. */
export async function readMarkdown(path: string, inside: Enclosure | null): Promise<MarkdownFile | string> {
  const content = await readText(path, { inside, largest: LARGEST_FILE })
  if (content.read === 'missing') return 'is gone'
  if (content.read === 'unreadable') return content.reason
  const { root, body, fault } = await parseFrontmatter(content.text)
  const fields = Object.fromEntries([...(root?.fields ?? [])].map(([name, { node }]) => [name, node.value]))
  const told = fault && `its hooks cannot be read (line ${fault.line}): ${fault.message}`
  return { fields, body: body.trim(), fault: told }
}
