import { isGuarding } from '../answer/answer.ts'
import type { Bridge, HostScope } from '../bridge.ts'
import { findBridge, listAgents, readOwnBridge } from '../list.ts'
import type { IfMissing } from './entry.ts'
import { nameInstaller, toGuardBridge } from './guard-entries.ts'
import {
  explainMove,
  findHostFile,
  type HostPlace,
  listInstalledEvents,
  listMappedEvents,
  readInstalledEntries,
} from './installed.ts'
import { readServers } from './mcp-servers.ts'
import { findObstacles, findUnreadableFiles, type Obstacle, type ObstacleKind } from './obstacles.ts'

/** One of an agent's files with our entries, and what becomes of them there. */
export interface ScopeStanding {
  readonly scope: HostScope
  readonly file: string
  /** Events of the agent that its file calls us for. */
  readonly events: readonly string[]
  /** Entries that nothing is known to keep from us. */
  readonly running: readonly string[]
  /** `ready`: nothing that can be read speaks against it; else the reason that weighs most. */
  readonly state: 'ready' | ObstacleKind
  readonly obstacles: readonly Obstacle[]
  /** Outcome of guarded calls where Hookline is missing: `pass` where any entry of them says so. */
  readonly ifMissing: IfMissing
}

/** A scope whose file cannot be read, so that nobody knows what runs from it. */
export interface UnreadScope {
  readonly scope: HostScope
  readonly file: string
  readonly obstacles: readonly Obstacle[]
}

/** Behaviour of an agent with our entries, as far as its files and variables say. */
export interface HostStanding {
  /** The agent whose file this one reads: mostly itself. */
  readonly written: Bridge
  /** The scopes in which the bridge is installed. */
  readonly scopes: readonly ScopeStanding[]
  /** The scopes of which nothing can be said. */
  readonly unread: readonly UnreadScope[]
  /** Notes for the user: sentences about files that variables move. */
  readonly notes: readonly string[]
  /** Names of the MCP servers that the agent knows, as far as its files say. */
  readonly servers: readonly string[]
}

/** Agent that is asked, and where. */
export type HostSurroundings = Omit<HostPlace, 'bridge' | 'scope'>

/** Looks at an agent's own files. Never rejects. */
export async function examineHost(bridge: Bridge, surroundings: HostSurroundings): Promise<HostStanding> {
  const { through } = bridge.install
  const written = (through === undefined ? null : findBridge(through)) ?? bridge
  const found = await Promise.all(
    (['user', 'project'] as const).map((scope) =>
      examineScope({ bridge, scope, ...surroundings }, { ...surroundings, bridge: written, scope }),
    ),
  )
  const scopes = found.flatMap((one) => (one !== null && 'state' in one ? [one] : []))
  const unread = found.flatMap((one) => (one !== null && !('state' in one) ? [one] : []))
  const { project, home, env } = surroundings
  const servers = await readServers(bridge, { home, env, folders: [project] })
  return { written, scopes, unread, notes: await noteMoves(written, surroundings, scopes), servers }
}

/** An agent in which the bridge is installed. */
export interface BridgedHost extends Omit<HostStanding, 'written' | 'servers'> {
  readonly agent: string
}

/** Looks at the files of all agents for those that call us. Never rejects. */
export function findBridgedHosts(surroundings: HostSurroundings): Promise<BridgedHost[]> {
  return findHosts(surroundings, (bridge) => bridge)
}

/** Looks at the files of all agents for those that call the guards alone. Never rejects. */
export function findGuardedHosts(surroundings: HostSurroundings): Promise<BridgedHost[]> {
  return findHosts(surroundings, toGuardBridge)
}

async function findHosts(surroundings: HostSurroundings, toMeant: (bridge: Bridge) => Bridge): Promise<BridgedHost[]> {
  const found = await Promise.all(
    listAgents(surroundings.home).map(async (agent) => {
      const readOwnTable = (): Promise<Bridge | null> => readOwnBridge(agent, surroundings.home).catch(() => null) // status says what is wrong with it
      const bridge = findBridge(agent) ?? (await readOwnTable())
      if (bridge === null || bridge.install.through !== undefined) return []
      const { scopes, unread, notes } = await examineHost(toMeant(bridge), surroundings)
      return scopes.length + unread.length + notes.length === 0 ? [] : [{ agent, scopes, unread, notes }]
    }),
  )
  return found.flat()
}

async function examineScope(place: HostPlace, written: HostPlace): Promise<ScopeStanding | UnreadScope | null> {
  const entries = await readInstalledEntries(written)
  const events = entries.map(({ event }) => event)
  const file = findHostFile(written)
  if (file === null) return null
  if (events.length === 0) {
    const unreadable = await findUnreadableFiles(place)
    return unreadable.length === 0 ? null : { scope: place.scope, file, obstacles: unreadable }
  }
  const missing = listMappedEvents(written.bridge).filter((event) => !events.includes(event))
  const obstacles = [
    ...(await findObstacles(place, events)),
    ...(missing.length === 0 ? [] : [explainGap(written, missing)]),
  ]
  const running = events.filter((event) => !obstacles.some((one) => one.events?.includes(event) ?? true))
  const weightiest = WEIGHTS.find((kind) => obstacles.some((one) => one.kind === kind))
  const isOpen = entries.some(({ event, ifMissing }) => ifMissing === 'pass' && isGuarding(written.bridge, event))
  return {
    ...{ scope: place.scope, file, events, running, state: weightiest ?? 'ready', obstacles },
    ifMissing: isOpen ? 'pass' : 'refuse',
  }
}

/** Reasons in the order of what they take away. */
const WEIGHTS: readonly ObstacleKind[] = ['unreadable', 'off', 'untrusted', 'unreviewed', 'missing']

function explainGap({ bridge, scope }: HostPlace, missing: readonly string[]): Obstacle {
  const text = `There is no entry for ${missing.join(', ')}: run "${nameInstaller(bridge)} --scope ${scope}" again.`
  return { kind: 'missing', events: missing, text, mark: 'O' }
}

/** Says where variables lead, and names entries that stand where the agent does not look with these variables. */
async function noteMoves(
  bridge: Bridge,
  surroundings: HostSurroundings,
  scopes: readonly ScopeStanding[],
): Promise<string[]> {
  const place: HostPlace = { ...surroundings, bridge, scope: 'user' }
  const moved = explainMove(place)
  if (moved === null) return []
  const isInstalled = scopes.some(({ scope }) => scope === 'user')
  const usual: HostPlace = { ...place, env: {} }
  const isLeft = (await listInstalledEvents(usual)).length > 0
  return [
    ...(isInstalled || isLeft ? [moved] : []),
    ...(isLeft && !isInstalled
      ? [
          `Our entries are in ${findHostFile(usual)}, which ${bridge.title} does not read then: install the bridge again.`,
        ]
      : []),
  ]
}
