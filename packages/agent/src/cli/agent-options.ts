import type { AgentHooks } from '../hooks/register-hooks.ts'
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
    ...(given.guards ? { hooks: makeGuardHooks(home) } : {}),
    ...(project === undefined ? {} : { project }),
    ...(home === undefined ? {} : { home }),
    ...(managed === undefined ? {} : { managed }),
  }
}

/** The guards of Hookline as a hook of this agent; what they need is loaded with the first call. Guards that cannot be loaded refuse. */
function makeGuardHooks(home: string | undefined): AgentHooks {
  const look = async (event: object): Promise<unknown> => {
    try {
      const { guards } = await import('hookline/guards')
      return await guards(home === undefined ? {} : { home })(event)
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unknown'
      return { decision: 'block', reason: `The guards failed (${why}): that is their own fault, not the call's.` }
    }
  }
  return { PreToolUse: [{ matcher: '*', hooks: [look] }] }
}
