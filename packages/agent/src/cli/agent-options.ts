import type { AgentOptions } from '../session/options.ts'
import type { Arguments } from './arguments.ts'

/** Reads what the arguments say of the agent, whichever way it is used. */
export function makeAgentOptions(given: Arguments): Omit<AgentOptions, 'model'> {
  const { agents, mode, resume, setup, worktree, settings, maxTurns, profile, preset, project, home, managed } = given
  return {
    allowedTools: given.allowedTools,
    disallowedTools: given.disallowedTools,
    plugins: given.plugins,
    mcpConfig: given.mcpConfig,
    ...(agents === undefined ? {} : { agents }),
    ...(mode === undefined ? {} : { permissionMode: mode }),
    ...(resume === undefined ? {} : { resume }),
    fork: given.fork,
    ...(setup === undefined ? {} : { setup }),
    ...(worktree === undefined ? {} : { worktree }),
    liveSettings: given.liveSettings,
    ...(settings === undefined ? {} : { settings }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(profile === undefined ? {} : { profile: profile as NonNullable<AgentOptions['profile']> }), // the engine says which there are
    ...(preset === undefined ? {} : { preset }),
    ...(given.failClosed ? { failClosed: 'all' } : {}),
    ...(project === undefined ? {} : { project }),
    ...(home === undefined ? {} : { home }),
    ...(managed === undefined ? {} : { managed }),
  }
}
