import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Loosening } from '../../effects/loosening.ts'
import { HooklineError } from '../../files/error.ts'

/** Variables by which agents mark the commands that they run, and who sets them. */
const AGENT_VARIABLES: Readonly<Record<string, string>> = {
  HOOKLINE_AGENT: 'a hook of an agent',
  CLAUDECODE: 'Claude Code',
  CODEX_SANDBOX: 'Codex',
  CODEX_SANDBOX_NETWORK_DISABLED: 'Codex',
  CODEX_THREAD_ID: 'Codex',
  COPILOT_CLI: 'Copilot',
  GEMINI_CLI: 'Gemini CLI',
  GEMINI_SESSION_ID: 'Gemini CLI',
  QWEN_CODE: 'Qwen Code',
  QWEN_CODE_SESSION_ID: 'Qwen Code',
  OPENCODE: 'opencode',
  CURSOR_AGENT: 'Cursor',
  FACTORY_PROJECT_DIR: 'Droid',
  KIMI_SESSION_ID: 'Kimi Code',
  CLINE_ACTIVE: 'Cline',
  AI_AGENT: 'an agent',
}

/** Names of the programs that agents are. */
const AGENT_PROGRAMS =
  /^(?:claude|codex|copilot|gemini|qwen|opencode|cursor-agent|droid|kimi|cline|hookline-agent)(?:\.[cm]?js|\.exe)?$/

/** More parents than these are not looked at. */
const MAX_PARENTS = 64

/** The agent whose session a command runs in, with the variable that says so; null for a user's own call. An agent that clears its variables is not seen. */
export function findCallingAgent(env: NodeJS.ProcessEnv): string | null {
  const variable = Object.keys(AGENT_VARIABLES).find((name) => env[name])
  return variable === undefined ? null : `${AGENT_VARIABLES[variable]} runs this (${variable} is set)`
}

/**
 * The agent among a process and its parents, by their names and by the variables that they were started with; null where
 * none is, and on systems without `/proc`.
 */
export function findAgentAbove(pid: number): string | null {
  let at = pid
  try {
    for (let left = MAX_PARENTS; at > 1 && left > 0; left--) {
      const words = readFileSync(`/proc/${at}/cmdline`, 'utf8').split('\0').slice(0, 2)
      const program = words.map((word) => basename(word)).find((word) => AGENT_PROGRAMS.test(word))
      if (program !== undefined) return `${program} runs this (process ${at})`
      const agent = findCallingAgent(readVariables(at))
      if (agent !== null) return `${agent.slice(0, -1)} in process ${at})`
      at = Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${at}/status`, 'utf8'))?.[1] ?? 0)
    }
  } catch {
    // a system without /proc, or a parent that has ended
  }
  return null
}

/** Variables that a process was started with; none of a process of another user. */
function readVariables(pid: number): NodeJS.ProcessEnv {
  try {
    const lines = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    return Object.fromEntries(lines.map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]))
  } catch {
    return {} // not ours to read
  }
}

/**
 * Throws a HooklineError in the session of an agent: what loosens its guards is for the user to say. What an agent accepts that
 * clears its variables is told to the user. With a parent, that process and those above it are looked at, too.
 */
export function refuseInAgent(what: string, env: NodeJS.ProcessEnv, parent?: number): void {
  const agent = findCallingAgent(env) ?? (parent === undefined ? null : findAgentAbove(parent))
  if (agent === null) return
  throw new HooklineError(`${what} is for the user to decide, and ${agent}. Run it in a terminal of your own.`)
}

/** True if there is a user to ask: a terminal on both sides, and no JSON asked for. */
export function canAsk({ json = false }: { readonly json?: boolean | undefined }): boolean {
  return !json && process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** Throws a HooklineError where nobody can be asked about what loosens guards, unless a script of the user says yes in the call itself. */
export function refuseUnasked({ what, unasked }: Loosening, args: readonly string[]): void {
  if (unasked === 'own' || args.includes('--yes') || canAsk({ json: args.includes('--json') })) return
  throw new HooklineError(
    `${what} is for the user to decide, and nobody can be asked here. Run it in a terminal, or with --yes in a script of your own.`,
  )
}
