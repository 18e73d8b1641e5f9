import { shippedBridge } from '../files/shipped.ts'
import type { Bridge } from './bridge.ts'

/** The agents that hooks can be bridged to. Each is a file of tables beside this one, and shipped as data. */
export const AGENTS = ['codex', 'copilot', 'cursor', 'opencode', 'gemini', 'qwen', 'droid', 'kimi'] as const

/** The bridge to an agent; null when there is none. */
export function bridgeTo(agent: string): Bridge | null {
  const name = AGENTS.find((one) => one === agent)
  return name === undefined ? null : (JSON.parse(shippedBridge(`${name}.json`)) as Bridge) // written from the tables
}
