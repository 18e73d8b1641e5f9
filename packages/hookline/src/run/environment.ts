import { homedir } from 'node:os'

/** For a host that has none of its own. */
const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin'

/** Variables that only some hooks have. */
const OWN_VARIABLES: ReadonlySet<string> = new Set(['CLAUDE_PLUGIN_ROOT', 'CLAUDE_ENV_FILE'])

const DEPTH_VARIABLE = 'HOOKLINE_DEPTH'

/** How many hooks this process is inside of: a hook may call an agent, whose hooks call an agent. */
export function depthOf(env: NodeJS.ProcessEnv): number {
  const depth = Number(env[DEPTH_VARIABLE] ?? 0)
  return Number.isInteger(depth) && depth > 0 ? depth : 0
}

/**
 * The host's environment with what PROTOCOL.md section 6 adds for every hook. Made once per event: reading that of a
 * process is slow. What only some hooks have is not passed on from the host's own host.
 */
export function eventEnvironment(
  host: NodeJS.ProcessEnv,
  { project, remote }: { project: string; remote: boolean },
): NodeJS.ProcessEnv {
  const inherited: NodeJS.ProcessEnv = {}
  // For the environment of a process this is the quickest way by far: a list of keys would ask it about each.
  for (const name of Object.getOwnPropertyNames(host)) if (!OWN_VARIABLES.has(name)) inherited[name] = host[name]
  inherited.HOME ??= homedir()
  inherited.PATH ??= USUAL_PATH
  inherited.CLAUDE_PROJECT_DIR = project
  inherited[DEPTH_VARIABLE] = String(depthOf(inherited) + 1)
  if (remote) inherited.CLAUDE_CODE_REMOTE = 'true'
  return inherited
}

/** That of one hook: with its plugin's folder, and with a file it may write variables into. */
export function hookEnvironment(
  event: NodeJS.ProcessEnv,
  { pluginRoot, envFile }: { pluginRoot: string | null; envFile: string | null },
): NodeJS.ProcessEnv {
  if (pluginRoot === null && envFile === null) return event
  return {
    ...event,
    ...(pluginRoot === null ? {} : { CLAUDE_PLUGIN_ROOT: pluginRoot }),
    ...(envFile === null ? {} : { CLAUDE_ENV_FILE: envFile }),
  }
}
