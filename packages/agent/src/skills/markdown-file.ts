import { type Enclosure, readText } from 'hookline/internal'
import { type Configuration, type Frontmatter, parseFrontmatter } from 'hookline/settings'

/** A markdown file with what stands at its head. */
export interface MarkdownFile {
  /** The fields of its frontmatter; none when it has none. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly body: string
  /** Reason why its hooks cannot be read; null: they can, or there are none. */
  readonly fault: string | null
}

const MAX_MARKDOWN_BYTES = 1024 * 1024

/** Owner of a file, and what it must not lead out of. */
interface FileOwner {
  readonly ofProject: boolean
  readonly inside: Enclosure | null
  /** Configuration that the engine has read. */
  readonly configuration: Pick<Configuration, 'components'>
}

/**
 * Reads a markdown file; a text is why it cannot be read. One of the project is what the engine read of it and the user was
 * shown, whatever it says by now. Never throws.
 */
export async function readMarkdown(
  path: string,
  { ofProject, inside, configuration }: FileOwner,
): Promise<MarkdownFile | string> {
  const shown = configuration.components.find((component) => component.path === path)
  if (shown && ofProject) return toMarkdownFile(shown)
  const content = await readText(path, { inside, largest: MAX_MARKDOWN_BYTES })
  if (content.read === 'missing') return 'is gone'
  if (content.read === 'unreadable') return content.reason
  return ofProject ? 'was not there when the session began' : toMarkdownFile(await parseFrontmatter(content.text))
}

function toMarkdownFile({ root, body, fault }: Frontmatter): MarkdownFile {
  const fields = Object.fromEntries([...(root?.fields ?? [])].map(([name, { node }]) => [name, node.value]))
  const told = fault && `its hooks cannot be read (line ${fault.line}): ${fault.message}`
  return { fields, body: body.trim(), fault: told }
}
