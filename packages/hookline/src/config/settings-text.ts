import { isDeepStrictEqual } from 'node:util'
import { applyEdits, getNodeValue, modify } from 'jsonc-parser'
import { HooklineError } from '../files/error.ts'
import {
  findLineEnding,
  findMember,
  insertMember,
  type JsonNode,
  parseJsonTree,
  removeMember,
} from '../files/json-edit.ts'

/** A hook to be written into a settings file. */
export interface NewHook {
  readonly event: string
  readonly matcher?: string | undefined
  readonly hook: Readonly<Record<string, unknown>>
}

/** Place of a hook in a settings file, counted from 0. */
export interface HookPlace {
  readonly event: string
  readonly group: number
  readonly hook: number
}

/** A settings text with one more group; comments, order and formatting of the rest stay as they are. */
export function addHookText(text: string, { event, matcher, hook }: NewHook): string {
  const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [hook] }
  const root = parseJsonTree(text)
  const hooks = findMember(root, 'hooks')
  if (!hooks) return insertMember(text, root, { key: 'hooks', value: { [event]: [group] } })
  if (hooks.type !== 'object') throw new HooklineError('"hooks" is not an object; fix it first. Nothing was written.')
  const groups = findMember(hooks, event)
  if (!groups) return insertMember(text, hooks, { key: event, value: [group] })
  if (groups.type !== 'array') throw new HooklineError(`${event} is not a list; fix it first. Nothing was written.`)
  return insertMember(text, groups, { key: null, value: group })
}

/**
 * A settings text without a hook. Its group goes with it when it was the only one, and so does the list of its event: no
 * empty list is left. What was added and is removed leaves the text as it was, to the byte.
 */
export function removeHookText(text: string, { event, group: groupAt, hook: hookAt }: HookPlace): string {
  const hooks = findMember(parseJsonTree(text), 'hooks')
  const groups = findMember(hooks, event)
  const group = groups?.type === 'array' ? groups.children?.[groupAt] : undefined
  if (!groups || !group) throw new HooklineError(`There is no group ${groupAt} of ${event}. Nothing was written.`)
  const list = findMember(group, 'hooks')
  const hook = list?.type === 'array' ? list.children?.[hookAt] : undefined
  const isOnly = !list || !hook || list.children?.length === 1
  const isLast = isOnly && groups.children?.length === 1 && !hasComments(readTextBeside(text, groups, group))
  if (isLast && hooks && groups.parent) return removeMember(text, hooks, groups.parent)
  return isOnly ? removeMember(text, groups, group) : removeMember(text, list, hook)
}

/**
 * A settings text with these members of its root moved into `hooks`, behind what stands there; groups of an event that is
 * there already become one list. Null where that cannot be done without a loss: a comment in what is moved, or another shape.
 */
export function moveIntoHooks(text: string, events: readonly string[]): string | null {
  return events.reduce<string | null>((moved, event) => moved && moveEvent(moved, event), text)
}

function moveEvent(text: string, event: string): string | null {
  const before = parseJsonTree(text)
  const member = findMember(before, event)?.parent
  const value: unknown = member?.children?.[1] && getNodeValue(member.children[1])
  if (!member || !Array.isArray(value) || hasComments(text.slice(member.offset, member.offset + member.length)))
    return null
  const hooks = findMember(before, 'hooks')
  const there = findMember(hooks, event)
  if ((hooks && hooks.type !== 'object') || (there && there.type !== 'array')) return null
  const rest = removeMember(text, before, member)
  const inside = findMember(parseJsonTree(rest), 'hooks')
  if (!inside) return insertMember(rest, parseJsonTree(rest), { key: 'hooks', value: { [event]: value } })
  if (!there) return insertMember(rest, inside, { key: event, value })
  return value.reduce((result: string, group) => {
    const groups = findMember(findMember(parseJsonTree(result), 'hooks'), event)
    return groups ? insertMember(result, groups, { key: null, value: group }) : result
  }, rest)
}

/** Reads the text of a list beside one of its elements. */
function readTextBeside(text: string, list: JsonNode, element: JsonNode): string {
  return (
    text.slice(list.offset, element.offset) + text.slice(element.offset + element.length, list.offset + list.length)
  )
}

/** A string; one that is not closed goes to the end: else each of its letters would be a start to try. */
const STRING = /"(?:[^"\\]|\\.)*(?:"|\\?$)/gs

function hasComments(text: string): boolean {
  return text.replaceAll(STRING, '').includes('/')
}

/** A change to one member of an object among the settings: strings added to its list or taken from it, or a new value. */
export type MemberChange =
  | { readonly add: readonly string[] }
  | { readonly remove: readonly string[] }
  | { readonly value: string | readonly string[] }

const BYTE_ORDER_MARK = '\uFEFF'

/**
 * A settings text with a member of an object changed, such as `['permissions', 'allow']`, and the rest as it is written.
 * Throws a HooklineError for a text that has no place for the change.
 */
export function changeMember(source: string, [key, name]: readonly [string, string], change: MemberChange): string {
  const mark = source.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  const text = source.slice(mark.length)
  const readValue = (json: string): unknown => {
    const node = findMember(findMember(parseJsonTree(json), key), name)
    return node && getNodeValue(node)
  }
  const before = readValue(text)
  const object = findMember(parseJsonTree(text), key)
  const fits =
    (!object || object.type === 'object') && (before === undefined || Array.isArray(before) || 'value' in change)
  const after = fits ? writeChangedMember(text, [key, name], { change, before }) : text
  if (!fits || !isDeepStrictEqual(readValue(after), makeExpectedValue(change, before)))
    throw new HooklineError(`"${key}" in the file has an unexpected shape; fix it first.`)
  return `${mark}${after}`
}

interface ChangeOfMember {
  readonly change: MemberChange
  /** Value of the member now. */
  readonly before: unknown
}

function writeChangedMember(text: string, at: readonly [string, string], { change, before }: ChangeOfMember): string {
  if ('value' in change)
    return typeof change.value === 'string'
      ? writeStringMember(text, at, change.value)
      : applyEdit(text, at, change.value)
  const list: readonly unknown[] = Array.isArray(before) ? before : []
  if ('remove' in change) {
    const places = list.flatMap((entry, index) => (change.remove.some((each) => each === entry) ? [index] : []))
    return places.reverse().reduce((result, index) => applyEdit(result, [...at, index], undefined), text)
  }
  const fresh = listNewEntries(change.add, list)
  if (fresh.length === 0) return text
  if (list.length === 0) return applyEdit(text, at, fresh)
  return fresh.reduce(
    (result, each, index) => applyEdit(result, [...at, list.length + index], each, { insert: true }),
    text,
  )
}

/** A member that becomes a string; nothing around it is written anew. */
function writeStringMember(text: string, [key, name]: readonly [string, string], value: string): string {
  const root = parseJsonTree(text)
  const object = findMember(root, key)
  if (!object) return insertMember(text, root, { key, value: { [name]: value } })
  const member = findMember(object, name)
  if (!member) return insertMember(text, object, { key: name, value })
  return `${text.slice(0, member.offset)}${JSON.stringify(value)}${text.slice(member.offset + member.length)}`
}

function makeExpectedValue(change: MemberChange, before: unknown): unknown {
  if ('value' in change) return change.value
  const list: readonly unknown[] = Array.isArray(before) ? before : []
  if ('remove' in change)
    return before === undefined ? undefined : list.filter((entry) => !change.remove.some((each) => each === entry))
  const fresh = listNewEntries(change.add, list)
  return fresh.length === 0 ? before : [...list, ...fresh]
}

function listNewEntries(add: readonly string[], list: readonly unknown[]): string[] {
  return [...new Set(add)].filter((each) => !list.includes(each))
}

function applyEdit(text: string, path: readonly (string | number)[], value: unknown, { insert = false } = {}): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: findLineEnding(text) }
  return applyEdits(text, modify(text, [...path], value, { formattingOptions, isArrayInsertion: insert }))
}
