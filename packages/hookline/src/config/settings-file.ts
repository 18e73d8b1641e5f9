import { existsSync, lstatSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { formatPath } from '../files/paths.ts'
import { type FileText, makePluginEnclosure, makeProjectEnclosure, readText } from '../files/read.ts'
import type { FileScope } from '../protocol/scope.ts'
import { listSettingKeys } from '../protocol/setting-keys.ts'
import { removeControls } from '../text/clean.ts'
import { parseJsonSource } from './json-source.ts'
import { makeProblem, type Problem, READING_RULES, type ReadingProblem } from './problem.ts'
import { type ConfigPlaces, isUserFolderShared, SETTINGS_FILES, type WritableScope } from './scopes.ts'
import { listRepeatedKeys, makeObjectNode, type RepeatedKey, type SourceField, type SourceNode } from './source.ts'

/** A settings file to read. */
export interface SettingsPlace {
  readonly scope: FileScope
  readonly path: string
  readonly plugin: { readonly name: string; readonly root: string } | null
  readonly needsTrust: boolean
  /** Another file names it, so that it has to be there. */
  readonly named?: boolean
}

/** A settings file as it was read. */
export interface SettingsFile extends SettingsPlace {
  /** For showing: relative to the project inside it. */
  readonly file: string
  readonly content: FileText
  /** Root object; null when there is none to be had. */
  readonly root: SourceNode | null
  readonly problems: readonly Problem[]
  /** A key that stands twice among the hooks of a policy. Its protocol says whether such a policy can be read. */
  readonly repeatedInPolicy?: Problem
}

/** The settings file of a scope that has exactly one. In the home that of the project is the user's. */
export function findSettingsPlace(
  scope: WritableScope,
  places: Pick<ConfigPlaces, 'project' | 'home'>,
  isShared = scope === 'user' || isUserFolderShared(places),
): SettingsPlace {
  const needsTrust = scope !== 'user' && !isShared
  const holder = scope === 'project' && !needsTrust ? 'user' : scope
  return { scope: holder, path: SETTINGS_FILES[holder](places), plugin: null, needsTrust }
}

/** Reads a settings file; whatever is wrong with it becomes a problem. */
export async function readSettingsFile(place: SettingsPlace, project: string): Promise<SettingsFile> {
  const ofProject = place.needsTrust ? makeProjectEnclosure(project) : null
  const inside = place.plugin ? makePluginEnclosure(place.plugin.root) : ofProject
  const content = await readText(place.path, { inside })
  const isCut = content.read === 'missing' && isBrokenLink(dirname(place.path))
  return parseSettings(place, isCut ? { ...content, read: 'unreadable', reason: BROKEN_FOLDER } : content, project)
}

const BROKEN_FOLDER = 'is in a folder that is a link which leads nowhere'

/** True for a link to nothing: what it should lead to may be a disk that is not there, with hooks on it. */
function isBrokenLink(folder: string): boolean {
  try {
    return lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true && !existsSync(folder)
  } catch {
    return false // a folder on the way cannot be entered, which reading has said
  }
}

/** Rules that a file breaks of which nothing counts: it is not JSON, or it cannot be read. */
type UnreadRule = 'V-HK-01' | 'V-HK-53'

/** Settings files by what was read of them: the same again is not taken apart again. */
const parsedFiles = new WeakMap<FileText, SettingsFile>()

/** Reads the text of a settings file. */
export async function parseSettings(place: SettingsPlace, content: FileText, project: string): Promise<SettingsFile> {
  const file = formatPath(place.path, project)
  const known = parsedFiles.get(content)
  if (known !== undefined && isSamePlace(known, { ...place, file })) return known
  const parsed = await parseAs(place, content, file)
  parsedFiles.set(content, parsed)
  return parsed
}

/** True for a file that has the same part to play. */
function isSamePlace(one: SettingsFile, other: SettingsPlace & Pick<SettingsFile, 'file'>): boolean {
  return (
    one.path === other.path &&
    one.file === other.file &&
    one.scope === other.scope &&
    one.plugin === other.plugin &&
    one.needsTrust === other.needsTrust &&
    one.named === other.named
  )
}

async function parseAs(place: SettingsPlace, content: FileText, file: string): Promise<SettingsFile> {
  const makeUnusable = (message: string, { line = 1, column = 1 } = {}, rule: UnreadRule = 'V-HK-01'): SettingsFile => {
    const problem = makeProblem(file, { rule, line, column, message })
    return { ...place, file, content, root: null, problems: [problem] }
  }
  const makeUnread = (message: string): SettingsFile => makeUnusable(message, {}, 'V-HK-53')
  if (content.read === 'missing' && place.named) return makeUnread(`The manifest names ${file}, which does not exist.`)
  if (content.read === 'missing') return { ...place, file, content, root: null, problems: [] }
  if (content.read === 'unreadable') return makeUnread(`${basename(file)} ${content.reason}; it contributes nothing.`)
  if (isWide(content.text)) return makeUnusable(`${basename(file)} is UTF-16, not UTF-8; it contributes nothing.`)
  const source = await parseJsonSource(content.text)
  if ('fault' in source)
    return makeUnusable(`${basename(file)} ${source.fault.message}; it contributes nothing.`, source.fault)
  const { root } = source
  if (!root.fields) return makeUnusable(`${basename(file)} is JSON, but no object; it contributes nothing.`, root)
  const told = [...source.repeated.map((key) => makeRepeatedProblem(key, place)), ...source.remarks].slice(
    0,
    MAX_FILE_REMARKS,
  )
  const problems = told.map((remark): Problem => ({ ...remark, severity: READING_RULES[remark.rule], file }))
  if (source.repeated.length === 0 || isUserOwned(place)) return { ...place, file, content, root, problems }
  const [ambiguous] = listAmbiguities(root, place)
  if (!ambiguous) return { ...place, file, content, root: removeAmbiguous(root), problems }
  const unread = makeUnusable(`${basename(file)} has "${ambiguous.key}" twice; it contributes nothing.`, ambiguous)
  const [repeatedInPolicy] = unread.problems
  if (place.scope === 'managed' && repeatedInPolicy && isClearBesideHooks(root))
    return { ...place, file, content, root, problems, repeatedInPolicy }
  return { ...unread, problems: [...unread.problems, ...problems] }
}

/** True for UTF-16 that was read as UTF-8, as some Windows programs write it: every other byte is none. */
const isWide = (text: string): boolean => text.slice(0, 4).includes('\0')

/** The most problems that are reported of one file. */
const MAX_FILE_REMARKS = 100

/** True if it is the user's own: then no other author can show the user one thing and have another run. */
function isUserOwned({ scope, needsTrust }: SettingsPlace): boolean {
  return scope !== 'managed' && !needsTrust
}

function makeRepeatedProblem({ key, line, column }: RepeatedKey, place: SettingsPlace): ReadingProblem {
  const so = place.needsTrust
    ? 'what holds it is set aside, and Claude Code sees the last one alone'
    : 'in Claude Code the last one counts'
  return { rule: 'V-HK-27', line, column, message: `"${removeControls(key)}" appears twice in one object; ${so}.` }
}

/**
 * Keys that stand twice where each of them names something: another reader may take the first where this one takes the
 * last, so neither is what the file says. In a policy that holds for what its entries say too.
 */
function listAmbiguities(root: SourceNode, { scope }: SettingsPlace): readonly RepeatedKey[] {
  const lists = [...listSettingKeys('named')].flatMap((name) => root.fields?.get(name)?.node ?? [])
  const inside = scope === 'managed' ? lists.flatMap(listRepeatedKeys) : lists.flatMap(({ repeated = [] }) => repeated)
  return [...(root.repeated ?? []), ...inside]
}

/** True if a file is ambiguous in its hooks alone. */
function isClearBesideHooks({ fields = new Map(), repeated = [] }: SourceNode): boolean {
  const others = [...fields].flatMap(([name, { node }]: [string, SourceField]) => (name === 'hooks' ? [] : [node]))
  return repeated.every(({ key }) => key === 'hooks') && others.every((node) => listRepeatedKeys(node).length === 0)
}

/** Without the settings and MCP servers that hold a key twice. Hooks that do are kept, so that they can be reported. */
function removeAmbiguous(root: SourceNode): SourceNode {
  if (listRepeatedKeys(root).length === 0) return root
  const isSound = ({ node }: SourceField): boolean => listRepeatedKeys(node).length === 0
  const kept = [...(root.fields ?? [])].flatMap(([name, field]): [string, SourceField][] => {
    const { node } = field
    if (name === 'mcpServers' && node.fields)
      return [
        [name, { ...field, node: makeObjectNode(node, new Map([...node.fields].filter(([, one]) => isSound(one)))) }],
      ]
    return listSettingKeys('named').has(name) || isSound(field) ? [[name, field]] : []
  })
  return makeObjectNode(root, new Map(kept))
}
