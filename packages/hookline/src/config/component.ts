import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { HooklineError } from '../files/error.ts'
import { shownPath, touches } from '../files/paths.ts'
import { readText } from '../files/read.ts'
import type { Profile } from '../protocol/event-row.ts'
import { oneLine } from '../text/clean.ts'
import { parseFrontmatter } from './frontmatter.ts'
import { type HooksRead, readHooks } from './read-hooks.ts'
import { COMPONENT_FOLDERS, type ComponentScope } from './scopes.ts'
import type { SourceNode } from './source.ts'

/** A skill, agent or slash command with the hooks of its frontmatter. */
export interface Component extends HooksRead {
  readonly path: string
  readonly kind: ComponentScope
  readonly name: string
  /** Lies in the project, so that its hooks need the project to be trusted. */
  readonly needsTrust: boolean
  /** Its `hooks` as they are written; null when it has none. */
  readonly definition: unknown
  readonly text: string
  /** Its frontmatter, where that can be read. */
  readonly root: SourceNode | null
}

/** Reads a component's hooks. Its kind comes from its place: below `skills/`, `agents/` or `commands/`. */
export async function readComponent(
  path: string,
  { project, profile }: { project: string; profile: Profile },
): Promise<Component> {
  const absolute = resolve(project, path)
  const file = shownPath(absolute, project)
  const kind = componentKind(absolute)
  if (kind === null) {
    throw new HooklineError(
      `${file} is no component: it lies below none of ${Object.keys(COMPONENT_FOLDERS).join('/, ')}/.`,
    )
  }
  const content = await readText(absolute)
  if (content.read === 'missing') throw new HooklineError(`${file} does not exist.`)
  if (content.read === 'unreadable') throw new HooklineError(`${file} ${content.reason}.`)
  const needsTrust = touches(absolute, project)
  const header = await parseFrontmatter(content.text)
  const root = 'root' in header ? header.root : null
  const common = { path: absolute, kind, needsTrust, text: content.text, root }
  if ('fault' in header) {
    const { line, column, message } = header.fault
    const problem = {
      rule: 'V-HK-01',
      severity: 'error',
      file,
      line,
      column,
      message: `The frontmatter ${message}.`,
    } as const
    return {
      ...common,
      name: defaultName(absolute),
      definition: null,
      hooks: [],
      problems: [problem],
    }
  }
  const fields = root?.fields
  const written = fields?.get('name')?.node.value
  const name = (typeof written === 'string' ? oneLine(written) : '') || defaultName(absolute)
  const node = fields?.get('hooks')?.node
  const origin = { scope: kind, name, file, pluginRoot: null, needsTrust }
  const read = node ? await readHooks(node, origin, { profile }) : { hooks: [], problems: [] }
  return { ...common, ...read, name, definition: node?.value ?? null }
}

/** The components a project has in its `.claude` folder, in a stable order. */
export function componentsOf(project: string): string[] {
  const folders = Object.keys(COMPONENT_FOLDERS).map((folder) => join(project, '.claude', folder))
  return folders.flatMap(markdownBelow).sort()
}

function markdownBelow(folder: string): string[] {
  try {
    if (!existsSync(folder)) return []
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    return entries.filter(({ name }) => name.endsWith('.md')).map((entry) => join(entry.parentPath, entry.name))
  } catch {
    return [] // no folder, or nothing to be read in it
  }
}

/** What a file's place makes it: the innermost folder that says so counts; null for no component. */
export function componentKind(path: string): ComponentScope | null {
  const folder = dirname(path)
    .split(sep)
    .findLast((part) => Object.hasOwn(COMPONENT_FOLDERS, part))
  return folder === undefined ? null : (COMPONENT_FOLDERS[folder] ?? null)
}

function defaultName(path: string): string {
  const name = basename(path, '.md')
  return oneLine(name === 'SKILL' ? basename(dirname(path)) : name)
}
