import type { Bridge } from '../../../bridges/bridge.ts'
import { canBeWrapped, findHooksRunTwice } from '../../../bridges/install/report.ts'
import type { WritableScope } from '../../../config/scopes.ts'
import { openEngine } from '../../../engine/engine.ts'
import type { Engine } from '../../../engine/engine-interface.ts'
import { CLAUDE_CODE_PROFILE } from '../../../protocol/profiles.ts'
import { type EngineFlags, PLACE_FLAGS, toEngineOptions } from '../../start/flags.ts'
import { withEnabledPlugins } from '../../start/opening.ts'

/** The flags of the commands about bridges. */
export const BRIDGE_FLAGS = {
  ...PLACE_FLAGS,
  json: { type: 'boolean' },
  'no-color': { type: 'boolean' },
} as const

/** Looks at the hooks of the project as a bridge would run them. */
export async function withHooks<Result>(
  flags: EngineFlags,
  act: (engine: Engine, places: { readonly project: string; readonly home: string }) => Promise<Result>,
): Promise<Result> {
  const options = toEngineOptions(flags)
  const engine = await openEngine({
    ...(await withEnabledPlugins(options)),
    profile: CLAUDE_CODE_PROFILE,
    rehearsal: true,
  })
  try {
    return await act(engine, options)
  } finally {
    await engine.close()
  }
}

/** The scopes with hooks that an agent would run as they are, and that can be wrapped. */
export function listScopesToWrap(bridge: Bridge, { hooks }: Engine): WritableScope[] {
  const open = findHooksRunTwice(bridge, hooks).filter(canBeWrapped)
  return (['project', 'local', 'user'] as const).filter((one) => open.some(({ scope }) => scope === one))
}

/** Formats what wraps the hooks of scopes, as the user would type it. */
export function wrapCommands(scopes: readonly WritableScope[]): string {
  return scopes.map((scope) => `"hookline wrap install${scope === 'project' ? '' : ` --scope ${scope}`}"`).join(' and ')
}
