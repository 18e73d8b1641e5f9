import { type Enclosure, readText } from 'hookline/internal'
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'

/** Where something stands in a file, counted from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** What came of reading a settings file; comments and trailing commas are tolerated. */
export type SettingsText =
  | { readonly read: 'missing' }
  | ({ readonly read: 'unusable'; readonly reason: string } & Place)
  | { readonly read: 'settings'; readonly text: string; readonly root: Node }

const BYTE_ORDER_MARK = '\uFEFF'
const START: Place = { line: 1, column: 1 }

/** Reads a settings file. Never throws. */
export async function readSettingsText(path: string, inside: Enclosure | null = null): Promise<SettingsText> {
  const content = await readText(path, { inside })
  if (content.read === 'missing') return { read: 'missing' }
  if (content.read === 'unreadable') return { read: 'unusable', reason: content.reason, ...START }
  return parseSettingsText(content.text)
}

/** Reads a settings text. Never throws. */
export function parseSettingsText(source: string): SettingsText & { read: 'settings' | 'unusable' } {
  const text = source.startsWith(BYTE_ORDER_MARK) ? source.slice(1) : source
  const errors: ParseError[] = []
  let root: Node | undefined
  try {
    root = parseTree(text, errors, { allowTrailingComma: true })
  } catch {
    return { read: 'unusable', reason: 'is nested too deeply', ...START } // the stack of a parser that goes down with it
  }
  const [error] = errors
  if (error) return { read: 'unusable', reason: `is not JSON: ${inWords(error)}`, ...placeIn(text, error.offset) }
  if (root?.type !== 'object') return { read: 'unusable', reason: 'is JSON, but no object', ...START }
  return { read: 'settings', text, root }
}

/** The line and column of an offset. */
function placeIn(text: string, offset: number): Place {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

/** The value of a property; of a repeated one the last counts. */
export function memberOf(node: Node | undefined, name: string): Node | undefined {
  if (node?.type !== 'object') return undefined
  return node.children?.findLast(({ children: [key] = [] }) => key?.value === name)?.children?.[1]
}

function inWords({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
}
