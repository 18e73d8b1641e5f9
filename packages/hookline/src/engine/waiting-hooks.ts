import { findWaitingPlugins } from './enabled-plugins.ts'
import { openEngine } from './engine.ts'
import type { ListedHook } from './listing.ts'
import type { EngineOptions } from './options.ts'

/** Hook of a plugin that a project enables which is not trusted. */
export interface WaitingHook {
  /** Name and marketplace of its plugin: `guard@market`. */
  readonly plugin: string
  readonly root: string
  readonly listed: ListedHook
}

/** The hooks of plugins that run once the project that enables them is trusted. Rejects with a HooklineError where it is unknown which plugins there are. */
export async function listWaitingHooks(options: EngineOptions): Promise<WaitingHook[]> {
  const { plugins = [], pluginIds = {} } = await findWaitingPlugins(options)
  if (plugins.length === 0) return []
  const engine = await openEngine({ ...options, plugins, pluginIds, rehearsal: true, warm: 'off' })
  const hooks = engine.list()
  await engine.close()
  return hooks.flatMap((listed): WaitingHook[] => {
    const root = plugins.find((one) => one === listed.hook.pluginRoot)
    if (root === undefined) return []
    const standing = { verdict: 'untrusted', because: 'the project that enables its plugin is not trusted' } as const
    return [{ plugin: pluginIds[root] ?? root, root, listed: { ...listed, standing, otherwise: listed.standing } }]
  })
}
