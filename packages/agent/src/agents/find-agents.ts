import { basename, join } from 'node:path'
import { type Enclosure, filesBelow } from 'hookline/internal'
import * as z from 'zod'
import { type ComponentFolder, type ComponentPlaces, componentFolders } from '../skills/component.ts'
import { readMarkdown } from '../skills/markdown-file.ts'
import { type AgentDefinition, AgentFields, GENERAL_PURPOSE, settledFields } from './definition.ts'

/** The kinds of subagents of a session, by name. */
export interface AgentsFound {
  readonly agents: ReadonlyMap<string, AgentDefinition>
  /** Files that define none, with the reason. */
  readonly problems: readonly string[]
}

/**
 * The kinds of subagents that a session can start. Of two with one name the first counts: the host's, then those in the
 * `agents` folders of the project, the person and plugins, then the built-in one.
 */
export async function findAgents(places: ComponentPlaces, given: readonly AgentDefinition[]): Promise<AgentsFound> {
  const read = (await Promise.all(componentFolders(places, 'agents').map(readFolder))).flat()
  const definitions = read.filter((one) => typeof one !== 'string')
  const agents = new Map<string, AgentDefinition>()
  for (const definition of [...given, ...definitions, GENERAL_PURPOSE]) {
    if (!agents.has(definition.name)) agents.set(definition.name, definition)
  }
  return { agents, problems: read.filter((one) => typeof one === 'string') }
}

async function readFolder({ root, prefix, inside }: ComponentFolder): Promise<(AgentDefinition | string)[]> {
  const files = filesBelow(root, { inside }).paths.filter((path) => path === basename(path) && path.endsWith('.md'))
  return Promise.all(files.map((name) => readAgent(join(root, name), { prefix, inside })))
}

const Frontmatter = AgentFields.extend({ name: z.string().trim().min(1).optional() })

/** A definition, or why the file is none: with half of its head missing it might do more than its author wants. */
async function readAgent(
  path: string,
  { prefix, inside }: { prefix: string; inside: Enclosure | null },
): Promise<AgentDefinition | string> {
  const file = await readMarkdown(path, inside)
  if (typeof file === 'string') return `${path} ${file}.`
  if (file.fault !== null) return `${path}: ${file.fault}. The agent is left out.`
  const fields = Frontmatter.safeParse(file.fields)
  if (!fields.success)
    return `${path}: its frontmatter does not fit, and the agent is left out:\n${z.prettifyError(fields.error)}`
  const name = fields.data.name ?? basename(path, '.md')
  const hooks = file.fields.hooks === undefined ? null : { file: path }
  return { name: `${prefix}${name}`, prompt: file.body, ...settledFields(fields.data), hooks }
}
