import { isObject } from '../../text/json.ts'
import type { Bridge, EventRule, JsonObject } from '../bridge.ts'
import type { SessionMemory } from '../memory.ts'
import { listShownTools } from './fields.ts'
import { readPath } from './origin.ts'
import { findToolRow } from './parts.ts'

/**
 * Notes the calls of a session that wait for a subagent, and the subagents at work. A host whose Stop says nothing of the
 * agent that stops is followed by them: a turn does not end while a call of it is under way.
 */
export function followSubagents(bridge: Bridge, rule: EventRule, payload: JsonObject, memory: SessionMemory): void {
  if (rule.as === null) return
  if (rule.as === 'SubagentStart') memory.change((kept) => ({ ...kept, subagents: kept.subagents + 1 }))
  if (rule.as === 'SubagentStop') memory.change((kept) => ({ ...kept, subagents: Math.max(0, kept.subagents - 1) }))
  const id = bridge.call.id === null ? undefined : readPath(payload, bridge.call.id)
  if (typeof id !== 'string') return
  const { delegated } = memory.kept
  if (rule.as === 'PreToolUse' && isWaiting(bridge, payload))
    memory.change((kept) => ({ ...kept, delegated: [...kept.delegated, id] }))
  if (rule.as === 'PostToolUse' && delegated.includes(id))
    memory.change((kept) => ({ ...kept, delegated: kept.delegated.filter((one) => one !== id) }))
}

/** True for a call that starts subagents and goes on once they have ended. */
function isWaiting({ tools, call }: Bridge, payload: JsonObject): boolean {
  const name = typeof call.tool === 'string' ? readPath(payload, call.tool) : call.tool.value
  const row = findToolRow(tools, name)
  if (row === undefined || !listShownTools(row).includes('Agent')) return false
  const input = readPath(payload, call.input)
  const background = row.input?.run_in_background
  return background === undefined || !isObject(input) || input[background] !== true
}
