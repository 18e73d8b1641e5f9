import { basename, dirname, join, resolve, sep } from 'node:path'
import { HooklineError } from '../files/error.ts'
import { formatPath, isBelow, joinPath } from '../files/paths.ts'
import {
  type Enclosure,
  makePluginEnclosure,
  makeProjectEnclosure,
  NO_FILE,
  readStamp,
  readText,
} from '../files/read.ts'
import { listFilesBelow } from '../files/walk.ts'
import type { ComponentScope } from '../protocol/scope.ts'
import { removeControls, toOneLine } from '../text/clean.ts'
import { type Frontmatter, parseFrontmatter } from './frontmatter.ts'
import { makeProblem, type Problem } from './problem.ts'
import { chooseFileProfile, type Profiles } from './profile-choice.ts'
import { type ReadHooks, readHooks } from './read-hooks.ts'
import { COMPONENT_FOLDERS, isProjectFile, PLUGIN_MANIFEST } from './scopes.ts'
import { makeObjectNode, type Place, type SourceNode } from './source.ts'

/** A skill, agent or slash command with the hooks of its frontmatter. */
export interface Component extends ReadHooks {
  readonly path: string
  readonly kind: ComponentScope
  readonly name: string
  /** Lies in the project, so that its hooks need the project to be trusted. */
  readonly needsTrust: boolean
  /** The folder of the plugin that brings it; null: none does. */
  readonly pluginRoot: string | null
  /** `hooks` as they are written; null when it has none. */
  readonly definition: unknown
  readonly text: string
  /** Frontmatter, where that can be read. */
  readonly root: SourceNode | null
  /** The text after its frontmatter. */
  readonly body: string
  /** Reason why its hooks cannot be read; null when they can, or when there are none. */
  readonly fault: Frontmatter['fault']
}

/** Reads a component's hooks. Its kind comes from its place: below `skills/`, `agents/` or `commands/`. */
export async function readComponent(
  path: string,
  {
    project,
    home,
    plugins,
    profiles,
    isMainAgent = false,
  }: { project: string; home: string; plugins: readonly string[]; profiles: Profiles; isMainAgent?: boolean },
): Promise<Component> {
  const absolute = resolve(project, path)
  const file = formatPath(absolute, project)
  const kind = findComponentKind(absolute)
  if (kind === null) {
    throw new HooklineError(
      `${file} is not a component: it lies below none of ${Object.keys(COMPONENT_FOLDERS).join('/, ')}/.`,
    )
  }
  const pluginRoot = findPluginRoot(absolute, plugins)
  const needsTrust = isProjectFile(absolute, { project, home })
  const content = await readText(absolute, { inside: findEnclosure(absolute, { project, pluginRoot, needsTrust }) })
  if (content.read === 'missing') throw new HooklineError(`${file} does not exist.`)
  if (content.read === 'unreadable') throw new HooklineError(`${file} ${content.reason}.`)
  const { root, body, fault } = removeRepeatedFields(await parseFrontmatter(content.text), { needsTrust })
  const fields = root?.fields
  const written = fields?.get('name')?.node.value
  const name = (typeof written === 'string' ? toOneLine(written) : '') || makeDefaultName(absolute)
  const node = fields?.get('hooks')?.node
  const profile = chooseFileProfile(profiles, { needsTrust })
  const ownRoot = kind === 'skill' && profile.rules.skillRoot === 'own-folder' ? dirname(absolute) : null
  const origin = { scope: kind, name, file, pluginRoot: pluginRoot ?? ownRoot, needsTrust, isMainAgent }
  const read = node ? await readHooks(node, origin, { profile }) : { hooks: [], problems: [] }
  const problems = fault === null ? read.problems : [makeUnreadableProblem(file, fault)]
  return {
    path: absolute,
    kind,
    needsTrust,
    pluginRoot,
    text: content.text,
    root,
    body,
    fault,
    ...read,
    problems,
    name,
    definition: node?.value ?? null,
  }
}

function makeUnreadableProblem(file: string, { line, column, message }: Place & { readonly message: string }): Problem {
  const told = `The hooks in the frontmatter cannot be read: ${removeControls(message)}.`
  return makeProblem(file, { rule: 'V-HK-01', line, column, message: told })
}

/** Folder that a component must not lead out of: its plugin, else the project when it is one of the project's. */
function findEnclosure(
  path: string,
  { project, pluginRoot, needsTrust }: { project: string; pluginRoot: string | null; needsTrust: boolean },
): Enclosure | null {
  if (pluginRoot !== null) return makePluginEnclosure(pluginRoot)
  return needsTrust && isBelow(path, resolve(project)) ? makeProjectEnclosure(project) : null
}

/** Of a project's file a field that appears twice does not count: another reader may take the other one. */
function removeRepeatedFields(read: Frontmatter, { needsTrust }: { needsTrust: boolean }): Frontmatter {
  const { root, fault } = read
  if (!root?.fields || !needsTrust) return read
  const [twice] = root.fields.get('hooks')?.node.repeated ?? []
  const left = new Set([...(root.repeated ?? []).map(({ key }) => key), ...(twice ? ['hooks'] : [])])
  if (left.size === 0) return read
  const fields = new Map([...root.fields].filter(([name]) => !left.has(name)))
  return {
    ...read,
    root: makeObjectNode(root, fields),
    fault: fault ?? (twice ? { ...twice, message: `"${twice.key}" appears twice` } : null),
  }
}

/** The components a project has in its `.claude` folder, in a stable order. */
export function listComponents(project: string): string[] {
  return listComponentFiles(joinPath(project, '.claude'), makeProjectEnclosure(project))
}

/** The components of a plugin, in a stable order. */
export function listPluginComponents(root: string): string[] {
  return listComponentFiles(root, makePluginEnclosure(root))
}

function listComponentFiles(owner: string, inside: Enclosure): string[] {
  const files: string[] = []
  for (const name in COMPONENT_FOLDERS) {
    const folder = joinPath(owner, name)
    for (const path of listFilesBelow(folder, { inside }).paths)
      if (path.endsWith('.md')) files.push(join(folder, path))
  }
  return files.sort()
}

/**
 * The plugin that a component belongs to: the folder around its `skills`, `agents` or `commands`, when that is one of the
 * enabled plugins or has a manifest. null: it belongs to none.
 */
function findPluginRoot(path: string, plugins: readonly string[]): string | null {
  const parts = path.split(sep)
  const at = parts.findLastIndex((part) => Object.hasOwn(COMPONENT_FOLDERS, part))
  const root = parts.slice(0, at).join(sep)
  if (at < 1) return null
  const isPlugin =
    plugins.some((folder) => resolve(folder) === root) || readStamp(join(root, PLUGIN_MANIFEST)) !== NO_FILE
  return isPlugin ? root : null
}

/** Finds the kind that a file's place makes it: the innermost folder that says so counts; null for no component. */
export function findComponentKind(path: string): ComponentScope | null {
  const folder = dirname(path)
    .split(sep)
    .findLast((part) => Object.hasOwn(COMPONENT_FOLDERS, part))
  return folder === undefined ? null : (COMPONENT_FOLDERS[folder] ?? null)
}

function makeDefaultName(path: string): string {
  const name = basename(path, '.md')
  return toOneLine(name === 'SKILL' ? basename(dirname(path)) : name)
}
