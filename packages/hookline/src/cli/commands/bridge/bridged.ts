import type { Bridge } from '../../../bridges/bridge.ts'
import { AGENTS, bridgeTo } from '../../../bridges/list.ts'
import { openEngine } from '../../../engine/engine.ts'
import type { Engine } from '../../../engine/open-engine.ts'
import { CLAUDE_CODE_PROFILE } from '../../../protocol/profiles.ts'
import { type EngineFlags, engineOptions, PLACE_FLAGS, UsageError } from '../../start/flags.ts'

/** The flags of the commands about bridges. */
export const BRIDGE_FLAGS = {
  ...PLACE_FLAGS,
  json: { type: 'boolean' },
  'no-color': { type: 'boolean' },
} as const

/** The bridge of a name. */
export function namedBridge(agent: string | undefined): Bridge {
  const bridge = agent === undefined ? null : bridgeTo(agent)
  if (bridge !== null) return bridge
  const said = agent === undefined ? 'It takes the name of an agent.' : `"${agent}" is not an agent that is known.`
  throw new UsageError(`${said} Agents: ${AGENTS.join(', ')}.`)
}

/** Looks at the hooks of the project as a bridge would run them. */
export async function withHooks<Result>(
  flags: EngineFlags,
  act: (engine: Engine, places: { readonly project: string; readonly home: string }) => Promise<Result>,
): Promise<Result> {
  const options = engineOptions(flags)
  const engine = await openEngine({ ...options, profile: CLAUDE_CODE_PROFILE, rehearsal: true })
  try {
    return await act(engine, options)
  } finally {
    await engine.close()
  }
}
