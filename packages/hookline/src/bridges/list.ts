import type { Bridge } from './bridge.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { cursor } from './cursor.ts'
import { droid } from './droid.ts'
import { gemini } from './gemini.ts'
import { kimi } from './kimi.ts'
import { opencode } from './opencode.ts'
import { qwen } from './qwen.ts'

/** The agents that hooks can be bridged to, by name. */
export const BRIDGES: Readonly<Record<string, Bridge>> = { codex, copilot, cursor, opencode, gemini, qwen, droid, kimi }

/** The bridge of a name; null when there is none. */
export function bridgeNamed(name: string): Bridge | null {
  return Object.hasOwn(BRIDGES, name) ? (BRIDGES[name] ?? null) : null
}
