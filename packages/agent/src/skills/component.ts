import { dirname, join, sep } from 'node:path'
import type { Engine } from 'hookline'
import { type Enclosure, listFilesBelow, makePluginEnclosure, makeProjectEnclosure } from 'hookline/internal'
import { type MarkdownFile, readMarkdown } from './markdown-file.ts'

/** A skill or slash command. */
export interface Component {
  /** As it is called; those of plugins are `plugin:name`. */
  readonly name: string
  readonly description: string
  readonly path: string
  readonly body: string
  /** `allowed-tools`, one rule each. */
  readonly allowedTools: readonly string[]
  /** The model may use it by itself. */
  readonly forModel: boolean
  /** Came with the project, and is as trusted as that. */
  readonly ofProject: boolean
  readonly source: ComponentFolder['source']
}

/** Places where components are looked for. */
export interface ComponentPlaces {
  readonly project: string
  readonly home: string
  /** Configuration that the engine has read: the project's components are those that the user was shown. */
  readonly engine: Pick<Engine, 'configuration' | 'trust'>
}

/** Components that were found, by name: of two with one name the first counts, the project's before the user's own. */
export interface FoundComponents {
  readonly components: ReadonlyMap<string, Component>
  readonly problems: readonly string[]
}

/** The skills: `skills/<name>/SKILL.md` of the project, the user and plugins. */
export function findSkills(places: ComponentPlaces): Promise<FoundComponents> {
  return findComponents(places, 'skills', {
    isOne: (path) => /^[^/\\]+[/\\]SKILL\.md$/.test(path),
    findName: (path, { fields }) => (typeof fields.name === 'string' && fields.name.trim()) || dirname(path),
  })
}

/** The slash commands: every markdown file below `commands/`; folders are part of their names. */
export function findCommands(places: ComponentPlaces): Promise<FoundComponents> {
  return findComponents(places, 'commands', {
    isOne: (path) => path.endsWith('.md'),
    findName: (path) => path.slice(0, -'.md'.length).replaceAll(sep, ':'),
  })
}

/** Files that are looked for in a folder; paths count from it. */
interface ComponentSearch {
  readonly isOne: (path: string) => boolean
  readonly findName: (path: string, file: MarkdownFile) => string
}

async function findComponents(
  places: ComponentPlaces,
  folder: string,
  wanted: ComponentSearch,
): Promise<FoundComponents> {
  const components = new Map<string, Component>()
  const problems: string[] = []
  for (const { root, path, prefix, ofProject, source, inside } of listComponentFiles(places, folder, wanted)) {
    const absolute = join(root, path)
    const file = await readMarkdown(absolute, { ofProject, inside, configuration: places.engine.configuration })
    if (typeof file === 'string') {
      problems.push(`${absolute} ${file}.`)
      continue
    }
    if (file.fault !== null) problems.push(`${absolute}: ${file.fault}.`)
    const name = `${prefix}${wanted.findName(path, file)}`
    if (!components.has(name))
      components.set(name, { name, path: absolute, ofProject, source, ...readComponentWords(file) })
  }
  return { components, problems }
}

/** A folder of components. */
export interface ComponentFolder {
  readonly root: string
  readonly prefix: string
  /** Owner. */
  readonly source: 'project' | 'user' | 'plugin'
  readonly ofProject: boolean
  /** Folder that its files must not lead out of. */
  readonly inside: Enclosure | null
}

/** The folders of one kind: the project's, the user's own, those of plugins. */
export function listComponentFolders({ project, home, engine }: ComponentPlaces, folder: string): ComponentFolder[] {
  return [
    {
      root: join(project, '.claude', folder),
      prefix: '',
      source: 'project',
      ofProject: true,
      inside: makeProjectEnclosure(project),
    },
    { root: join(home, '.claude', folder), prefix: '', source: 'user', ofProject: false, inside: null },
    ...engine.configuration.plugins.map(({ root, name, needsTrust }) => ({
      root: join(root, folder),
      prefix: `${name}:`,
      source: 'plugin' as const,
      ofProject: needsTrust,
      inside: makePluginEnclosure(root),
    })),
  ]
}

function listComponentFiles(places: ComponentPlaces, folder: string, { isOne }: ComponentSearch) {
  return listComponentFolders(places, folder).flatMap((one) =>
    listFilesBelow(one.root, one)
      .paths.filter(isOne)
      .map((path) => ({ ...one, path })),
  )
}

function readComponentWords({ fields, body }: MarkdownFile) {
  const { description, 'allowed-tools': allowed, 'disable-model-invocation': hidden } = fields
  const [firstLine = ''] = body.split('\n', 1)
  return {
    body,
    description: typeof description === 'string' ? description.trim() : firstLine.replace(/^#+\s*/, ''),
    allowedTools: splitToolRules(allowed),
    forModel: hidden !== true,
  }
}

/** Rules as a list, or as a text with commas outside parentheses. */
function splitToolRules(written: unknown): string[] {
  const texts = typeof written === 'string' ? (written.match(/(?:[^,(]|\([^)]*\))+/g) ?? []) : written
  if (!Array.isArray(texts)) return []
  return texts.map((text) => String(text).trim()).filter((text) => text !== '')
}
