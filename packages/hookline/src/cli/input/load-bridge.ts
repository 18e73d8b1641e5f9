import type { Bridge } from '../../bridges/bridge.ts'
import { findBridge, listAgents, readOwnBridge } from '../../bridges/list.ts'
import { HooklineError } from '../../files/error.ts'
import { formatSuggestion } from '../../text/nearest.ts'
import { UsageError } from '../start/flags.ts'
import { tell } from '../start/print.ts'

/** The bridge of a name: one that is shipped, else one of the user's own. */
export async function loadBridge(agent: string | undefined, home: string): Promise<Bridge> {
  const bridge = agent === undefined ? null : (findBridge(agent) ?? (await readOwnBridge(agent, home)))
  if (bridge !== null) return bridge
  const agents = listAgents(home)
  const said = agent === undefined ? 'It takes the name of an agent.' : `"${agent}" is not a known agent.`
  throw new UsageError(`${said}${formatSuggestion(agent ?? '', agents)} Agents: ${agents.join(', ')}.`)
}

/** The bridge of a name, or all of them; a table of the user's own that is wrong is told and left out. */
export async function loadBridges(agent: string | undefined, home: string): Promise<Bridge[]> {
  if (agent !== undefined) return [await loadBridge(agent, home)]
  const found = await Promise.all(listAgents(home).map((name) => loadBridge(name, home).catch(tellLeftOut)))
  return found.filter((bridge) => bridge !== null)
}

function tellLeftOut(error: unknown): null {
  if (!(error instanceof HooklineError)) throw error
  tell(`hookline: ${error.message}\n`)
  return null
}
