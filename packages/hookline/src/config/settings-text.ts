import type { Node } from 'jsonc-parser'
import { HooklineError } from '../files/error.ts'
import { jsonTree } from '../files/json-edit.ts'
import { insertMember } from './insert-member.ts'
import { removeMember } from './remove-member.ts'

/** A hook to be written into a settings file. */
export interface NewHook {
  readonly event: string
  readonly matcher?: string
  readonly hook: Readonly<Record<string, unknown>>
}

/** Where a hook stands in a settings file, counted from 0. */
export interface HookPlace {
  readonly event: string
  readonly group: number
  readonly hook: number
}

/** A settings text with one more group; comments, order and formatting of the rest stay as they are. */
export function withHook(text: string, { event, matcher, hook }: NewHook): string {
  const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [hook] }
  const root = jsonTree(text)
  const hooks = memberOf(root, 'hooks')
  if (!hooks) return insertMember(text, root, { key: 'hooks', value: { [event]: [group] } })
  if (hooks.type !== 'object') throw new HooklineError('"hooks" is no object; mend it first. Nothing was written.')
  const groups = memberOf(hooks, event)
  if (!groups) return insertMember(text, hooks, { key: event, value: [group] })
  if (groups.type !== 'array') throw new HooklineError(`${event} is no list; mend it first. Nothing was written.`)
  return insertMember(text, groups, { key: null, value: group })
}

/**
 * A settings text without a hook. Its group goes with it when it was the only one; so do the list and the object that
 * `withHook` made: what was added and is removed leaves the text as it was, to the byte.
 */
export function withoutHook(text: string, { event, group: groupAt, hook: hookAt }: HookPlace): string {
  const hooks = memberOf(jsonTree(text), 'hooks')
  const groups = hooks && memberOf(hooks, event)
  const group = groups?.type === 'array' ? groups.children?.[groupAt] : undefined
  if (!groups || !group) throw new HooklineError(`There is no group ${groupAt} of ${event}. Nothing was written.`)
  const list = memberOf(group, 'hooks')
  const hook = list?.type === 'array' ? list.children?.[hookAt] : undefined
  if (!list || !hook || list.children?.length === 1) return removeMember(text, groups, group)
  return removeMember(text, list, hook)
}

/** The value of a property; of a repeated one the last counts. */
function memberOf({ type, children = [] }: Node, name: string): Node | undefined {
  if (type !== 'object') return undefined
  return children.findLast(({ children: [key] = [] }) => key?.value === name)?.children?.[1]
}
