import { homedir } from 'node:os'

/** What a hook's environment depends on. */
export interface EnvironmentOf {
  readonly project: string
  readonly pluginRoot: string | null
  /** A file the hook may write variables into. */
  readonly envFile: string | null
  readonly remote: boolean
}

/** For a host that has none of its own. */
const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin'

/** Variables that only some hooks have; those of the host's own host are not passed on. */
const OWN_VARIABLES = ['CLAUDE_PLUGIN_ROOT', 'CLAUDE_ENV_FILE']

const DEPTH_VARIABLE = 'HOOKLINE_DEPTH'

/** How many hooks this process is inside of: a hook may call an agent, whose hooks call an agent. */
export function depthOf(env: NodeJS.ProcessEnv): number {
  const depth = Number(env[DEPTH_VARIABLE] ?? 0)
  return Number.isInteger(depth) && depth > 0 ? depth : 0
}

/** The host's environment with what PROTOCOL.md section 6 adds. */
export function hookEnvironment(
  host: NodeJS.ProcessEnv,
  { project, pluginRoot, envFile, remote }: EnvironmentOf,
): NodeJS.ProcessEnv {
  const inherited = Object.fromEntries(Object.entries(host).filter(([name]) => !OWN_VARIABLES.includes(name)))
  return {
    HOME: homedir(),
    PATH: USUAL_PATH,
    ...inherited,
    CLAUDE_PROJECT_DIR: project,
    [DEPTH_VARIABLE]: String(depthOf(host) + 1),
    ...(pluginRoot === null ? {} : { CLAUDE_PLUGIN_ROOT: pluginRoot }),
    ...(envFile === null ? {} : { CLAUDE_ENV_FILE: envFile }),
    ...(remote ? { CLAUDE_CODE_REMOTE: 'true' } : {}),
  }
}
