import { antigravity } from '../src/bridges/agents/antigravity.ts'
import { cline } from '../src/bridges/agents/cline.ts'
import { codex } from '../src/bridges/agents/codex.ts'
import { copilot } from '../src/bridges/agents/copilot.ts'
import { cursor } from '../src/bridges/agents/cursor.ts'
import { droid } from '../src/bridges/agents/droid.ts'
import { gemini } from '../src/bridges/agents/gemini.ts'
import { grok } from '../src/bridges/agents/grok.ts'
import { kilo } from '../src/bridges/agents/kilo.ts'
import { kimi } from '../src/bridges/agents/kimi.ts'
import { kiro } from '../src/bridges/agents/kiro.ts'
import { opencode } from '../src/bridges/agents/opencode.ts'
import { pi } from '../src/bridges/agents/pi.ts'
import { qwen } from '../src/bridges/agents/qwen.ts'
import { vscode } from '../src/bridges/agents/vscode.ts'
import { windsurf } from '../src/bridges/agents/windsurf.ts'
import type { Bridge } from '../src/bridges/bridge.ts'
import { listShownTools } from '../src/bridges/call/fields.ts'
import type { AGENTS } from '../src/bridges/list.ts'

/** The tables of all agents, by name. */
export const TABLES: Readonly<Record<(typeof AGENTS)[number], Bridge>> = {
  codex,
  copilot,
  vscode,
  cursor,
  opencode,
  kilo,
  gemini,
  qwen,
  droid,
  kimi,
  pi,
  cline,
  windsurf,
  kiro,
  grok,
  antigravity,
}

/** The tables of the bridges as they are shipped, by file name: one agent is read for one event, so each is a file. */
export function bridgeFiles(): Record<string, string> {
  const tables = Object.entries(TABLES)
  const fingerprints = Object.fromEntries(tables.map(([name, { detect }]) => [name, detect]))
  return Object.fromEntries([
    ...tables.map(([name, table]) => [`${name}.json`, `${JSON.stringify(table)}\n`]),
    ['detect.json', `${JSON.stringify(fingerprints)}\n`],
    ['command-tools.json', `${JSON.stringify(commandTools())}\n`],
  ])
}

/** The agents that run commands by a tool, by its name. */
function commandTools(): Record<string, string[]> {
  const agents: Record<string, string[]> = {}
  for (const { title, tools } of Object.values(TABLES)) {
    const runs = tools.filter((rule) =>
      'claude' in rule
        ? listShownTools(rule).includes('Bash')
        : rule.parts === 'shellPatch' || rule.as?.tool === 'Bash',
    )
    for (const { host } of runs) agents[host] = [...new Set([...(agents[host] ?? []), title])]
  }
  return agents
}
