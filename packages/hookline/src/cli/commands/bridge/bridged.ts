import type { Bridge } from '../../../bridges/bridge.ts'
import { findBridge, listAgents, readOwnBridge } from '../../../bridges/list.ts'
import { canBeWrapped, findHooksRunTwice } from '../../../bridges/report.ts'
import type { WritableScope } from '../../../config/scopes.ts'
import { openEngine } from '../../../engine/engine.ts'
import type { Engine } from '../../../engine/engine-interface.ts'
import { HooklineError } from '../../../files/error.ts'
import { CLAUDE_CODE_PROFILE } from '../../../protocol/profiles.ts'
import { formatSuggestion } from '../../../text/nearest.ts'
import { type EngineFlags, PLACE_FLAGS, toEngineOptions, UsageError } from '../../start/flags.ts'
import { withEnabledPlugins } from '../../start/opening.ts'
import { tell } from '../../start/print.ts'

/** The flags of the commands about bridges. */
export const BRIDGE_FLAGS = {
  ...PLACE_FLAGS,
  json: { type: 'boolean' },
  'no-color': { type: 'boolean' },
} as const

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

/** The bridge whose file an agent reads: mostly its own. */
export function findWrittenBridge(bridge: Bridge): Bridge {
  return (bridge.install.through === undefined ? null : findBridge(bridge.install.through)) ?? bridge
}

/** Looks at the hooks of the project as a bridge would run them. */
export async function withHooks<Result>(
  flags: EngineFlags,
  act: (engine: Engine, places: { readonly project: string; readonly home: string }) => Promise<Result>,
): Promise<Result> {
  const options = toEngineOptions(flags)
  const engine = await openEngine({
    ...(await withEnabledPlugins(options)),
    profile: CLAUDE_CODE_PROFILE,
    rehearsal: true,
  })
  try {
    return await act(engine, options)
  } finally {
    await engine.close()
  }
}

/** The scopes with hooks that an agent would run as they are, and that can be wrapped. */
export function listScopesToWrap(bridge: Bridge, { hooks }: Engine): WritableScope[] {
  const open = findHooksRunTwice(bridge, hooks).filter(canBeWrapped)
  return (['project', 'local', 'user'] as const).filter((one) => open.some(({ scope }) => scope === one))
}

/** Formats what wraps the hooks of scopes, as the user would type it. */
export function wrapCommands(scopes: readonly WritableScope[]): string {
  return scopes.map((scope) => `"hookline wrap install${scope === 'project' ? '' : ` --scope ${scope}`}"`).join(' and ')
}
