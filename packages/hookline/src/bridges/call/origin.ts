import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolders } from '../../files/folders.ts'
import { readOnce } from '../../files/read.ts'
import { isObject } from '../../text/json.ts'
import type { Bridge, EventRule, JsonObject } from '../bridge.ts'
import { findSessionFolder } from '../memory.ts'

/** The folder that a payload names; null when it does not. */
export function readFolder({ common }: Bridge, payload: JsonObject): string | null {
  const folder = typeof common.cwd === 'string' ? readPath(payload, common.cwd) : null
  const root = readPath(payload, 'workspace_roots.0')
  if (typeof folder === 'string' && folder !== '') return folder
  return typeof root === 'string' && root !== '' ? root : null
}

/** Events of a session that mean the user; when a subagent fires one, the first that the host has starts or ends the subagent. */
const OF_THE_USER = {
  SubagentStart: ['SessionStart', 'UserPromptSubmit'],
  SubagentStop: ['Stop', 'SessionEnd'],
} as const

/**
 * The rule of an event for a payload. The model's words to a subagent are not the user's, and its end is not the end of the
 * turn: null where another event of the host tells hooks of both, or where the payload is none of theirs.
 */
export function findRule(bridge: Bridge, hostEvent: string, payload: JsonObject): EventRule | null | undefined {
  const rule = Object.hasOwn(bridge.events, hostEvent) ? bridge.events[hostEvent] : undefined
  if (rule === undefined || rule.as === null || readSubagentId(bridge, payload) === null) return rule
  const isTold = (event: string): boolean => Object.values(bridge.events).some(({ as }) => as === event)
  for (const [becomes, events] of Object.entries(OF_THE_USER)) {
    if (!events.some((event) => event === rule.as)) continue
    if (isTold(becomes) || events.find(isTold) !== rule.as) return null
    const { fields: _, unless: __, ...kept } = rule
    return { ...kept, as: becomes, ...(becomes === 'SubagentStop' ? { fields: STOPPED } : {}) }
  }
  return rule
}

const STOPPED = { stop_hook_active: { by: 'stopHookActive' } } as const

/** The subagent that fired an event, or is told of by it; null: the agent that the user speaks to. */
function readSubagentId({ subagent }: Bridge, payload: JsonObject): string | null {
  return subagent === null ? null : readPayloadText(payload, subagent.id)
}

/**
 * The session that a payload belongs to, which for a subagent is the one of the user; null when it does not say. A host may
 * name the agent above a subagent alone: what was learned of that one leads further up.
 */
export function findSession(bridge: Bridge, payload: JsonObject, home: string): string | null {
  const { common, subagent, name } = bridge
  const parent = subagent?.parent == null ? null : readPayloadText(payload, subagent.parent)
  if (parent === null) return typeof common.session_id === 'string' ? readSpelled(payload, common.session_id) : null
  const root = findRoot(home, name, parent)
  const id = readSubagentId(bridge, payload)
  if (id !== null && id !== root) noteParent(findSessionFolder(home, name, id), root)
  return root
}

/** Reads a name in the spelling of the table, else in the other one: Copilot writes some events of one dialect in that of the other. */
const readSpelled = (payload: JsonObject, path: string): string | null =>
  readPayloadText(payload, path) ?? readPayloadText(payload, respell(path))

const respell = (path: string): string =>
  path.includes('_')
    ? path.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    : path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const PARENT_FILE = 'parent'
/** More agents that started each other than any host has; a circle of them ends there. */
const MAX_DEPTH = 16

function findRoot(home: string, agent: string, id: string): string {
  let root = id
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const above = readParent(findSessionFolder(home, agent, root))
    if (above === null) break
    root = above
  }
  return root
}

/** Null for a session that is the user's, or was never seen. */
function readParent(folder: string): string | null {
  const content = readOnce(join(folder, PARENT_FILE), { follow: false })
  return (content.read === 'text' && content.text) || null
}

function noteParent(folder: string, root: string): void {
  if (readParent(folder) !== null) return
  try {
    makeFolders(folder, { mode: 0o700 })
    writeFileSync(join(folder, PARENT_FILE), root, { mode: 0o600, flag: 'wx' })
  } catch {
    // a full or read-only home: then nothing is remembered either
  }
}

function readPayloadText(payload: JsonObject, path: string): string | null {
  const value = readPath(payload, path)
  return typeof value === 'string' && value !== '' ? value : null
}

/** Reads what a path leads to, through objects and lists. */
export function readPath(value: unknown, path: string): unknown {
  let inner = value
  for (const name of path.split('.')) {
    if (Array.isArray(inner)) inner = inner[Number(name)]
    else inner = isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined
  }
  return inner
}
