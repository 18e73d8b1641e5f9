import { readFile, stat } from 'node:fs/promises'

/** A markdown file with what stands at its head. */
export interface MarkdownFile {
  /** The fields of its frontmatter; none when it has none, or it cannot be read. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly body: string
  /** Why the frontmatter cannot be read; null: it can, or there is none. */
  readonly fault: string | null
}

const LARGEST_FILE = 1024 * 1024
const BLOCK = /^\uFEFF?---[ \t]*\r?\n((?:[\s\S]*?\r?\n)?)---[ \t]*(?:\r?\n|$)/

/** Reads a markdown file; a text is why it cannot be read. Never throws. */
export async function readMarkdown(path: string): Promise<MarkdownFile | string> {
  let text: string
  try {
    const stats = await stat(path)
    if (!stats.isFile()) return 'is no regular file'
    if (stats.size > LARGEST_FILE) return 'is larger than 1 MiB'
    text = await readFile(path, 'utf8')
  } catch (error) {
    return `cannot be read: ${error instanceof Error ? error.message : String(error)}` // whatever the system says
  }
  const [block = '', written = ''] = BLOCK.exec(text) ?? []
  const body = text.slice(block.length).trim()
  if (written.trim() === '') return { fields: {}, body, fault: null }
  return { ...(await fieldsIn(written)), body }
}

async function fieldsIn(written: string): Promise<Pick<MarkdownFile, 'fields' | 'fault'>> {
  const yaml = await import('yaml')
  try {
    const fields: unknown = yaml.parse(written, { version: '1.2', merge: false, maxAliasCount: 0 })
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
      return { fields: {}, fault: 'its frontmatter is no list of fields' }
    return { fields: { ...fields }, fault: null }
  } catch (error) {
    const [why] = error instanceof Error ? error.message.split('\n') : [String(error)]
    return { fields: {}, fault: `its frontmatter is not YAML: ${why}` } // what the person wrote there
  }
}
