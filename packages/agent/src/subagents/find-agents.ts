import { basename, join } from 'node:path'
import { listFilesBelow } from 'hookline/internal'
import * as z from 'zod'
import { type ComponentFolder, type ComponentPlaces, listComponentFolders } from '../skills/component.ts'
import { readMarkdown } from '../skills/markdown-file.ts'
import { type AgentDefinition, AgentFields, GENERAL_PURPOSE, settleFields } from './definition.ts'

/** The kinds of subagents of a session, by name. */
export interface FoundAgents {
  readonly agents: ReadonlyMap<string, AgentDefinition>
  /** Files that define none, with the reason. */
  readonly problems: readonly string[]
}

/**
 * The kinds of subagents that a session can start. Of two with one name the first counts: the host's, then those in the
 * `agents` folders of the project, the user and plugins, then the built-in one.
 */
export async function findAgents(places: ComponentPlaces, given: readonly AgentDefinition[]): Promise<FoundAgents> {
  const folders = listComponentFolders(places, 'agents')
  const read = (await Promise.all(folders.map((folder) => readFolder(folder, places)))).flat(2)
  const definitions = read.filter((one) => typeof one !== 'string')
  const agents = new Map<string, AgentDefinition>()
  for (const definition of [...given, ...definitions, GENERAL_PURPOSE]) {
    if (!agents.has(definition.name)) agents.set(definition.name, definition)
  }
  return { agents, problems: read.filter((one) => typeof one === 'string') }
}

/** Definitions, and what is wrong with them or with files that are none. */
type ReadAgents = readonly (AgentDefinition | string)[]

async function readFolder(folder: ComponentFolder, places: ComponentPlaces): Promise<ReadAgents[]> {
  const { root, inside } = folder
  const files = listFilesBelow(root, { inside }).paths.filter((path) => path === basename(path) && path.endsWith('.md'))
  return Promise.all(files.map((name) => readAgent(join(root, name), folder, places)))
}

const Frontmatter = AgentFields.extend({ name: z.string().trim().min(1).optional() })

/** A definition, or why the file is none: with half of its head missing it might do more than its author wants. */
async function readAgent(
  path: string,
  { prefix, ofProject, inside }: ComponentFolder,
  { engine }: ComponentPlaces,
): Promise<ReadAgents> {
  const file = await readMarkdown(path, { ofProject, inside, configuration: engine.configuration })
  if (typeof file === 'string') return [`${path} ${file}.`]
  if (file.fault !== null) return [`${path}: ${file.fault}. The agent is left out.`]
  const fields = Frontmatter.safeParse(file.fields)
  if (!fields.success)
    return [`${path}: its frontmatter does not fit, and the agent is left out:\n${z.prettifyError(fields.error)}`]
  const name = fields.data.name ?? basename(path, '.md')
  const hooks = file.fields.hooks === undefined ? null : { file: path }
  const definition = { name: `${prefix}${name}`, prompt: file.body, ...settleFields(fields.data), hooks }
  if (definition.model === null || !ofProject || engine.trust.accepted) return [definition]
  return [{ ...definition, model: null }, `${path}: its model does not count, for the folder is not trusted.`]
}
