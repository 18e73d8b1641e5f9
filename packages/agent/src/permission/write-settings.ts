import { isDeepStrictEqual } from 'node:util'
import { replaceFile, withLock } from 'hookline/internal'
import { applyEdits, getNodeValue, type JSONPath, modify } from 'jsonc-parser'
import { isBelow, realPathOf } from './real-path.ts'
import { memberOf, parseSettingsText, readSettingsText } from './settings-text.ts'

/** A change to one member of `permissions`: texts added to a list or taken from it, or a new value. */
export type SettingsChange =
  | { readonly key: string; readonly add: readonly string[] }
  | { readonly key: string; readonly remove: readonly string[] }
  | { readonly key: string; readonly value: string | readonly string[] }

/**
 * Changes `permissions` in a settings file, in one step, and keeps the rest of the file as it is written; what others
 * write at the same time is not lost. Resolves with why it could not: the file is then as it was. `home` is the folder
 * that the file must not lead out of.
 */
export async function changeSettings(
  path: string,
  { home, change }: { readonly home: string | null; readonly change: SettingsChange },
): Promise<string | null> {
  const target = realPathOf(path)
  if (home !== null && !isBelow(target, realPathOf(home))) return `${path} is a link that leads out of the project.`
  try {
    return await withLock(target, () => rewrite(target, change))
  } catch (error) {
    return error instanceof Error ? error.message : String(error) // no lock, no room, no right to write
  }
}

async function rewrite(path: string, change: SettingsChange): Promise<string | null> {
  const content = await readSettingsText(path)
  if (content.read === 'unusable') return `${path}:${content.line}:${content.column} ${content.reason}; fix it first.`
  const before = content.read === 'missing' ? '{}' : content.text
  const after = changed(before, change)
  if (after === null) return `"permissions" in ${path} has an unexpected shape; fix it first.`
  if (after !== before) await replaceFile(path, after)
  return null
}

/** The changed text; null when the text has no place for the change. */
function changed(text: string, change: SettingsChange): string | null {
  const { key } = change
  const root = parseSettingsText(text)
  if (root.read === 'unusable') return null
  const permissions = memberOf(root.root, 'permissions')
  if (permissions && permissions.type !== 'object') return null
  const node = memberOf(permissions, key)
  const current: unknown = node && getNodeValue(node)
  if (node && node.type !== 'array' && !('value' in change)) return null
  const list: readonly unknown[] = Array.isArray(current) ? current : []
  const result = edited(text, { change, list, exists: node !== undefined })
  const reread = parseSettingsText(result)
  const kept = reread.read === 'settings' ? memberOf(memberOf(reread.root, 'permissions'), key) : undefined
  return isDeepStrictEqual(kept && getNodeValue(kept), expected(change, list, current)) ? result : null
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
