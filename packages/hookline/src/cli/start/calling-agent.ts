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

/** The agent whose session a command runs in, with the variable that says so; null for a user's own call. An agent that clears its variables is not seen. */
export function findCallingAgent(env: NodeJS.ProcessEnv): string | null {
  const variable = Object.keys(AGENT_VARIABLES).find((name) => env[name])
  return variable === undefined ? null : `${AGENT_VARIABLES[variable]} runs this (${variable} is set)`
}

/**
 * Throws a HooklineError in the session of an agent: what loosens its guards is for the user to say. What an agent accepts that
 * clears its variables is told to the user.
 */
export function refuseInAgent(what: string, env: NodeJS.ProcessEnv): void {
  const agent = findCallingAgent(env)
  if (agent === null) return
  throw new HooklineError(`${what} is for the user to decide, and ${agent}. Run it in a terminal of your own.`)
}
