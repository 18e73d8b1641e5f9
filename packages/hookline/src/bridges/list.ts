import { join } from 'node:path'
import { readShippedBridge } from '../files/shipped.ts'
import { listNames } from '../files/walk.ts'
import type { Bridge } from './bridge.ts'

/** The agents that hooks can be bridged to. Each is a file of tables in `agents/`, and shipped as data. */
export const AGENTS = [
  'codex',
  'copilot',
  'vscode',
  'cursor',
  'opencode',
  'kilo',
  'gemini',
  'qwen',
  'droid',
  'kimi',
  'pi',
  'cline',
  'windsurf',
  'kiro',
  'grok',
  'antigravity',
] as const

/** Agents whose tables were never tried, as their tables say too: a list, so that nothing has to be loaded to name them. */
export const UNVERIFIED_AGENTS: readonly string[] = ['vscode', 'cline', 'windsurf', 'kiro', 'grok', 'antigravity']

/** The bridge to an agent that is shipped; null when there is none. */
export function findBridge(agent: string): Bridge | null {
  const known = bridges.get(agent)
  if (known !== undefined) return known
  if (!(AGENTS as readonly string[]).includes(agent)) return null
  const bridge = JSON.parse(readShippedBridge(`${agent}.json`)) as Bridge // written from the tables
  bridges.set(agent, bridge)
  return bridge
}

/** Bridges that were read: a process that lives on stays with its tables, as with its code. */
const bridges = new Map<string, Bridge>()

/** The bridge whose file an agent reads: mostly its own. */
export function findWrittenBridge(bridge: Bridge): Bridge {
  return (bridge.install.through === undefined ? null : findBridge(bridge.install.through)) ?? bridge
}

/** Folder in which a user puts tables of agents that are not shipped. */
const findTableFolder = (home: string): string => join(home, '.hookline', 'agents')

/** The bridge to an agent by a table of the user's own; null when there is none. Rejects with a HooklineError for a table that is wrong. */
export async function readOwnBridge(agent: string, home: string): Promise<Bridge | null> {
  if (!/^[a-z][a-z0-9-]*$/.test(agent)) return null
  const { readTable } = await import('./own-table.ts')
  return readTable(agent, join(findTableFolder(home), `${agent}.json`))
}

/** The names of all agents: those that are shipped, then the user's own. */
export function listAgents(home: string): string[] {
  const own = listNames(findTableFolder(home)).flatMap((name) => /^([a-z][a-z0-9-]*)\.json$/.exec(name)?.[1] ?? [])
  return [...AGENTS, ...own.filter((name) => !(AGENTS as readonly string[]).includes(name)).sort()]
}

/** Programs by which an agent is found, where they are called otherwise. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  cursor: ['cursor', 'cursor-agent'],
  vscode: ['code'],
  kiro: ['kiro', 'kiro-cli'],
  antigravity: ['antigravity', 'agy'],
}

/** Names of the programs of an agent. */
export const listPrograms = (agent: string): readonly string[] => PROGRAMS[agent] ?? [agent]
