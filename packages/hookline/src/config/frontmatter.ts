import {
  makeObjectNode,
  makePlaceFinder,
  type Place,
  type RepeatedKey,
  type SourceField,
  type SourceNode,
} from './source.ts'
import type { YamlSource } from './yaml-source.ts'

/** A markdown file with what stands at its head. */
export interface Frontmatter {
  /** Fields; null when it has no frontmatter. */
  readonly root: SourceNode | null
  /** The text after the frontmatter. */
  readonly body: string
  /** Reason why its hooks cannot be read; null when they can, or when there are none. */
  readonly fault: (Place & { readonly message: string }) | null
}

/** A longer value is taken as the text that it is. */
const MAX_VALUE_CHARS = 64 * 1024

const BLOCK = /^\uFEFF?---[ \t]*\r?\n((?:[\s\S]*?\r?\n)?)---[ \t]*(?:\r?\n|$)/

/**
 * Reads the head of a markdown file as authors write it. Only `hooks` has to be YAML, and only that is given to the YAML
 * reader, which is loaded when first needed; of every other field a value that is odd as YAML counts as the text that
 * it is. Takes time in proportion to the text, whatever stands in it.
 */
export async function parseFrontmatter(markdown: string): Promise<Frontmatter> {
  const found = BLOCK.exec(markdown)
  if (!found) return { root: null, body: markdown.replace(/^\uFEFF/, ''), fault: null }
  const [whole, block = ''] = found
  const start = markdown.indexOf('\n') + 1
  const place = makePlaceFinder(markdown)
  const findBlockPlace = (offset: number): Place => place(start + offset)
  return { ...(await readFields(block, findBlockPlace)), body: markdown.slice(whole.length) }
}

async function parseYaml(text: string, at: (offset: number) => Place): Promise<YamlSource> {
  return (await import('./yaml-source.ts')).parseYaml(text, at)
}

/** A field with the lines that belong to it. */
interface FrontmatterEntry {
  readonly key: string
  /** Beginning of the first line, and end of the last one. */
  readonly start: number
  end: number
  /** Place of the key, and what follows the key's colon. */
  readonly keyAt: number
  readonly valueAt: number
  readonly first: string
  readonly rest: string[]
}

type FrontmatterFields = Pick<Frontmatter, 'root' | 'fault'>

async function readFields(block: string, at: (offset: number) => Place): Promise<FrontmatterFields> {
  if (/^\s*\{/.test(block)) return readFlowFields(block, at)
  const { entries, fault } = splitEntries(block)
  const fields = new Map<string, SourceField>()
  const repeated: RepeatedKey[] = []
  let wrong = fault
  for (const entry of entries) {
    const key = at(entry.keyAt)
    const earlier = fields.get(entry.key)?.node
    if (earlier) repeated.push({ ...key, key: entry.key, earlier })
    if (entry.key !== 'hooks') {
      fields.set(entry.key, { key, node: { ...at(entry.valueAt), value: readWrittenValue(entry.first, entry.rest) } })
      continue
    }
    if (fields.has('hooks')) wrong ??= { offset: entry.keyAt, message: 'they appear twice' }
    const read = await parseYaml(block.slice(entry.start, entry.end), (offset) => at(entry.start + offset))
    const node = 'root' in read ? read.root.fields?.get('hooks')?.node : undefined
    if ('fault' in read) wrong ??= { ...read.fault, offset: entry.start + read.fault.offset }
    fields.set('hooks', { key, node: node ?? { ...at(entry.valueAt), value: null } })
  }
  if (wrong) fields.delete('hooks')
  const root = makeObjectNode(at(0), fields, repeated)
  return { root, fault: wrong ? { ...at(wrong.offset), message: wrong.message } : null }
}

interface Wrong {
  readonly offset: number
  readonly message: string
}

/** Frontmatter that is written as one `{…}`: all of it has to be YAML. */
async function readFlowFields(block: string, at: (offset: number) => Place): Promise<FrontmatterFields> {
  const read = await parseYaml(block, at)
  if ('root' in read) return { root: read.root, fault: null }
  const { offset, message } = read.fault
  return { root: makeObjectNode(at(0), new Map()), fault: block.includes('hooks') ? { ...at(offset), message } : null }
}

/** A key of hooks in a form that only YAML knows: after a question mark, a tag or an anchor. */
const HIDDEN_HOOKS = /^(?:[?]\s|[&!]\S*\s)+\s*["']?hooks["']?\s*(?::|$)/
const INDENTED_HOOKS = /^["']?hooks["']?[ \t]*:(?:[ \t]|$)/

/** The fields by their lines: each goes on until a line that is not indented further names the next one. */
function splitEntries(block: string): { entries: FrontmatterEntry[]; fault: Wrong | null } {
  const entries: FrontmatterEntry[] = []
  let fault: Wrong | null = null
  let base: number | null = null
  let current: FrontmatterEntry | null = null
  for (const { line, start, end } of iterateLines(block)) {
    const text = line.trimStart()
    const indent = line.length - text.length
    const isContent = text !== '' && !text.startsWith('#')
    if (isContent) base ??= indent
    if (text === '...') {
      current = null
      continue
    }
    const isTop = isContent && base !== null && indent <= base && !/^-(?:\s|$)/.test(text)
    const next = isTop ? readFieldStart(line, { start, end, indent }) : null
    if (next) {
      current = next
      entries.push(next)
      continue
    }
    if (isTop && HIDDEN_HOOKS.test(text))
      fault ??= { offset: start + indent, message: 'write the key as hooks: at the start of a line' }
    if (!current) continue
    if (INDENTED_HOOKS.test(text) && isPlainValue(current.first))
      fault ??= { offset: start + indent, message: `they are indented as if they belonged to "${current.key}"` }
    current.rest.push(line)
    current.end = end
  }
  return { entries, fault }
}

function* iterateLines(block: string): Generator<{ line: string; start: number; end: number }> {
  for (let start = 0; start < block.length; ) {
    const found = block.indexOf('\n', start)
    const end = found < 0 ? block.length : found + 1
    yield { line: block.slice(start, end).trimEnd(), start, end }
    start = end
  }
}

function readFieldStart(
  line: string,
  { start, end, indent }: { start: number; end: number; indent: number },
): FrontmatterEntry | null {
  const colon = line.search(/:(?=[ \t]|$)/)
  if (colon < 0) return null
  const [, double, single, plain] =
    /^(?:"([^"\\]*)"|'([^']*)'|([\p{L}\p{N}_$].*))$/u.exec(line.slice(indent, colon).trimEnd()) ?? []
  const key = double ?? single ?? plain
  if (key === undefined) return null
  const after = line.slice(colon + 1)
  const first = after.trim()
  const valueAt = start + colon + 1 + (after.length - after.trimStart().length)
  return { key, start, end, keyAt: start + indent, valueAt, first, rest: [] }
}

/** True if a value is a text without quotes that begins beside its key. */
function isPlainValue(first: string): boolean {
  return first !== '' && !/^["'|>[{]/.test(first)
}

/** Value of a field: a text, a list of texts, true, false or nothing. */
function readWrittenValue(first: string, rest: readonly string[]): unknown {
  const style = /^([|>])[-+\d]*(?:\s+#.*)?$/.exec(first)?.[1]
  if (style) return joinBlockText(rest, { folded: style === '>' })
  const lines = rest.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  if (first === '' || first.startsWith('#')) {
    if (lines.length === 0) return null
    if (/^-(?:\s|$)/.test(lines[0] ?? '')) return readDashList(lines)
  }
  const text = [first.startsWith('#') ? '' : first, ...lines].join(' ').trim()
  return text.length > MAX_VALUE_CHARS ? text : (readFlowList(text) ?? readScalar(text))
}

/** The lines of a `|` or `>` text, without their common indent; a `>` text has its single line breaks as spaces. */
function joinBlockText(lines: readonly string[], { folded }: { folded: boolean }): string {
  const indents = lines.filter((line) => line !== '').map((line) => line.length - line.trimStart().length)
  const indent = indents.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY)
  const text = lines
    .map((line) => line.slice(indent))
    .join('\n')
    .trim()
  return folded ? text.replace(/(?<!\n)\n(?!\n)/g, ' ').replace(/\n\n/g, '\n') : text
}

/** The elements after dashes; a line without one goes on with the element before. */
function readDashList(lines: readonly string[]): unknown[] {
  const texts: string[] = []
  for (const line of lines) {
    const [, text] = /^-(?:\s+(.*))?$/.exec(line) ?? [null, null]
    if (text === null) texts.push(`${texts.pop() ?? ''} ${line}`)
    else texts.push(text ?? '')
  }
  return texts.map(readScalar)
}

/** The elements of `[a, b]`; null for another text, such as `[a] [b]`. */
function readFlowList(written: string): unknown[] | null {
  const text = written.replace(/\]\s+#.*$/, ']')
  if (!text.startsWith('[') || !text.endsWith(']')) return null
  const inner = text.slice(1, -1)
  const items = splitAtCommas(inner, { parentheses: true }) ?? splitAtCommas(inner, { parentheses: false })
  return items?.map((one) => readScalar(one.trim())) ?? null
}

/** A text at its commas outside of quotes, and of parentheses where these count; null where it is no list of texts. */
function splitAtCommas(text: string, { parentheses }: { parentheses: boolean }): string[] | null {
  const items: string[] = []
  let item = ''
  let quote = ''
  let depth = 0
  for (const letter of text) {
    if (quote !== '') quote = letter === quote ? '' : quote
    else if ((letter === '"' || letter === "'") && item.trim() === '') quote = letter
    else if (letter === '(' && parentheses) depth++
    else if (letter === ')' && parentheses) depth--
    else if (depth <= 0 && /[[\]{}]/.test(letter)) return null
    if (letter === ',' && quote === '' && depth <= 0) {
      items.push(item)
      item = ''
    } else item += letter
  }
  if (item.trim() !== '') items.push(item)
  return depth === 0 ? items : null
}

const CONSTANTS: ReadonlyMap<string, unknown> = new Map([
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
  ['', null],
  ['~', null],
  ['null', null],
  ['Null', null],
  ['NULL', null],
])

/** A text without its quotes or the comment after it; numbers stay texts. */
function readScalar(text: string): unknown {
  const [, single] = /^'((?:[^']|'')*)'(?:\s+#.*)?$/.exec(text) ?? []
  if (single !== undefined) return single.replaceAll("''", "'")
  const [, double] = /^("(?:[^"\\]|\\.)*")(?:\s+#.*)?$/.exec(text) ?? []
  if (double !== undefined) return unescapeQuoted(double)
  const comment = text.search(/\s#/)
  const plain = comment < 0 ? text : text.slice(0, comment).trimEnd()
  return CONSTANTS.has(plain) ? CONSTANTS.get(plain) : plain
}

function unescapeQuoted(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted.slice(1, -1) // an escape that only YAML has
  }
}
