import type { Bridge } from '../src/bridges/bridge.ts'
import { codex } from '../src/bridges/codex.ts'
import { copilot } from '../src/bridges/copilot.ts'
import { cursor } from '../src/bridges/cursor.ts'
import { droid } from '../src/bridges/droid.ts'
import { gemini } from '../src/bridges/gemini.ts'
import { kimi } from '../src/bridges/kimi.ts'
import type { AGENTS } from '../src/bridges/list.ts'
import { opencode } from '../src/bridges/opencode.ts'
import { qwen } from '../src/bridges/qwen.ts'

/** The tables of all agents, by name. */
export const TABLES: Readonly<Record<(typeof AGENTS)[number], Bridge>> = {
  codex,
  copilot,
  cursor,
  opencode,
  gemini,
  qwen,
  droid,
  kimi,
}

/** The tables of the bridges as they are shipped, by file name: one agent is read for one event, so each is a file. */
export function bridgeFiles(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(TABLES).map(([name, table]) => [`${name}.json`, `${JSON.stringify(table)}\n`]),
  )
}
