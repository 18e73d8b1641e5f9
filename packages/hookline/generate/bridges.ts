import { antigravity } from '../src/bridges/antigravity.ts'
import type { Bridge } from '../src/bridges/bridge.ts'
import { cline } from '../src/bridges/cline.ts'
import { codex } from '../src/bridges/codex.ts'
import { copilot } from '../src/bridges/copilot.ts'
import { cursor } from '../src/bridges/cursor.ts'
import { droid } from '../src/bridges/droid.ts'
import { listShownTools } from '../src/bridges/fields.ts'
import { gemini } from '../src/bridges/gemini.ts'
import { grok } from '../src/bridges/grok.ts'
import { kilo } from '../src/bridges/kilo.ts'
import { kimi } from '../src/bridges/kimi.ts'
import { kiro } from '../src/bridges/kiro.ts'
import type { AGENTS } from '../src/bridges/list.ts'
import { opencode } from '../src/bridges/opencode.ts'
import { pi } from '../src/bridges/pi.ts'
import { qwen } from '../src/bridges/qwen.ts'
import { vscode } from '../src/bridges/vscode.ts'
import { windsurf } from '../src/bridges/windsurf.ts'

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
