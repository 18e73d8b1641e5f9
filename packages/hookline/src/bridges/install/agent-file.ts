import { basename, sep } from 'node:path'
import { parseJsonSource } from '../../config/json-source.ts'
import { isCommentKey } from '../../config/read-hooks.ts'
import type { Place, SourceField, SourceNode } from '../../config/source.ts'
import { parseData } from '../../files/parse-data.ts'
import type { EventRow } from '../../protocol/event-row.ts'
import { findOtherProfile } from '../../protocol/other-profiles.ts'
import { isObject } from '../../text/json.ts'
import { formatSuggestion } from '../../text/nearest.ts'
import type { Bridge } from '../bridge.ts'
import { AGENTS, findBridge } from '../list.ts'
import { findMistake } from './obstacles.ts'

/** A file of another agent, and what that makes of it. */
export interface AgentFile {
  /** The agent, with the version that its tables are of. */
  readonly title: string
  readonly remarks: readonly AgentRemark[]
}

/** Remark on a part of a file that its agent does not read as it was meant. */
export interface AgentRemark {
  readonly place: Place
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/** Finds whose file it is, by its path, else by its events; null: one of Claude Code's, as far as can be told. */
export async function findOwner(
  path: string,
  text: string,
  { events }: { readonly events: ReadonlyMap<string, EventRow> },
): Promise<Bridge | null> {
  const folders = path.split(sep)
  const findDepth = (names: ReadonlySet<string>): number => folders.findLastIndex((folder) => names.has(folder))
  const bridges = AGENTS.flatMap((name) => findBridge(name) ?? []).filter(
    ({ install }) => install.through === undefined,
  )
  const [byFolder] = bridges
    .map((bridge) => ({ bridge, depth: findDepth(listOwnFolders(bridge)) }))
    .filter(({ depth }) => depth >= 0)
    .sort((one, other) => other.depth - one.depth)
  const depthOfClaude = findDepth(CLAUDE_FOLDERS)
  if (byFolder && byFolder.depth > depthOfClaude) return byFolder.bridge
  const isNamed = ({ name }: Bridge): boolean => new RegExp(`[-_.]${name}\\b|^${name}[-_.]`).test(basename(path))
  const byName = path.endsWith('.md') || depthOfClaude >= 0 ? undefined : bridges.find(isNamed)
  return byName ?? (depthOfClaude >= 0 ? null : await findOwnerByEvents(text, bridges, events))
}

const CLAUDE_FOLDERS: ReadonlySet<string> = new Set(['.claude', '.claude-plugin'])

/** Hidden folders that an agent has for itself; `.github` is not. */
function listOwnFolders({ install: { files } }: Bridge): ReadonlySet<string> {
  const first = Object.values(files).map((path) => path.split('/')[0] ?? '')
  return new Set(first.filter((folder) => folder.startsWith('.') && !SHARED_FOLDERS.has(folder)))
}

const SHARED_FOLDERS: ReadonlySet<string> = new Set(['.github', '.config', '.agents'])

/** The agent that knows all events of a file, most of which Claude Code does not; null where there is none. */
async function findOwnerByEvents(
  text: string,
  bridges: readonly Bridge[],
  events: ReadonlyMap<string, EventRow>,
): Promise<Bridge | null> {
  const source = await parseJsonSource(text)
  const hooks = 'root' in source ? source.root.fields?.get('hooks')?.node : undefined
  const names = [...(hooks?.fields?.keys() ?? [])].filter((name) => !isCommentKey(name))
  const foreign = names.filter((name) => !events.has(name))
  if (foreign.length * 2 < names.length || foreign.length === 0) return null
  return bridges.find((bridge) => names.every((name) => Object.hasOwn(bridge.events, name))) ?? null
}

/** Holds a file against the tables of its agent. */
export async function checkAgentFile(path: string, text: string, bridge: Bridge): Promise<AgentFile> {
  const title = `${bridge.title} (${bridge.seen.version})`
  const { format } = bridge.install.reads
  if (format === 'program' || path.endsWith('.md')) return { title, remarks: [] }
  const parsed = parseData(text, format)
  if ('fault' in parsed)
    return { title, remarks: [makeIgnoredRemark(`it ${parsed.fault}`, bridge, readLineNumber(parsed.fault))] }
  if (!isObject(parsed.value)) return { title, remarks: [makeIgnoredRemark('it is not an object', bridge, 1)] }
  const mistake = findMistake(parsed.value, bridge)
  const source = await parseJsonSource(text)
  return {
    title,
    remarks: [
      ...(mistake === null ? [] : [makeIgnoredRemark(`it ${mistake}`, bridge, 1)]),
      ...('root' in source
        ? [...listEventRemarks(source.root, bridge), ...listTimeoutRemarks(source.root, bridge)]
        : []),
    ],
  }
}

function makeIgnoredRemark(why: string, { title }: Bridge, line: number): AgentRemark {
  return { place: { line, column: 1 }, severity: 'error', message: `${title} reads no hook of this file: ${why}.` }
}

const readLineNumber = (fault: string): number => Number(/\bline (\d+)/.exec(fault)?.[1] ?? 1)

function listEventRemarks(root: SourceNode, bridge: Bridge): AgentRemark[] {
  return listNamedEvents(root, bridge).flatMap(({ name, place, node }): AgentRemark[] => {
    const { title, events, install } = bridge
    if (!Object.hasOwn(events, name)) {
      const isOfClaude = findOtherProfile('events', name) !== null // meant as it is written
      const sameWord = Object.keys(events).filter((one) => one.toLowerCase() === name.toLowerCase())
      const likely = formatSuggestion(name, isOfClaude ? sameWord : Object.keys(events))
      const message = `"${name}" is not a known event of ${title}.${likely}`
      return [{ place, severity: 'warning', message }]
    }
    if (node === null) return []
    if (!node.items) return [{ place: node, severity: 'error', message: `"${name}" must be a list.` }]
    return HAS_GROUPS.has(install.shape) ? node.items.flatMap((group) => groupRemarks(group, bridge)) : []
  })
}

const HAS_GROUPS: ReadonlySet<string> = new Set(['claude', 'events-at-top'])

function groupRemarks(group: SourceNode, { title }: Bridge): AgentRemark[] {
  const hooks = group.fields?.get('hooks')?.node
  const makeError = (place: Place, message: string): AgentRemark[] => [{ place, severity: 'error', message }]
  if (!hooks?.items) return makeError(hooks ?? group, `A group of ${title} needs a "hooks" list.`)
  return hooks.items.flatMap((hook) =>
    hook.fields ? [] : makeError(hook, `A hook of ${title} must be an object with a "type" and a "command".`),
  )
}

/** An event that a file names. */
interface NamedEvent {
  readonly name: string
  readonly place: Place
  /** Entries; null where they stand elsewhere. */
  readonly node: SourceNode | null
}

function listNamedEvents(root: SourceNode, { install: { shape } }: Bridge): NamedEvent[] {
  const hooks = root.fields?.get('hooks')?.node
  if (shape === 'events-at-top') return listFieldEvents(root).filter(({ node }) => node?.items !== undefined)
  if (shape === 'antigravity') return [...(root.fields?.values() ?? [])].flatMap(({ node }) => listFieldEvents(node))
  if (shape !== 'kiro') return hooks === undefined ? [] : listFieldEvents(hooks)
  return (hooks?.items ?? []).flatMap(({ fields }) => {
    const trigger = fields?.get('trigger')?.node
    return typeof trigger?.value === 'string' ? [{ name: trigger.value, place: trigger, node: null }] : []
  })
}

function listFieldEvents({ fields }: SourceNode): NamedEvent[] {
  return [...(fields ?? [])]
    .filter(([name]) => !isCommentKey(name))
    .map(([name, { key, node }]: [string, SourceField]) => ({ name, place: key, node }))
}

/** Timeouts in the unit of another agent, and longer ones than the agent waits. */
function listTimeoutRemarks(node: SourceNode, bridge: Bridge): AgentRemark[] {
  const inner = [...(node.fields?.values() ?? [])].map((field) => field.node).concat(node.items ?? [])
  const timeout = node.fields?.get('timeout')?.node
  const message = typeof timeout?.value === 'number' ? describeTimeout(timeout.value, bridge) : null
  const own: AgentRemark[] = timeout && message !== null ? [{ place: timeout, severity: 'warning', message }] : []
  return [...own, ...inner.flatMap((one) => listTimeoutRemarks(one, bridge))]
}

function describeTimeout(timeout: number, { title, install }: Bridge): string | null {
  const { unit, most } = install.timeout
  if (unit === 'ms' && timeout > 0 && timeout < 1000)
    return `"timeout" is in milliseconds in ${title}: ${timeout} looks like seconds. Write ${timeout * 1000}.`
  if (unit === 's' && timeout >= 1000 && timeout % 1000 === 0)
    return `"timeout" is in seconds in ${title}: ${timeout} looks like milliseconds. Write ${timeout / 1000}.`
  return most !== null && timeout > most ? `${title} waits ${most} ${unit} at most, not ${timeout}.` : null
}
