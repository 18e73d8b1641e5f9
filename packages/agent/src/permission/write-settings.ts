import { isDeepStrictEqual } from 'node:util'
import { HooklineError } from 'hookline'
import { applyEdits, getNodeValue, type JSONPath, modify, type Node, parseTree } from 'jsonc-parser'

/** A change to one member of `permissions`: texts added to a list or taken from it, or a new value. */
export type SettingsChange =
  | { readonly key: string; readonly add: readonly string[] }
  | { readonly key: string; readonly remove: readonly string[] }
  | { readonly key: string; readonly value: string | readonly string[] }

/**
 * A settings text with `permissions` changed, and the rest as it is written. Throws a HooklineError for a text that has no
 * place for the change.
 */
export function withPermission(source: string, change: SettingsChange): string {
  const mark = source.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  const after = changed(source.slice(mark.length), change)
  if (after === null) throw new HooklineError('"permissions" in the file has an unexpected shape; fix it first.')
  return `${mark}${after}`
}

const BYTE_ORDER_MARK = '\uFEFF'

/** The changed text; null when the text has no place for the change. */
function changed(text: string, change: SettingsChange): string | null {
  const { key } = change
  const permissions = memberOf(rootOf(text), 'permissions')
  if (permissions && permissions.type !== 'object') return null
  const node = memberOf(permissions, key)
  const current: unknown = node && getNodeValue(node)
  if (node && node.type !== 'array' && !('value' in change)) return null
  const list: readonly unknown[] = Array.isArray(current) ? current : []
  const result = edited(text, { change, list, exists: node !== undefined })
  const kept = memberOf(memberOf(rootOf(result), 'permissions'), key)
  return isDeepStrictEqual(kept && getNodeValue(kept), expected(change, list, current)) ? result : null
}

function rootOf(text: string): Node | undefined {
  return parseTree(text, [], { allowTrailingComma: true })
}

/** The value of a property; of a repeated one the last counts. */
function memberOf(node: Node | undefined, name: string): Node | undefined {
  if (node?.type !== 'object') return undefined
  return node.children?.findLast(({ children: [key] = [] }) => key?.value === name)?.children?.[1]
}

interface Edited {
  readonly change: SettingsChange
  readonly list: readonly unknown[]
  readonly exists: boolean
}

function edited(text: string, { change, list, exists }: Edited): string {
  const at: JSONPath = ['permissions', change.key]
  if ('value' in change) return edit(text, at, change.value)
  if ('remove' in change) {
    const places = list.flatMap((entry, index) => (change.remove.some((each) => each === entry) ? [index] : []))
    return places.reverse().reduce((result, index) => edit(result, [...at, index], undefined), text)
  }
  const fresh = [...new Set(change.add)].filter((each) => !list.includes(each))
  if (fresh.length === 0) return text
  if (!exists || list.length === 0) return edit(text, at, fresh)
  return fresh.reduce((result, each, index) => edit(result, [...at, list.length + index], each, { insert: true }), text)
}

function expected(change: SettingsChange, list: readonly unknown[], current: unknown): unknown {
  if ('value' in change) return change.value
  if ('add' in change) {
    const fresh = [...new Set(change.add)].filter((each) => !list.includes(each))
    return fresh.length === 0 ? current : [...list, ...fresh]
  }
  return current === undefined ? undefined : list.filter((entry) => !change.remove.some((each) => each === entry))
}

function edit(text: string, path: JSONPath, value: unknown, { insert = false } = {}): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: text.includes('\r\n') ? '\r\n' : '\n' }
  return applyEdits(text, modify(text, path, value, { formattingOptions, isArrayInsertion: insert }))
}
