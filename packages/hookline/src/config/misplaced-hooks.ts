import { findOtherProfile } from '../protocol/other-profiles.ts'
import type { Profile } from '../protocol/profile.ts'
import { clipName, findNearest } from '../text/nearest.ts'
import { findModulesNode } from './modules.ts'
import { makeProblem, type Problem } from './problem.ts'
import type { SettingsFile } from './settings-file.ts'
import type { SourceField, SourceNode } from './source.ts'

/** The one key of a settings file under which hooks are read. */
const KEY = 'hooks'

/** Finds members at the root of a file that were meant to be read as hooks: none of it runs. */
export function findMisplacedHooks(
  { scope, file, path, root }: Pick<SettingsFile, 'scope' | 'file' | 'path' | 'root'>,
  profile: Pick<Profile, 'name' | 'events'>,
): Problem[] {
  if (!root?.fields) return []
  const rule = scope === 'plugin' ? 'V-HK-02' : 'V-HK-49' // only a plugin's file is for nothing but hooks
  const found: Problem[] = []
  for (const [name, field] of root.fields) {
    const message = name === KEY ? null : describeMisplacement(name, field, { root, profile })
    if (message !== null) found.push(makeProblem(file, { rule, ...toPlace(field.key), message }))
  }
  if (found.length > 0 || scope !== 'plugin' || root.fields.has(KEY) || findModulesNode({ path, root })) return found
  const message = 'A plugin\'s hooks.json needs "hooks" at its root.'
  return [makeProblem(file, { rule: 'V-HK-02', ...toPlace(root), message })]
}

interface RootContext {
  readonly root: SourceNode
  readonly profile: Pick<Profile, 'name' | 'events'>
}

function describeMisplacement(name: string, { node }: SourceField, { root, profile }: RootContext): string | null {
  if (isMisplacedEvent(name, node, profile)) {
    const where = root.fields?.has(KEY) ? 'beside "hooks"' : 'at the root'
    return `"${name}" is ${where}, where nothing reads it. Move it into "hooks".`
  }
  if (!isMisspeltKey(name, node, profile)) return null
  const taken = root.fields?.has(KEY) === true
  return `Nothing reads "${clipName(name)}": the key is "hooks". ${taken ? 'Move what it holds there.' : 'Rename it.'}`
}

/** True if a key at the root is an event, of this profile or of another, with groups under it. */
export function isMisplacedEvent(
  name: string,
  node: SourceNode,
  { name: profile, events }: RootContext['profile'],
): boolean {
  const isEvent = events.has(name) || findOtherProfile('events', name, profile) !== null
  return isEvent && (node.items !== undefined || node.fields !== undefined)
}

/** True if a key at the root is `hooks`, misspelt: in other letters, or nearly and with an event in it. */
export function isMisspeltKey(name: string, { fields, items }: SourceNode, profile: RootContext['profile']): boolean {
  if (name === KEY || (fields === undefined && items === undefined)) return false
  if (/^\s*hooks?\s*$/i.test(name)) return true
  const holdsEvent = [...(fields ?? [])].some(([event, { node }]) => isMisplacedEvent(event, node, profile))
  return holdsEvent && findNearest(name, [KEY]) !== undefined
}

/** True if a file that is not read as settings holds hooks all the same, under `hooks` or without it. */
export function isHoldingHooks(root: SourceNode, profile: RootContext['profile']): boolean {
  const under = root.fields?.get(KEY)?.node.fields ?? []
  return [...(root.fields ?? []), ...under].some(([name, { node }]) => isMisplacedEvent(name, node, profile))
}

const toPlace = ({ line, column }: { line: number; column: number }) => ({ line, column })
